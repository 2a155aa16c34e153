import { paretoFront } from "./statistics/pareto-front";
import type { AnalysisInput, EffortResult, FailureResult, Front, MeasureResult } from "./analysis-types";
import type { TrialResult } from "./trials";

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const tokensOf = ({ usage }: TrialResult): number => usage.input_tokens + usage.output_tokens;

/** null: it is unknown. A trial without a call cost nothing; a removed trial, which has no version, may have made some. */
const costOf = ({ usage, workflow_version }: TrialResult): number | null =>
  usage.llm_calls === 0 && workflow_version !== undefined ? 0 : usage.cost_usd;

/** What the trials of a variant used. A trial that was reused counts with what it once used. */
export function effortOf(variant: string, results: readonly TrialResult[]): EffortResult {
  const trials = results.length;
  const mean = (values: readonly number[]) => (trials === 0 ? 0 : sum(values) / trials);
  const costs = results.map(costOf);
  const known = trials > 0 && costs.every((cost) => cost !== null) ? (costs as number[]) : null;
  const tokens = results.map(tokensOf);
  return {
    variant,
    trials,
    cost_usd: known && mean(known),
    tokens: mean(tokens),
    calls: mean(results.map(({ usage }) => usage.llm_calls)),
    seconds: mean(results.map(({ seconds }) => seconds)),
    total_cost_usd: known && sum(known),
    total_tokens: sum(tokens),
  };
}

export function failuresOf(
  variant: string,
  results: readonly TrialResult[],
  { items, repetitions, on_failure }: Pick<AnalysisInput, "items" | "repetitions" | "on_failure">,
): FailureResult {
  const planned = items.length * repetitions;
  const count = (status: TrialResult["status"]) => results.filter((result) => result.status === status).length;
  const failed = count("failed");
  const errors = Map.groupBy(
    results.filter(({ status }) => status === "failed"),
    ({ error }) => error?.code ?? "unknown",
  );
  return {
    variant,
    planned,
    completed: count("completed"),
    failed,
    canceled: count("canceled"),
    missing: Math.max(0, planned - results.length),
    left_out: on_failure === "leave_out" ? failed : 0,
    reused: results.filter(({ reused }) => reused).length,
    errors: [...errors]
      .map(([code, { length }]) => ({ code, trials: length }))
      .toSorted((one, other) => other.trials - one.trials),
  };
}

/** Score against cost for each measure that two variants or more have: in dollars where all prices are known, otherwise in tokens. */
export function frontsOf(
  { measures }: Pick<AnalysisInput, "measures">,
  results: readonly MeasureResult[],
  effort: readonly EffortResult[],
): Front[] {
  return measures.flatMap(({ name, higher_is_better }) => {
    const scored = results.filter(({ measure }) => measure === name);
    if (scored.length < 2) return [];
    const of = new Map(effort.map((one) => [one.variant, one]));
    const priced = scored.every(({ variant }) => of.get(variant)!.cost_usd !== null);
    const costs = scored.some(({ variant }) => (of.get(variant)!.cost_usd ?? 0) > 0);
    const cost_of = priced && costs ? ("cost_usd" as const) : ("tokens" as const);
    const placed = scored.map(({ variant, mean }) => ({ variant, cost: of.get(variant)![cost_of]!, score: mean }));
    const front = new Set(paretoFront(placed, higher_is_better));
    return [{ measure: name, cost_of, points: placed.map((point) => ({ ...point, on_front: front.has(point) })) }];
  });
}
