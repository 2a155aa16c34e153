import type { LlmError } from "#llm";

/** Attempts of one act before the run fails. The SDK's own retries are off: only the act retries (law 5). */
export const MAX_ATTEMPTS = 6;

const FIRST_DELAY_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** A longer delay is a sleep of the Workflow, not of a step. */
export const SLEEP_IN_STEP_MS = 20_000;
/** If a provider asks for a longer delay, the act is not retried. */
export const LONGEST_WAIT_MS = 60 * 60_000;

/** Delay before the next attempt, milliseconds: the provider's `retry-after`, else exponential backoff with jitter; null: do not retry. */
export function delayBefore(attempt: number, error: LlmError): number | null {
  if (!error.options.retryable || attempt >= MAX_ATTEMPTS) return null;
  const { retry_after_ms } = error.options;
  if (retry_after_ms !== undefined) return retry_after_ms > LONGEST_WAIT_MS ? null : retry_after_ms;
  const full = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  return full / 2 + Math.random() * (full / 2);
}
