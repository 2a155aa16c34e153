import type { AnalysedItem, AnalysisInput, ByRound, Estimated, MeasureResult, RoundResult } from "../analysis-types";
import { differencesOf } from "../comparisons";
import type { Measure } from "../metrics/metric";
import { type ByItem, bootstrapSeries, type Range } from "../resampled";
import type { TrialResult } from "../trials";
import { isDebate } from "./token-efficiency";

/** H3: what each further round gains. null where no debate tells its answers by round, and no two debates differ in their rounds. */
export function byRound(
  input: AnalysisInput,
  measures: readonly Measure[],
  results: readonly MeasureResult[],
): ByRound | null {
  const within = input.variants.flatMap(({ name }) => withinDebate(name, input));
  const across = acrossVariants(input, measures, results);
  return within.length > 0 || across.length > 0 ? { within, across } : null;
}

function withinDebate(variant: string, { results, items, on_failure, resamples, seed }: AnalysisInput): RoundResult[] {
  const trials = results.filter((result) => result.variant === variant);
  const rounds = Math.max(0, ...trials.map(({ answers_by_round }) => answers_by_round?.length ?? 0));
  if (rounds < 2) return [];
  const of = new Map(items.map((item) => [item.id, item]));
  const scores = Array.from({ length: rounds }, (_, round) => {
    const values = trials.flatMap((trial) => {
      const correct = correctAfter(trial, round, of.get(trial.item), on_failure);
      return correct === null ? [] : [{ item: trial.item, value: Number(correct) }];
    });
    return new Map(
      [...Map.groupBy(values, ({ item }) => item)].map(([item, group]) => [
        item,
        group.reduce((sum, { value }) => sum + value, 0) / group.length,
      ]),
    );
  });
  const gains = scores.slice(1).map((after, place) => differencesOf(after, scores[place]!));
  const ids = items.map(({ id }) => id);
  const ranges = [...scores.map((): Range => [0, 1]), ...gains.map((): Range => [-1, 1])];
  const found = estimates([...scores, ...gains], ids, { resamples, seed }, ranges);
  return scores.flatMap((_, place) => {
    const result = found[place];
    return result
      ? [{ variant, round: place + 1, ...result, gain: place === 0 ? null : found[rounds + place - 1]! }]
      : [];
  });
}

/** Whether the answer after a round, from 0, is right; null: the item or the trial does not tell. A debate that ended early keeps its answer. */
function correctAfter(
  { status, answers_by_round: answers }: TrialResult,
  round: number,
  item: AnalysedItem | undefined,
  on_failure: AnalysisInput["on_failure"],
): boolean | null {
  if (!item?.right_answers?.length) return null;
  if (status === "failed") return on_failure === "count_as_wrong" ? false : null;
  if (status === "canceled" || !answers?.length) return null;
  const answer = answers[Math.min(round, answers.length - 1)] ?? null;
  const plain = (text: string) => text.trim().toLowerCase();
  return answer !== null && item.right_answers.some((right) => plain(right) === plain(answer));
}

function estimates(
  series: readonly ByItem[],
  items: readonly string[],
  sampling: { resamples: number; seed: number },
  ranges: readonly Range[],
): (Estimated | null)[] {
  return bootstrapSeries(series, items, sampling, ranges).map(
    (found, place) => found && { n: series[place]!.size, mean: found.mean, low: found.low, high: found.high },
  );
}

/** All measures of debates whose requested rounds differ. */
function acrossVariants(
  { variants }: AnalysisInput,
  measures: readonly Measure[],
  results: readonly MeasureResult[],
): ByRound["across"] {
  const rounds = new Map(
    variants
      .filter((variant) => isDebate(variant) && typeof variant.options.rounds === "number")
      .map(({ name, options }) => [name, options.rounds as number]),
  );
  if (new Set(rounds.values()).size < 2) return [];
  return measures.flatMap(({ name }) =>
    results
      .filter(({ measure, variant }) => measure === name && rounds.has(variant))
      .map(({ variant, n, mean, low, high }) => ({
        measure: name,
        variant,
        rounds: rounds.get(variant)!,
        n,
        mean,
        low,
        high,
      }))
      .toSorted((one, other) => one.rounds - other.rounds),
  );
}
