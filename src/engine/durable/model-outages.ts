import type { LlmError } from "#llm";
import {
  parseOutages,
  PROVIDER_FAILURE_CODES,
  type ProviderOutage,
  type ProviderFailureCode,
} from "#core/provider-outages";

/** Waits between attempts at a model that fails: an eighth of the outage so far, within these bounds. A day takes fewer than 200. Milliseconds. */
const MIN_WAIT_MS = 10_000;
const MAX_WAIT_MS = 10 * 60_000;
const SHARE = 1 / 8;
const SOON_MS = 500;
/** A wait of `SOON_MS` or less counts as none: just before the end of the longest wait the model would be asked without a pause. Milliseconds. */
const LAST_WAIT_MS = 1000;

/**
 * The models that a run has found failing. D1 holds the truth, which each entry into a stage reads; a model is asked again when its time
 * has come.
 */
export class ModelOutages {
  private known = new Map<string, ProviderOutage>();
  /** Models for which their providers refuse every request. Lost with the instance, which then asks once more. */
  private readonly refused = new Set<string>();

  restore(stored: string): void {
    this.known = new Map(Object.entries(parseOutages(stored)));
  }

  get(model: string): ProviderOutage | undefined {
    return this.known.get(model);
  }

  addRefused(model: string): void {
    this.refused.add(model);
  }

  /**
   * The outage after a further failure, which the caller writes to D1.
   * @param began when its request began to fail: an outage that this failure begins counts from then. Milliseconds since the epoch
   * @param longest time for which the run may wait for the model: it is asked again when that is over, or at most a second later. Milliseconds
   */
  fail(
    model: string,
    { code, options: { retry_after_ms = 0 } }: Pick<LlmError, "code" | "options">,
    { began, now, longest }: { began: number; now: number; longest: number },
  ): ProviderOutage {
    const since = this.get(model)?.since ?? new Date(began).toISOString();
    const lasted = now - Date.parse(since);
    const share = lasted * SHARE * (0.75 + Math.random() / 4);
    const pause = Math.min(Math.max(share, MIN_WAIT_MS), MAX_WAIT_MS);
    const wait = Math.max(Math.min(pause, longest > lasted ? longest - lasted : pause), LAST_WAIT_MS, retry_after_ms);
    const outage: ProviderOutage = {
      provider: model.split("/", 1)[0]!,
      model,
      code: code as ProviderFailureCode,
      reason: PROVIDER_FAILURE_CODES[code as ProviderFailureCode],
      since,
      next_attempt_at: new Date(now + wait).toISOString(),
    };
    this.known.set(model, outage);
    return outage;
  }

  end(model: string): void {
    this.known.delete(model);
  }

  /** Those of a role's models that are worth a request; all of them when each is refused. */
  usable(models: readonly string[]): readonly string[] {
    const left = models.filter((model) => !this.refused.has(model));
    return left.length > 0 ? left : models;
  }

  /** Milliseconds until the model is asked again; 0: now, or soon: a sleep may end a little early. */
  waitOf(model: string, now: number): number {
    const outage = this.get(model);
    const ms = outage ? Date.parse(outage.next_attempt_at) - now : 0;
    return ms > SOON_MS ? ms : 0;
  }
}
