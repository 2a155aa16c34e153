/** Places for engines: the platform may end any program at an `await`, and the others continue. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EnginePlaces } from "#agents/sandbox/engine-places";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An engine, by how it is dropped. */
const engine = () => vi.fn<() => void>();

/** Whether a promise is fulfilled when the given time has passed. */
async function isDone(promise: Promise<void>, ms: number): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await vi.advanceTimersByTimeAsync(ms);
  return done;
}

test("a program waits until another gives its place back", async () => {
  const places = new EnginePlaces(1);
  const [first, second] = [engine(), engine()];
  await places.acquire(first);
  const waiting = places.acquire(second);
  expect(await isDone(waiting, 1000)).toBe(false);
  places.release(first);
  expect(await isDone(waiting, 1000)).toBe(true);
});

test("an engine at rest is dropped when another program needs its place, and only then", async () => {
  const places = new EnginePlaces(1);
  const [first, second] = [engine(), engine()];
  await places.acquire(first);
  places.rest(first);
  expect(places.resume(first)).toBe(true);
  places.rest(first);
  await places.acquire(second);
  expect(first).toHaveBeenCalledOnce();
  expect(places.resume(first)).toBe(false);
});

test("a program that ends while it waits takes no place with it", async () => {
  let isGone = false;
  const places = new EnginePlaces(1, async (ms) => {
    if (!isGone) await new Promise((resolve) => setTimeout(resolve, ms));
    else await new Promise(() => {});
  });
  const first = engine();
  await places.acquire(first);
  isGone = true;
  void places.acquire(engine());
  isGone = false;
  const other = places.acquire(engine());
  places.release(first);
  expect(await isDone(other, 1000)).toBe(true);
});

test("a place whose program the platform has ended is free after a minute", async () => {
  const places = new EnginePlaces(1);
  const lost = engine();
  await places.acquire(lost);
  const waiting = places.acquire(engine());
  expect(await isDone(waiting, 59_000)).toBe(false);
  expect(await isDone(waiting, 2000)).toBe(true);
  places.rest(lost); // it has only been slow: its engine goes, and the place stays with the other program
  expect(lost).toHaveBeenCalledOnce();
});
