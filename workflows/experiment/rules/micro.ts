import { bootstrapRatio } from "./statistics/bootstrap";
import { pooled, retrieved, type Counts } from "./statistics/retrieved";
import type { AnalysisInput, MicroResult } from "./analysis-types";
import { DETAIL_RESAMPLES } from "./resampled";
import type { Measure } from "./metrics/metric";
import type { Scores, TrialResult } from "./trials";

/** Parts of a metric that are counts of one trial. */
const PARTS = ["found", "right", "matched"] as const;

/** What is before `found`, `right` and `matched` in the names of counts, with its separator: `model_match.` or `model_match.actor_`. */
export const countedBy = (measures: readonly Pick<Measure, "name">[]): string[] => {
  const names = new Set(measures.map(({ name }) => name));
  return [...names]
    .flatMap((name) => /^(.+[._])found$/u.exec(name)?.[1] ?? [])
    .filter((of) => PARTS.every((part) => names.has(`${of}${part}`)));
};

/** Whether a measure is a count that only micro averages read. */
export const isCount = (measure: string, counted: readonly string[]): boolean =>
  counted.some((of) => PARTS.some((part) => measure === `${of}${part}`));

/**
 * Micro averages: counts of all trials are added up first. A failed trial that counts as wrong has found nothing. Their intervals are over items,
 * whose trials are resampled together.
 */
export function microAverages(input: AnalysisInput): MicroResult[] {
  const { variants, measures, items, results, on_failure } = input;
  return countedBy(measures).flatMap((of) => {
    const rights = new Map(
      results.flatMap(({ item, scores }) => {
        const right = scores[`${of}right`] ?? null;
        return right === null ? [] : [[item, right] as const];
      }),
    );
    return variants.flatMap(({ name }) => {
      const ran = results.filter(({ variant }) => variant === name);
      if (!ran.some(({ scores }) => countsIn(scores, of))) return [];
      const trials = Map.groupBy(ran, ({ item }) => item);
      const byItem = items.map(({ id }) =>
        pooled((trials.get(id) ?? []).flatMap((result) => countsOf(result, of, on_failure, rights) ?? [])),
      );
      const counts = pooled(byItem);
      const intervals = intervalsOf(byItem, input);
      return [{ variant: name, of: of.slice(0, -1), ...counts, ...retrieved(counts), intervals }];
    });
  });
}

/** @param counts of the items, in the order of the experiment */
function intervalsOf(
  counts: readonly Counts[],
  { resamples, seed }: Pick<AnalysisInput, "resamples" | "seed">,
): NonNullable<MicroResult["intervals"]> {
  const sampling = { resamples: Math.min(resamples, DETAIL_RESAMPLES), seed };
  const ratio = (above: (of: Counts) => number, below: (of: Counts) => number) =>
    bootstrapRatio(counts.map(above), counts.map(below), sampling);
  return {
    precision: ratio(
      ({ matched }) => matched,
      ({ found }) => found,
    ),
    recall: ratio(
      ({ matched }) => matched,
      ({ right }) => right,
    ),
    f1: ratio(
      ({ matched }) => 2 * matched,
      ({ found, right }) => found + right,
    ),
  };
}

/** @param rights what is right by item, as another trial of the item has it */
function countsOf(
  { status, scores, item }: TrialResult,
  of: string,
  on_failure: AnalysisInput["on_failure"],
  rights: ReadonlyMap<string, number>,
): Counts | null {
  if (status === "completed") return countsIn(scores, of);
  const right = rights.get(item);
  if (status !== "failed" || on_failure !== "count_as_wrong" || right === undefined) return null;
  return { found: 0, right, matched: 0 };
}

function countsIn(scores: Scores, of: string): Counts | null {
  const [found = null, right = null, matched = null] = PARTS.map((part) => scores[`${of}${part}`]);
  return found === null || right === null || matched === null ? null : { found, right, matched };
}
