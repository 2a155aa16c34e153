import { RunFailedError, StaleEpochError, SuspendSignal } from "../instance/signals";
import { NOTHING_RESERVED } from "../durable/artifacts";
import type { StageExecution } from "../durable/stage-execution";
import { waitForParent } from "./backoff";
import { addUsage, type RequestEstimate, NO_USAGE, type Usage } from "#llm";
import { log } from "#core/log";
import type { Refusal, Reservation, Reserved } from "#store/reservations";

/** From this share of a limit on, the run warns of its budget. */
const WARN_AT = 0.8;

/** Usage of one step's requests, and their reservations in the run's budget. */
export class StepBudget {
  /** Of all requests so far, failed ones included. */
  usage: Usage = NO_USAGE;
  reserved: Reservation = NOTHING_RESERVED;
  /** Requests that are reserved and have not ended. */
  private underWay = 0;

  /** @param role that asks; null: an encoder */
  constructor(
    private readonly stage: StageExecution,
    private readonly step: string,
    private readonly role: string | null,
  ) {}

  /**
   * Reserves the estimate of a request within the run's limits, and waits while parallel steps may still give back what they reserved. A run
   * without limits, whose parent has none either, saves the round trip.
   * @throws RunFailedError `budget_exceeded` or `parent_budget_exceeded`, StaleEpochError, SuspendSignal while other children of the parent hold what is left
   */
  async reserve(model: string, estimate: RequestEstimate): Promise<void> {
    const { run_id, epoch, spec, deps } = this.stage.instance;
    const { max_llm_calls, max_tokens, max_cost_usd } = spec.limits;
    const isLimited = max_llm_calls !== null || max_tokens !== null || max_cost_usd !== null;
    if (!isLimited && !spec.parent?.limited) return;
    if (max_cost_usd !== null && estimate.cost_usd === null) {
      // Prices were checked when the run was created; since then the price was removed, or an agent got another model.
      throw new RunFailedError(
        "budget_exceeded",
        `No price is configured for ${model}, so max_cost_usd cannot be kept.`,
      );
    }
    const canNeverFit =
      estimate.tokens > (max_tokens ?? Infinity) || (estimate.cost_usd ?? 0) > (max_cost_usd ?? Infinity);
    if (canNeverFit) throw await this.beyondLimits(model, estimate);
    const answer = await this.stage.reservations.reserve(this.step, () => this.tryToReserve(estimate));
    if (answer === "gone") throw new StaleEpochError();
    if (answer === "exceeded") throw await this.beyondLimits(model, estimate);
    if (answer === "exceeded_by_parent") throw beyondParent(spec.parent!.id, model, estimate);
    const counter = `${this.step}~parent`;
    if (answer === "parent_is_busy") {
      const ms = waitForParent(this.stage.memory.countAttempt(counter));
      throw new SuspendSignal({ why: "later", ms });
    }
    this.stage.memory.resetAttempts(counter);
    if (answer.parent_share >= WARN_AT) await deps.store.reservations.warnParentOfBudget(run_id, epoch);
    if (answer.share >= WARN_AT) await deps.store.reservations.warnOfBudget(run_id, epoch);
  }

  /** A request has ended. */
  spent(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
    this.underWay = Math.max(0, this.underWay - 1);
  }

  /** The last request was an attempt at a model that is known to fail: the wait for it does not use the run's calls up. */
  uncountRequest(): void {
    const llm_calls = Math.max(0, this.usage.llm_calls - 1);
    this.usage = { ...this.usage, llm_calls };
  }

  /** Gives back what the step did not use, if other steps wait for that; else its commit does. A failed write does not cost the paid answer. */
  async yieldToOthers(): Promise<void> {
    const { step, stage } = this;
    if (!stage.reservations.hasWaiters) return;
    try {
      await this.giveBack(this.surplus);
    } catch (error) {
      log.warn("a reservation was not given back", { run_id: stage.instance.run_id, step, error });
    }
    stage.reservations.release(step);
  }

