import type { Clock } from "../instance/instance";
import { log } from "#core/log";
import { sleep } from "#core/retry";
import { StorageUnavailableError } from "#core/unavailable";

/**
 * Work continues when storage is back, however long that takes: it is done again with growing waits, inside the step, because attempts of
 * steps are few and their waits grow without bound. A bug is not waited for: the step fails it, and its attempts are counted.
 */

/** Waits between attempts: doubled from the first up to the longest, so that work continues soon after the return. Milliseconds. */
const INITIAL_WAIT_MS = 100;
const MAX_WAIT_MS = 10_000;
/** After this the step ends and is entered again, so that no step grows without bound. Milliseconds. */
const MAX_DURATION_MS = 9 * 60_000;

const SYSTEM: Clock = { now: () => Date.now(), sleep };

/**
 * Does work until storage has answered.
 * @param work gets the number of the attempt, from 1; it throws StorageUnavailableError when storage does not answer
 * @returns what the work returned; null when storage has been away for `MAX_DURATION_MS`
 */
export async function throughOutage<T>(
  work: (attempt: number) => Promise<T>,
  clock: Clock = SYSTEM,
): Promise<{ value: T } | null> {
  const since = clock.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return { value: await work(attempt) };
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error;
      if (clock.now() - since > MAX_DURATION_MS) return null;
      const wait = Math.min(INITIAL_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS);
      log.warn("storage does not answer; the work is done again", { attempt, next_in_ms: wait, error });
      await clock.sleep(wait);
    }
  }
}

/** The same for a part of a stage's work. @throws StorageUnavailableError when storage has been away for `MAX_DURATION_MS` */
export async function orUnavailable<T>(work: (attempt: number) => Promise<T>, clock?: Clock): Promise<T> {
  const done = await throughOutage(work, clock);
  if (!done) throw new StorageUnavailableError("storage", "It has been away for too long for one step.");
  return done.value;
}
