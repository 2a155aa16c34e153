import type { AnalysisInput } from "./analysis-types";
import { parityOf } from "./comparisons";
import type { Measure } from "./metrics/metric";
import type { TrialResult } from "./trials";

/** Scores of one variant by one measure: repetitions of an item are averaged first, so that an item counts once. */
export interface ItemScores {
  /** Mean over the repetitions, by item. */
  means: ReadonlyMap<string, number>;
  /** Failed trials that count with the worst value. */
  failed: number;
  /** Trials without a value. */
  without_value: number;
}

/** The scores of one variant by one measure. */
export interface Scored {
  variant: string;
  measure: Measure;
  scores: ItemScores;
}

/** The worst value that a measure can have; null: there is none, or only some trials have a value at all. */
export const worstOf = ({ range, higher_is_better, sampled = false }: Measure): number | null =>
  sampled ? null : higher_is_better ? range[0] : range[1];

/**
 * Whether a measure was computed for a variant. One whose trials all failed has it: otherwise a variant that never answers would
 * be missing where it belongs at the end.
 */
const has = (results: readonly TrialResult[], { name }: Measure): boolean => {
  const completed = results.filter(({ status }) => status === "completed");
  return results.length > 0 && (completed.length === 0 || completed.some(({ scores }) => Object.hasOwn(scores, name)));
};

/**
 * Items on which a failed trial counts as worst: those on which a completed one of any variant has a value. Where none has, the item holds
 * nothing that the measure could count, such as elements of a type; where none completed, nobody knows, and it counts.
 */
function countable(results: readonly TrialResult[], { name }: Measure): (item: string) => boolean {
  const completed = results.filter(({ status }) => status === "completed");
  const known = new Set(completed.map(({ item }) => item));
  const valued = new Set(completed.filter(({ scores }) => (scores[name] ?? null) !== null).map(({ item }) => item));
  return (item) => valued.has(item) || !known.has(item);
}

/**
 * The score of a failed trial; null: it has none. By a metric that compares, it loses against a completed trial of the other variant and ties with
 * one that failed too: judges see neither.
 */
function scoreOfFailed(
  { results, on_failure }: Pick<AnalysisInput, "results" | "on_failure">,
  measure: Measure,
): (trial: TrialResult) => number | null {
  const worst = on_failure === "count_as_wrong" ? worstOf(measure) : null;
  if (worst === null) return () => null;
  if (measure.against === undefined) {
    const counts = countable(results, measure);
    return ({ item }) => (counts(item) ? worst : null);
  }
  const placeOf = ({ item, repetition }: TrialResult) => JSON.stringify([item, repetition]);
  const rivals = new Map(
    results.filter(({ variant }) => variant === measure.against).map((rival) => [placeOf(rival), rival.status]),
  );
  const scores = { completed: worst, failed: parityOf(measure), canceled: null };
  return (trial) => scores[rivals.get(placeOf(trial)) ?? "canceled"];
}

/** @returns null when the measure was not computed for the variant */
export function itemScores(
  { results, on_failure }: Pick<AnalysisInput, "results" | "on_failure">,
  variant: string,
  measure: Measure,
): ItemScores | null {
  const trials = results.filter((result) => result.variant === variant);
  if (!has(trials, measure)) return null;
  const worst = worstOf(measure);
  const failedAs = scoreOfFailed({ results, on_failure }, measure);
  const values = new Map<string, number[]>();
  let [failed, without_value] = [0, 0];
  for (const trial of trials) {
    const { item, status, scores } = trial;
    if (status === "canceled") continue;
    const value = status === "failed" ? failedAs(trial) : (scores[measure.name] ?? null);
    if (value === null) {
      without_value++;
      continue;
    }
    if (status === "failed" && value === worst) failed++;
    const before = values.get(item);
    if (before) before.push(value);
    else values.set(item, [value]);
  }
  const means = new Map(
    [...values].map(([item, all]) => [item, all.reduce((sum, value) => sum + value, 0) / all.length]),
  );
  return { means, failed, without_value };
}
