import { mean, quantileSorted } from "simple-statistics";
import { resampleColumns } from "./resampling";

export interface Bootstrapped {
  mean: number;
  /** Bounds of the 95 % interval. */
  low: number;
  high: number;
  /** Of the mean against 0, two-sided; at most 1. */
  p: number;
}

const RESAMPLES = 10_000;
export const SIGNIFICANCE = 0.05;
/** Means of a resample are 0 below this share of the largest value: rounding of sums is no sign. */
const ROUNDING = 1e-12;

/**
 * Means of columns of values with their 95 % percentile intervals, by bootstrap over rows. All columns see the same resamples. p is twice the
 * share of resamples whose mean lacks the sign of the mean (spec of Silva et al., ambiguity 9), with the observed sample counted in, because a
 * p of 0 claims more than resampling can show (Davison and Hinkley 1997, 4.2); a mean of 0 has neither sign.
 * @param columns values by row, all columns of one length
 * @throws RangeError when a column is empty, or of another length
 */
export function bootstrapColumns(
  columns: readonly (readonly number[])[],
  { resamples = RESAMPLES, seed = 1 } = {},
): Bootstrapped[] {
  const rows = columns[0]?.length;
  if (rows === 0) throw new RangeError("There is nothing to resample.");
  if (columns.some(({ length }) => length !== rows)) throw new RangeError("Columns of one table have the same rows.");
  const results: Bootstrapped[] = [];
  resampleColumns(columns, { resamples, seed }, (place, means) => {
    results[place] = summary(columns[place]!, means.toSorted());
  });
  return results;
}

function summary(values: readonly number[], sorted: Float64Array): Bootstrapped {
  const observed = mean(values as number[]);
  const zero = ROUNDING * values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const opposed =
    observed >= -zero ? count(sorted, (value) => value <= zero) : count(sorted, (value) => value >= -zero);
  const quantile = (share: number) => quantileSorted(sorted as unknown as number[], share);
  const p = Math.min(1, (2 * (opposed + 1)) / (sorted.length + 1));
  return { mean: observed, low: quantile(0.025), high: quantile(0.975), p };
}

function count(values: Float64Array, counts: (value: number) => boolean): number {
  let counted = 0;
  for (const value of values) if (counts(value)) counted++;
  return counted;
}

/**
 * 95 % percentile interval of a ratio of sums, such as a micro average, by bootstrap over rows: both sums are of the same rows. Resamples whose
 * denominator is 0 have no ratio and are left out.
 * @param numerators by row, in the order of `denominators`
 * @returns null when the ratio is the same in every resample, or in none
 */
export function bootstrapRatio(
  numerators: readonly number[],
  denominators: readonly number[],
  { resamples = RESAMPLES, seed = 1 } = {},
): { low: number; high: number } | null {
  const means: Float64Array[] = [];
  resampleColumns([numerators, denominators], { resamples, seed }, (column, of) => (means[column] = of));
  const [above, below] = means as [Float64Array, Float64Array];
  const ratios = above.map((sum, sample) => sum / below[sample]!).filter((_, sample) => below[sample]! !== 0);
  if (ratios.length === 0) return null;
  const sorted = ratios.toSorted();
  if (sorted.at(-1)! - sorted[0]! <= ROUNDING) return null;
  const quantile = (share: number) => quantileSorted(sorted as unknown as number[], share);
  return { low: quantile(0.025), high: quantile(0.975) };
}