  /** Exchanges what earlier requests of the step reserved and did not use for the estimate of the next one; when refused, gives it back. */
  private async tryToReserve(estimate: RequestEstimate): Promise<Reserved | Refusal> {
    const { run_id, epoch, deps } = this.stage.instance;
    const { surplus } = this;
    const next = { ...estimate, cost_usd: estimate.cost_usd ?? 0 };
    this.underWay++; // from now on, so that a concurrent request of the step does not exchange the same surplus
    const answer = await deps.store.reservations.reserve(run_id, epoch, difference(next, surplus));
    if (typeof answer === "object") {
      this.reserved = sum(difference(this.reserved, surplus), next);
      return answer;
    }
    this.underWay--;
    await this.giveBack(surplus);
    return answer;
  }

  /** The part of the step's reservation that it has not used; nothing while a request is under way. */
  private get surplus(): Reservation {
    if (this.underWay > 0) return NOTHING_RESERVED;
    const { llm_calls, input_tokens, output_tokens, cost_usd } = this.usage;
    const used = { calls: llm_calls, tokens: input_tokens + output_tokens, cost_usd: cost_usd ?? 0 };
    return difference(this.reserved, used);
  }

  private async giveBack(surplus: Reservation): Promise<void> {
    if (surplus.calls === 0 && surplus.tokens === 0 && surplus.cost_usd === 0) return;
    const { run_id, epoch, deps } = this.stage.instance;
    await deps.store.reservations.recordUsage(run_id, epoch, { used: NO_USAGE, by: null, released: surplus, quiet: 0 });
    this.reserved = difference(this.reserved, surplus);
  }

  /** The error of a request that does not fit. @throws StaleEpochError */
  private async beyondLimits(model: string, { tokens, cost_usd }: RequestEstimate): Promise<RunFailedError> {
    const { run_id, epoch, spec, deps } = this.stage.instance;
    const { max_llm_calls, max_tokens, max_cost_usd } = spec.limits;
    const row = await deps.store.instances.getOwned(run_id, epoch);
    if (!row) throw new StaleEpochError();
    const used = [
      max_llm_calls === null ? null : `${row.llm_calls} of ${max_llm_calls} calls`,
      max_tokens === null ? null : `${row.input_tokens + row.output_tokens} of ${max_tokens} tokens`,
      max_cost_usd === null ? null : `${row.cost_usd ?? 0} of ${max_cost_usd} dollars`,
    ].filter((part) => part !== null);
    const need = `up to ${tokens} tokens${cost_usd === null ? "" : `, which cost ${cost_usd} dollars`}`;
    const remedy =
      this.role === null
        ? "Retry the run with a higher limit."
        : `Retry the run with a higher limit, or start one with a lower models.roles.${this.role}.max_output_tokens: an output is reserved in full.`;
    return new RunFailedError(
      "budget_exceeded",
      `The next call of ${this.role ?? this.step} to ${model} may use ${need}. The run has used ${used.join(", ")}. ${remedy}`,
    );
  }
}

const beyondParent = (parent: string, model: string, { tokens }: RequestEstimate): RunFailedError =>
  new RunFailedError(
    "parent_budget_exceeded",
    `The next call to ${model} may use up to ${tokens} tokens, more than the limits of ${parent}, which started this run, leave. Retry ${parent} with a higher limit.`,
  );

const sum = (a: Reservation, b: Reservation): Reservation => ({
  calls: a.calls + b.calls,
  tokens: a.tokens + b.tokens,
  cost_usd: a.cost_usd + b.cost_usd,
});

const difference = (a: Reservation, b: Reservation): Reservation => ({
  calls: a.calls - b.calls,
  tokens: a.tokens - b.tokens,
  cost_usd: a.cost_usd - b.cost_usd,
});
