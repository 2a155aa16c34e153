import { durationMs } from "#core/duration";
import { log } from "#core/log";
import { DEFAULT_LIMITS } from "#core/run-settings";
import type { LlmError } from "#llm";
import { Failed, Suspend } from "../instance/control";
import { notify } from "../instance/instance";
import type { StageVisit } from "../durable/stage-visit";
import { delayBefore } from "./backoff";

/** Chooses among the models of an act by what the run knows of them, and bounds the wait for those that fail (`limits.provider_wait`). */
export class Availability {
  /** @param models of the act's role, in the order of preference */
  constructor(
    private readonly visit: StageVisit,
    private readonly act: string,
    private readonly models: readonly string[],
  ) {}

  /**
   * The first model that is not known to fail at the moment.
   * @throws Suspend until the first of them is to be asked again
   */
  choose(): string {
    const waits = this.usable.map((model) => ({ model, ms: this.waitOf(model) }));
    const ready = waits.find(({ ms }) => ms === 0);
    if (ready) return ready.model;
    throw new Suspend({ why: "later", ms: Math.min(...waits.map(({ ms }) => ms)) });
  }

  /** These models have answered: an outage of theirs is over. A failed write does not cost the paid answer; the next answer repeats it. */
  async answered(models: Iterable<string>): Promise<void> {
    const { instance, providers } = this.visit;
    const { run_id, epoch, deps } = instance;
    for (const model of new Set(models)) {
      if (!providers.get(model)) continue;
      try {
        await deps.store.instances.recordOutage(run_id, epoch, model, null);
        providers.end(model);
        notify(instance, this.visit.followed, "run.provider_recovered");
        log.info("a model answers again", { run_id, model });
      } catch (error) {
        log.warn("the end of a model's outage was not noted", { run_id, model, error });
      }
    }
  }

  /** Milliseconds until the model is asked again inside the step; null: it is not. @param attempt number of the failed one, from 1 */
  delayBefore(attempt: number, model: string, failure: LlmError): number | null {
    if (!failure.options.retryable || this.visit.providers.get(model)) return null;
    return delayBefore(attempt, failure, this.hasOther(model));
  }

  /**
   * Notes that a model fails, or that its provider refuses every request for it. Returns when the act may go on, with another model or after a wait.
   * @throws Failed
   */
  async failed(model: string, failure: LlmError): Promise<void> {
    const { code, message, options } = failure;
    const { providers, instance } = this.visit;
    const { run_id, epoch, deps } = instance;
    if (options.model_refused && this.usable.some((other) => other !== model)) return providers.addRefused(model);
    if (!options.retryable) throw new Failed(code, `${this.act}: ${message}`);
    const isNew = !providers.get(model);
    const outage = providers.fail(model, failure, { now: this.now, longest: this.longestWait });
    if (!this.hasOther(model)) this.assertMayWait(model, failure);
    await deps.store.instances.recordOutage(run_id, epoch, model, outage);
    if (isNew) notify(instance, this.visit.followed, "run.provider_failing");
  }

  /** The run waits for no longer than it may after the last of the models has begun to fail. @throws Failed */
  private assertMayWait(model: string, { code, message, options: { retry_after_ms = 0 } }: LlmError): void {
    const { providers } = this.visit;
    const begun = [...this.usable, model].map((each) => providers.get(each)?.since ?? "");
    const since = begun.reduce((latest, each) => (each > latest ? each : latest));
    const left = this.longestWait - (this.now - Date.parse(since));
    const wait = `limits.provider_wait, ${this.limit}`;
    if (left <= 0) {
      throw new Failed(
        "provider_unavailable",
        `${this.act}: ${message} The run has waited for as long as it may (${wait}).`,
      );
    }
    if (retry_after_ms > left) {
      const seconds = Math.ceil(retry_after_ms / 1000);
      throw new Failed(
        code,
        `${this.act}: ${message} It asks for a wait of ${seconds} s, longer than the run may wait (${wait}).`,
      );
    }
  }

  /** Whether another model can be asked now. */
  private hasOther(model: string): boolean {
    return this.usable.some((other) => other !== model && this.waitOf(other) === 0);
  }

  private get usable(): readonly string[] {
    return this.visit.providers.usable(this.models);
  }

  private waitOf(model: string): number {
    return this.visit.providers.waitOf(model, this.now);
  }

  private get limit(): string {
    return this.visit.instance.spec.limits.provider_wait ?? DEFAULT_LIMITS.provider_wait;
  }

  private get longestWait(): number {
    return durationMs(this.limit);
  }

  private get now(): number {
    return this.visit.instance.deps.clock?.now() ?? Date.now();
  }
}
