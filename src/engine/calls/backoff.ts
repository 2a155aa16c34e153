import type { LlmError } from "#llm";

/** Attempts of one act before the run fails. The SDK's own retries are off: the act is the one owner (law 5). */
export const MAX_ATTEMPTS = 6;

const FIRST_DELAY_MS = 500;
const LONGEST_OWN_DELAY_MS = 30_000;
/** A wait longer than this is a sleep of the Workflow rather than of a step. */
export const SLEEP_IN_STEP_MS = 20_000;
/** A provider that asks for more than this is not waited for. */
export const LONGEST_WAIT_MS = 60 * 60_000;

/** How long to wait before the next attempt: what the provider said, else exponential with jitter; null: do not try again. */
export function delayBefore(attempt: number, error: LlmError): number | null {
  if (!error.options.retryable || attempt >= MAX_ATTEMPTS) return null;
  const told = error.options.retry_after_ms;
  if (told !== undefined) return told > LONGEST_WAIT_MS ? null : told;
  const full = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_OWN_DELAY_MS);
  return full / 2 + Math.random() * (full / 2);
}
