import type { LlmError } from "#llm";

/** The step alone retries: the SDK's own retries are off (law 5). */

/** Failures of a step at one model in a row before the model counts as failing. */
const ATTEMPTS = 4;
/** The same where another model can be asked instead. */
const ATTEMPTS_WITH_FALLBACK = 3;

const INITIAL_DELAY_MS = 500;
/** A provider that asks for a longer delay counts as failing: such a delay is a sleep of the Workflow, not of a step. */
const MAX_DELAY_MS = 20_000;
const MAX_DELAY_WITH_FALLBACK_MS = 5000;

/**
 * Delay before the next attempt at the same model, milliseconds: the provider's `retry-after`, else exponential backoff with jitter. Null:
 * the model counts as failing. It does so after its first timeout: the request has waited for minutes, and nobody has seen why.
 * @param attempt number of the failed one, from 1
 * @param hasFallback another model can be asked instead
 */
export function delayBefore(
  attempt: number,
  { code, options: { retry_after_ms } }: Pick<LlmError, "code" | "options">,
  hasFallback: boolean,
): number | null {
  if (code === "provider_timeout") return null;
  if (attempt >= (hasFallback ? ATTEMPTS_WITH_FALLBACK : ATTEMPTS)) return null;
  if (retry_after_ms !== undefined)
    return retry_after_ms > (hasFallback ? MAX_DELAY_WITH_FALLBACK_MS : MAX_DELAY_MS) ? null : retry_after_ms;
  const full = INITIAL_DELAY_MS * 2 ** (attempt - 1);
  return full / 2 + Math.random() * (full / 2);
}

/** Waits for other children of a run's parent: a Workflow has 10,000 steps, and each wait takes two. Milliseconds. */
const INITIAL_WAIT_FOR_PARENT_MS = 2000;
const MAX_WAIT_FOR_PARENT_MS = 2 * 60_000;

/**
 * How long a request waits that fits into the limits of the run's parent only when other children have given back what they reserved:
 * exponential backoff with jitter, milliseconds.
 * @param attempt number of the refused one, from 1
 */
export function waitForParent(attempt: number): number {
  const full = Math.min(INITIAL_WAIT_FOR_PARENT_MS * 2 ** (attempt - 1), MAX_WAIT_FOR_PARENT_MS);
  return full / 2 + Math.random() * (full / 2);
}
