const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first failed attempt, the second, … (design: api.md, "Events and webhooks"). Milliseconds. */
export const RETRY_AFTER: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** How long retries of a delivery last, without jitter; a polled delivery fails when it was not acknowledged for so long. Milliseconds. */
export const RETRY_WINDOW_MS = RETRY_AFTER.reduce((sum, wait) => sum + wait, 0);

/** Each wait is extended by up to this fraction, so that receivers that were down are not all called at once. */
export const JITTER = 0.1;

/**
 * When a delivery is retried; null after its last retry.
 * @param attempts number of attempts so far, the first included
 * @param now milliseconds since the epoch, as the result
 */
export function nextAttemptAt(attempts: number, now: number, random: () => number = Math.random): number | null {
  const wait = RETRY_AFTER[attempts - 1];
  return wait === undefined ? null : Math.round(now + wait * (1 + JITTER * random()));
}
