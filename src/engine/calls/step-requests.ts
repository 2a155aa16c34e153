import { StaleEpochError, SuspendSignal } from "../instance/signals";
import { StepBudget } from "./step-budget";
import { ownerOf } from "../instance/spec";
import type { StageExecution } from "../durable/stage-execution";
import { chooseModel, delayBeforeRetry, now, recordAnswer, recordFailure } from "./model-choice";
import { type RequestEstimate, type GatedProvider, type KeyOwner, LlmError, type Permit, type Usage } from "#llm";
import { acquirePermit } from "#llm/limits/acquire-permit";
import { log } from "#core/log";
import { sleep } from "#core/retry";
import type { EmbeddingAccount } from "#retrieval/embedder";
import type { Reservation } from "#store/reservations";

/** One step's requests to models: reserved in the run's budget, admitted by the provider's queue, retried, and counted. */
export class StepRequests implements EmbeddingAccount {
  private readonly budget: StepBudget;

  /** Models that the attempt under way has asked. */
  private readonly asked = new Set<string>();

  /**
   * @param role that asks; null: an encoder
   * @param models that may be asked, in the order of preference
   */
  constructor(
    readonly stage: StageExecution,
    readonly step: string,
    private readonly role: string | null,
    readonly models: readonly string[],
  ) {
    this.budget = new StepBudget(stage, step, role);
  }

  /** Of all requests so far, failed ones included. */
  get usage(): Usage {
    return this.budget.usage;
  }

  get reserved(): Reservation {
    return this.budget.reserved;
  }

  /** Id of the run: `x-parley-run`. */
  get id(): string {
    return this.stage.instance.run_id;
  }

  /** The tenant whose own keys for providers are used. */
  get owner(): KeyOwner {
    return { ...ownerOf(this.stage.instance.spec), has_no_keys: !this.stage.memory.ownsKeys };
  }

  /** The fields that every log line of the step begins with. */
  get logFields() {
    return { run_id: this.id, tenant_id: this.stage.instance.spec.tenant, step: this.step };
  }

  /** What `Llm.complete` and `Llm.embed` need to make requests on this account. @param model `<provider>/<model>` */
  callOptions(model: string) {
    return {
      labels: { run: this.id, step: this.step },
      owner: this.owner,
      timeout_ms: this.stage.instance.deps.llm_timeout_ms,
      reserve: (estimate: RequestEstimate) => this.reserve(model, estimate),
      spent: (usage: Usage) => this.spent(usage),
      acquirePermit: (gate: GatedProvider, tokens: number) => this.acquirePermit(gate, tokens),
    };
  }

  /** @throws RunFailedError `budget_exceeded`, StaleEpochError */
  reserve(model: string, estimate: RequestEstimate): Promise<void> {
    this.asked.add(model);
    return this.budget.reserve(model, estimate);
  }

  spent(usage: Usage): void {
    this.budget.spent(usage);
  }

  /** A step, or a part of one, makes one request at a time: its name and the epoch identify its place in the queue. */
  acquirePermit(gate: GatedProvider, tokens: number, part?: string): Promise<Permit> {
    const { stage, step } = this;
    const { run_id, epoch, spec, deps } = stage.instance;
    const id = `${run_id}-e${epoch}/${part === undefined ? step : `${step}/${part}`}`;
    const ticket = { id, run: run_id, tenant: spec.tenant, lease_ms: deps.llm_timeout_ms, tokens };
    return stage.memory.queueTime.duringWait(() =>
      acquirePermit(deps.gates, gate, ticket, (quiet) => stage.heartbeat(quiet)),
    );
  }

  /**
   * Makes a request to the first of the models that is not known to fail, and retries it while its failure allows that, with another model
   * or after a wait. A step that is given up records its usage and reservation in D1.
   * @throws RunFailedError when the run must fail, SuspendSignal when the stage must pause, StaleEpochError when the run is not ours any more
   */
  withRetries<T>(request: (model: string) => Promise<T>): Promise<T> {
    return this.stage.memory.queueTime.duringRequest(async () => {
      for (;;) {
        let model = this.models[0]!;
        const asked_at = now(this.stage);
        try {
          model = chooseModel(this);
          this.asked.clear();
          const answer = await this.during(model, () => request(model));
          await recordAnswer(this, [model, ...this.asked]);
          await this.budget.yieldToOthers();
          this.stage.memory.resetAttemptsOfStep(this.step);
          return answer;
        } catch (error) {
          try {
            await this.waitBeforeRetry(error, model, asked_at);
          } catch (reason) {
            await this.releaseAfterFailure(reason);
            throw reason;
          }
        }
      }
    });
  }

