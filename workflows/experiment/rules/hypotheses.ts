import type { AnalysisInput, EffortResult, Hypotheses, MeasureResult } from "./analysis-types";
import { byRound } from "./hypotheses/by-round";
import { corrections } from "./hypotheses/correction";
import { labelBias } from "./hypotheses/label-bias";
import { tokenEfficiency } from "./hypotheses/token-efficiency";
import type { Measure } from "./metrics/metric";

/**
 * The measure of right and wrong answers: `accuracy`, or the first whose scores are all 0 or 1.
 * @returns null when no measure is of that kind
 */
export function correctnessOf(
  { results }: Pick<AnalysisInput, "results">,
  measures: readonly Measure[],
): Measure | null {
  const binary = ({ name }: Measure) => {
    const values = results.map(({ scores }) => scores[name] ?? null).filter((value) => value !== null);
    return values.length > 0 && values.every((value) => value === 0 || value === 1);
  };
  const candidates = measures.filter(
    (measure) => measure.range[0] === 0 && measure.range[1] === 1 && measure.higher_is_better && binary(measure),
  );
  return candidates.find(({ metric }) => metric === "accuracy") ?? candidates[0] ?? null;
}

/** The hypotheses of Silva et al. about debates, and the bias of a labelled judge. */
export function hypothesesOf(
  input: AnalysisInput,
  measures: readonly Measure[],
  results: readonly MeasureResult[],
  effort: readonly EffortResult[],
): Hypotheses {
  const correctness = correctnessOf(input, measures);
  return {
    h1: correctness && tokenEfficiency(input, correctness, results, effort),
    h2: correctness && corrections(input, correctness),
    h3: byRound(input, measures, results),
    label_bias: labelBias(input),
  };
}
