import type {
  AnalysedVariant,
  AnalysisInput,
  AtEqualTokens,
  EffortResult,
  MeasureResult,
  TokenEfficiency,
} from "../analysis-types";
import { differencesOf } from "../comparisons";
import { itemScores } from "../item-scores";
import type { Measure } from "../metrics/metric";
import { type ByItem, bootstrapSeries } from "../resampled";

export const isSelfConsistency = ({ workflow, options }: AnalysedVariant): boolean =>
  workflow === "debate" && options.strategy === "self_consistency";
/** A debate proper: the strategy that a debate has by default. */
export const isDebate = ({ workflow, options }: AnalysedVariant): boolean =>
  workflow === "debate" && (options.strategy ?? "debate") === "debate";

/** A self-consistency variant with its tokens. */
interface Sampled {
  variant: string;
  tokens: number;
}

/** H1: accuracy a token, debates against self-consistency at as many tokens. null without a debate and a self-consistency variant. */
export function tokenEfficiency(
  input: AnalysisInput,
  measure: Measure,
  results: readonly MeasureResult[],
  effort: readonly EffortResult[],
): TokenEfficiency | null {
  const tokens = new Map(effort.map((one) => [one.variant, one.tokens]));
  const rows = results
    .filter((result) => result.measure === measure.name && (tokens.get(result.variant) ?? 0) > 0)
    .map(({ variant, mean }) => ({
      variant,
      mean,
      tokens: tokens.get(variant)!,
      per_1000_tokens: (1000 * mean) / tokens.get(variant)!,
      self_consistency: input.variants.some((one) => one.name === variant && isSelfConsistency(one)),
    }));
  const curve = rows.filter((row) => row.self_consistency).toSorted((one, other) => one.tokens - other.tokens);
  const debates = rows.filter(({ variant }) => input.variants.some((one) => one.name === variant && isDebate(one)));
  if (curve.length === 0 || debates.length === 0) return null;
  const scores = new Map(
    [...curve, ...debates].map(({ variant }) => [variant, itemScores(input, variant, measure)!.means]),
  );
  return { measure: measure.name, rows, at_equal_tokens: atEqualTokens(input, debates, curve, scores) };
}

function atEqualTokens(
  { items, resamples, seed }: AnalysisInput,
  debates: readonly Sampled[],
  curve: readonly Sampled[],
  scores: ReadonlyMap<string, ByItem>,
): AtEqualTokens[] {
  const placed = debates.map(({ variant, tokens }) => {
    const { weights, outside } = weightsAt(tokens, curve);
    const baseline = mixed(weights.map((one) => ({ weight: one.weight, scores: scores.get(one.variant)! })));
    return { variant, tokens, weights, outside, baseline, differences: differencesOf(scores.get(variant)!, baseline) };
  });
  const found = bootstrapSeries(
    placed.map(({ differences }) => differences),
    items.map(({ id }) => id),
    { resamples, seed },
  );
  return placed.flatMap(({ variant, tokens, weights, outside, baseline, differences }, place) => {
    const result = found[place];
    if (!result) return [];
    const { mean, low, high } = result;
    const paired = [...differences.keys()].map((item) => baseline.get(item)!);
    const baseline_score = paired.reduce((sum, score) => sum + score, 0) / paired.length;
    return [{ variant, tokens, weights, outside, baseline_score, n: differences.size, mean, low, high }];
  });
}

/** The variants on both sides of a number of tokens, weighted so that their mean tokens are that number. */
function weightsAt(
  tokens: number,
  curve: readonly Sampled[],
): { weights: { variant: string; weight: number }[]; outside: boolean } {
  const above = curve.findIndex((one) => one.tokens >= tokens);
  const [first, last] = [curve[0]!, curve.at(-1)!];
  if (above === -1) return { weights: [{ variant: last.variant, weight: 1 }], outside: true };
  const upper = curve[above]!;
  if (upper.tokens === tokens) return { weights: [{ variant: upper.variant, weight: 1 }], outside: false };
  if (above === 0) return { weights: [{ variant: first.variant, weight: 1 }], outside: true };
  const lower = curve[above - 1]!;
  const weight = (tokens - lower.tokens) / (upper.tokens - lower.tokens);
  return {
    weights: [
      { variant: lower.variant, weight: 1 - weight },
      { variant: upper.variant, weight },
    ],
    outside: false,
  };
}

/** Weighted scores of the items that all have. */
function mixed(parts: readonly { weight: number; scores: ByItem }[]): ByItem {
  const [first, ...others] = parts;
  const shared = [...first!.scores.keys()].filter((item) => others.every(({ scores }) => scores.has(item)));
  return new Map(
    shared.map((item) => [item, parts.reduce((sum, { weight, scores }) => sum + weight * scores.get(item)!, 0)]),
  );
}
