import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queueTime } from "#engine/durable/queue-time";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"], now: 0 }));
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
const passes = (ms: number) => void vi.advanceTimersByTime(ms);
/** The clock of days alone. */
const jumps = (ms: number) => void vi.setSystemTime(Date.now() + ms);

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

const DAY = 86_400_000;

test("a clock that is set forward by a day adds a day once, and is reported once; one that is set back adds nothing", () => {
  const queueing = queueTime();
  passes(1000);
  jumps(DAY);
  passes(1000);
  expect([queueing.ms, queueing.ms]).toEqual([DAY, DAY]);
  expect([queueing.takeUnreported(), queueing.takeUnreported()]).toEqual([DAY, 0]);
  jumps(-DAY);
  passes(1000);
  expect(queueing.ms).toBe(DAY);
});

test("a jump while all requests wait is counted with their wait, and one that D1 has counted is not counted again", async () => {
  const queueing = queueTime();
  const served = lasting((work) => queueing.duringRequest(work));
  const admitted = lasting((work) => queueing.duringWait(work));
  jumps(DAY);
  expect(queueing.ms).toBe(DAY);
  await admitted();
  await served();
  expect(queueing.ms).toBe(DAY);
  queueing.takeUnreported();
  jumps(DAY);
  queueing.restore(2 * DAY);
  expect(queueing.ms).toBe(2 * DAY);
});

test("a jump is reported in whole milliseconds, as the database takes them", () => {
  const time = queueTime();
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 0.37);
  vi.setSystemTime(Date.now() + DAY);
  expect(Number.isInteger(time.takeUnreported())).toBe(true);
  vi.restoreAllMocks();
});
