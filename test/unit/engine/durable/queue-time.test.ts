import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queueTime } from "#engine/durable/queue-time";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Starts work that lasts until the returned function is called. */
function lasting(begin: (work: () => Promise<void>) => Promise<void>) {
  let end = () => {};
  const done = begin(() => new Promise((resolve) => (end = resolve)));
  return () => {
    end();
    return done;
  };
}
const passes = (ms: number) => vi.setSystemTime(Date.now() + ms);

test("time in which a run's only call waits for a permit is queueing, time with the permit is not", async () => {
  const queueing = queueTime();
  const served = lasting((work) => queueing.duringRequest(work));
  const admitted = lasting((work) => queueing.duringWait(work));
  passes(100);
  expect(queueing.ms).toBe(100);
  await admitted();
  passes(1000);
  await served();
  passes(1000);
  expect(queueing.ms).toBe(100);
});

test("a run with one call in flight does not queue, however many others wait", async () => {
  const queueing = queueTime();
  const ends = [1, 2, 3].map(() => lasting((work) => queueing.duringRequest(work)));
  const admissions = [1, 2].map(() => lasting((work) => queueing.duringWait(work)));
  passes(1000);
  expect(queueing.ms).toBe(0);
  await ends[2]!();
  passes(50);
  expect(queueing.ms).toBe(50);
  await admissions[0]!();
  passes(1000);
  expect(queueing.ms).toBe(50);
});

test("reported time is not reported again, and the count continues from the time in D1", async () => {
  const queueing = queueTime();
  queueing.restore(500);
  void lasting((work) => queueing.duringRequest(work));
  void lasting((work) => queueing.duringWait(work));
  passes(100);
  expect(queueing.takeUnreported()).toBe(100);
  passes(20);
  expect(queueing.takeUnreported()).toBe(20);
  queueing.restore(620);
  expect(queueing.ms).toBe(620);
});
