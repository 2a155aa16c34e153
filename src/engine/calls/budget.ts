import type { CallContext } from "./call-context";
import { Failed, Superseded } from "../instance/control";
import type { Estimate, Usage } from "#llm";
import type { Reservation } from "#store/instances";

/** From this share of a limit on, the run warns of its budget. */
const WARN_AT = 0.8;

/** What an act has used and set aside so far, over its attempts. */
export class UsageMeter {
  usage: Usage = { llm_calls: 0, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: null };
  reserved: Reservation = { calls: 0, tokens: 0, cost_usd: 0 };

  add(more: Usage): void {
    const { usage } = this;
    this.usage = {
      llm_calls: usage.llm_calls + more.llm_calls,
      input_tokens: usage.input_tokens + more.input_tokens,
      cached_input_tokens: usage.cached_input_tokens + more.cached_input_tokens,
      output_tokens: usage.output_tokens + more.output_tokens,
      cost_usd: usage.cost_usd === null && more.cost_usd === null ? null : (usage.cost_usd ?? 0) + (more.cost_usd ?? 0),
    };
  }
}

/**
 * Sets aside, within the run's limits, what a call may use. A run without limits makes no round trip for them.
 * @throws Failed `budget_exceeded`, Gone
 */
export async function reserve(
  context: CallContext,
  model: string,
  estimate: Estimate,
  spent: UsageMeter,
): Promise<void> {
  const { max_llm_calls, max_tokens, max_cost_usd } = context.spec.limits;
  if (max_llm_calls === null && max_tokens === null && max_cost_usd === null) return;
  if (max_cost_usd !== null && estimate.cost_usd === null) {
    // It had one, or an agent another model, when the run was created.
    throw new Failed("budget_exceeded", `No price is configured for ${model}, so max_cost_usd cannot be kept.`);
  }
  const { instances } = context.store;
  const want = { ...estimate, cost_usd: estimate.cost_usd ?? 0 };
  const got = await instances.reserve(context.run_id, context.epoch, want);
  if (got === "gone") throw new Superseded();
  if (got === "exceeded") {
    throw new Failed(
      "budget_exceeded",
      `The next call needs 1 call and up to ${estimate.tokens} tokens, which would pass the run's limits ${JSON.stringify(context.spec.limits)}.`,
    );
  }
  spent.reserved = {
    calls: spent.reserved.calls + want.calls,
    tokens: spent.reserved.tokens + want.tokens,
    cost_usd: spent.reserved.cost_usd + want.cost_usd,
  };
  if (got.share >= WARN_AT) await instances.warnOfBudget(context.run_id, context.epoch);
}