  /** An attempt at a model that is known to fail belongs to the wait for it, so the run's timeout does not count its time. */
  private during<T>(model: string, attempt: () => Promise<T>): Promise<T> {
    const { step, role } = this;
    const { memory, live } = this.stage;
    const call = () => live.during({ step, role, model }, attempt);
    return memory.outages.get(model) ? memory.queueTime.duringWait(call) : call();
  }

  /**
   * Makes a request as `withRetries` does, and makes it anew while its answer is unusable. A suspension of the stage keeps the count.
   * @param most tries in all, of a sampled answer; any other would stay the same, and is tried once
   * @param request is told its model, and the number of its try, from 1
   */
  async withTries<T>(
    { most, isSampled }: { most: number; isSampled: boolean },
    request: (model: string, nth: number) => Promise<T>,
  ): Promise<{ answer: T; /** Tries that it took. */ tries: number }> {
    const { stage, step } = this;
    const counter = `${step}~tries`;
    let nth = stage.memory.attemptsOf(counter) + 1;
    const answer = await this.withRetries(async (model) => {
      for (;;) {
        try {
          return await request(model, nth);
        } catch (error) {
          if (!isUnusable(error)) throw error;
          const mayDiffer = isSampled || error.options.ignores_temperature;
          if (!mayDiffer || nth >= most) throw nth === 1 ? error : afterTries(error, nth);
          const { code, message } = error;
          log.warn("an unusable answer is asked for anew", {
            ...this.logFields,
            provider: providerOf(model),
            model,
            code,
            try: nth,
            content: message,
          });
          nth = stage.memory.countAttempt(counter) + 1;
          await stage.heartbeat();
        }
      }
    });
    return { answer, tries: nth };
  }

  /**
   * Waits until the step may be retried, or another model asked. Throws when neither may be, or when the run was canceled or paused meanwhile.
   * @param asked the model that was chosen; a failure may name another one, that of an encoder
   * @param asked_at when the attempt began, milliseconds since the epoch
   */
  private async waitBeforeRetry(failure: unknown, asked: string, asked_at: number): Promise<void> {
    if (!(failure instanceof LlmError)) throw failure;
    const { stage, step } = this;
    const { code, message, options } = failure;
    const model = options.model ?? asked;
    const counter = `${step}~${model}`;
    const attempt = stage.memory.countAttempt(counter);
    const delay = delayBeforeRetry(this, model, failure, attempt);
    log.warn("an attempt failed", {
      ...this.logFields,
      provider: providerOf(model),
      model,
      status: options.status ?? null,
      code,
      attempt,
      next_in_ms: delay,
      content: message,
    });
    if (delay !== null) {
      await Promise.all([this.recordLastFailure(code), (stage.instance.deps.clock?.sleep ?? sleep)(delay)]);
    } else {
      stage.memory.resetAttempts(counter); // the API's `retry` starts from zero
      if (options.retryable) await this.recordLastFailure(code);
      if (options.retryable && stage.memory.outages.get(model)) this.budget.uncountRequest();
      await recordFailure(this, model, { failure, asked_at });
    }
    await stage.heartbeat();
  }

  /** Explains in D1 why the step takes so long, should the run stall. A failed write costs the run nothing. */
  private async recordLastFailure(code: string): Promise<void> {
    const { run_id, epoch, deps } = this.stage.instance;
    const { step } = this;
    await deps.store.instances
      .recordLastFailure(run_id, epoch, { step, code, at: Date.now() })
      .catch((error: unknown) => {
        log.warn("a failed attempt was not noted", { run_id, step, error });
      });
  }

  /** Counts usage that led to no artifact. A failed write is not repeated: counting twice would be worse than not at all. */
  private async releaseAfterFailure(reason: unknown): Promise<void> {
    if (reason instanceof StaleEpochError) return;
    const { run_id, epoch, deps } = this.stage.instance;
    const quiet = reason instanceof SuspendSignal && reason.suspension.why === "later" ? reason.suspension.ms : 0;
    const by = { role: this.role, model: [...this.asked].at(-1) ?? this.models[0]! };
    const usage = { used: this.usage, by, released: this.reserved, quiet };
    await deps.store.reservations.recordUsage(run_id, epoch, usage).catch((error: unknown) => {
      log.error("usage was not counted", { run_id, error });
    });
  }
}

/** True when a model answered, but neither its answer nor the repaired one could be used. Another sample may be better. */
const isUnusable = (error: unknown): error is LlmError =>
  error instanceof LlmError && ["output_invalid", "output_truncated", "output_empty"].includes(error.code);

const afterTries = ({ code, message, options }: LlmError, tries: number): LlmError =>
  new LlmError(
    code,
    `${message} It was asked for ${tries} times, and each time repaired once; this is the last answer.`,
    options,
  );

/** @param model `<provider>/<model>` */
const providerOf = (model: string): string => model.split("/", 1)[0]!;
