import { probit } from "simple-statistics";
import { SIGNIFICANCE } from "./statistics/bootstrap";
import { holm } from "./statistics/holm";
import type { AnalysisInput, ComparisonResult, Undecided } from "./analysis-types";
import type { Measure } from "./metrics/metric";
import { type ByItem, bootstrapSeries, type Range, type Resampled } from "./resampled";

/**
 * Least number of items that differ for a decision. With five items that all favour one side a sign test has p = 2 / 2⁵ = 0.06, while a
 * bootstrap, which can only draw what it has seen, would call a single such item certain.
 */
const MIN_DIFFERING = 6;

/**
 * The same among several comparisons: a sign test of so many items that all favour one side stays below the level after Holm's first step.
 * @param shown number of comparisons: 6 items for one, 7 for two or three, 8 for four to six
 */
export const leastDiffering = (shown: number): number =>
  Math.max(MIN_DIFFERING, Math.floor(Math.log2((2 * Math.max(1, shown)) / SIGNIFICANCE)) + 1);

/** Chance of finding a difference that is there, for the estimate of the items needed. */
const POWER = 0.8;

/** Resamples for each comparison: p cannot be below 2 / (resamples + 1), which Holm's method multiplies by the number of comparisons. */
const RESAMPLES_EACH = 80;
const MAX_RESAMPLES = 100_000;
/** Most additions for comparisons, some seconds of computing. */
const MAX_ADDITIONS = 5e9;

/**
 * Resamples with which a clear difference among so many comparisons can be decided: those asked for, or as many more as are needed and can be
 * computed.
 * @param shown number of comparisons
 */
export function resamplesFor(shown: number, items: number, asked: number): number {
  const affordable = Math.floor(MAX_ADDITIONS / Math.max(1, shown * items));
  return Math.max(asked, Math.min(RESAMPLES_EACH * shown, affordable, MAX_RESAMPLES));
}

/** The least p that comparisons can have once they are adjusted for being many. */
export const leastAdjusted = (shown: number, resamples: number): number => Math.min(1, (2 * shown) / (resamples + 1));

/** Two variants by one measure, item by item. */
export interface Pairing {
  system: string;
  baseline: string;
  measure: Measure;
  /** System minus baseline, for the items that both have. */
  differences: ByItem;
}

/** Differences smaller than this are none: sums of repetitions are rounded. */
const ROUNDING = 1e-12;

export function differencesOf(system: ByItem, baseline: ByItem): ByItem {
  const differences = new Map<string, number>();
  for (const [item, score] of system) {
    const other = baseline.get(item);
    if (other === undefined) continue;
    const difference = score - other;
    differences.set(item, Math.abs(difference) < ROUNDING ? 0 : difference);
  }
  return differences;
}

/** The score at which both variants of a metric that compares are equal; null: its range has no middle. */
export const parityOf = ({ range: [low, high] }: Measure): number | null => (high === null ? null : (low + high) / 2);

/** Scores that compare a variant with another already, as differences from parity. */
export const differencesFromParity = (scores: ByItem, parity: number): ByItem =>
  differencesOf(scores, new Map([...scores.keys()].map((item) => [item, parity])));

/** Least and greatest difference of two variants: scores that compare with the baseline already are differences from parity. */
function rangeOfDifferences({ range: [least, greatest], against }: Measure, baseline: string): Range {
  if (greatest === null) return [null, null];
  const most = against === baseline ? (greatest - least) / 2 : greatest - least;
  return [-most, most];
}

/**
 * Compares pairs of variants. A comparison is decided when enough items differ (`leastDiffering`), its 95 % interval does not hold 0, and its p,
 * adjusted by Holm's method for all comparisons given, is below 0.05: the interval alone would claim too much where many are shown.
 * @param pairings with one item or more each
 */
export function comparisons(
  pairings: readonly Pairing[],
  { items, resamples, seed }: Pick<AnalysisInput, "items" | "resamples" | "seed">,
): ComparisonResult[] {
  const series = pairings.map(({ differences }) => differences);
  const found = bootstrapSeries(
    series,
    items.map(({ id }) => id),
    { resamples, seed },
    pairings.map(({ measure, baseline }) => rangeOfDifferences(measure, baseline)),
  ) as Resampled[];
  const adjusted = holm(found.map(({ p }) => p));
  return pairings.map(({ system, baseline, measure, differences }, place) => {
    const { mean, low, high, p } = found[place]!;
    const values = [...differences.values()];
    const differing = values.filter((value) => value !== 0).length;
    const because = undecided({ differing, low, high, p_adjusted: adjusted[place]! }, pairings.length);
    const favours = measure.higher_is_better ? mean > 0 : mean < 0;
    return {
      system,
      baseline,
      measure: measure.name,
      n: values.length,
      differing,
      difference: mean,
      low,
      high,
      p,
      p_adjusted: adjusted[place]!,
      verdict: because !== null ? "inconclusive" : favours ? "better" : "worse",
      because,
      items_needed: itemsNeeded(values, mean, pairings.length),
    };
  });
}

function undecided(
  result: Pick<ComparisonResult, "differing" | "low" | "high" | "p_adjusted">,
  shown: number,
): Undecided | null {
  if (result.differing < leastDiffering(shown)) return "few_items_differ";
  if (result.low !== null && result.low <= 0 && result.high! >= 0) return "interval_holds_zero";
  return result.p_adjusted >= SIGNIFICANCE ? "p_adjusted" : null;
}

/**
 * Items with which a paired test finds a difference as large as the one seen in 80 of 100 experiments: ((z₁ + z₂) · s / d)², with s the standard
 * deviation of the items' differences and the level divided by the number of comparisons. An estimate: the true difference may be another.
 */
function itemsNeeded(differences: readonly number[], difference: number, shown: number): number | null {
  const n = differences.length;
  if (Math.abs(difference) < ROUNDING || n < 2) return null;
  const variance = differences.reduce((sum, value) => sum + (value - difference) ** 2, 0) / (n - 1);
  const z = probit(1 - SIGNIFICANCE / (2 * shown)) + probit(POWER);
  return Math.max(leastDiffering(shown), Math.ceil((z ** 2 * variance) / difference ** 2));
}
