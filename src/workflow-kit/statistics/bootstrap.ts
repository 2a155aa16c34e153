import { mean, quantileSorted } from "simple-statistics";
import { seededRandom } from "../seeded-random";

export interface Interval {
  mean: number;
  /** Bounds of the 95 % interval. */
  low: number;
  high: number;
}

export interface Comparison extends Interval {
  /** Two-sided; at most 1. */
  p: number;
  significant: boolean;
  resamples: number;
  seed: number;
}

const RESAMPLES = 10_000;
const SIGNIFICANCE = 0.05;

/** Means of samples drawn with replacement, in ascending order. */
function resampledMeans(values: readonly number[], resamples: number, seed: number): number[] {
  const random = seededRandom(seed);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn++) sum += values[Math.floor(random() * values.length)]!;
    return sum / values.length;
  });
  return means.toSorted((a, b) => a - b);
}

function interval(values: readonly number[], means: readonly number[]): Interval {
  const sorted = means as number[];
  return { mean: mean([...values]), low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975) };
}

/**
 * Mean with its 95 % percentile interval, by bootstrap over questions (Silva et al., 4.2).
 * @throws RangeError when there are no values
 */
export function bootstrapMean(values: readonly number[], { resamples = RESAMPLES, seed = 1 } = {}): Interval {
  if (values.length === 0) throw new RangeError("There is nothing to resample.");
  return interval(values, resampledMeans(values, resamples, seed));
}

/**
 * Paired bootstrap of the difference of two systems on the same questions (Silva et al., 4.2): pairs are resampled together. p is twice
 * the share of resamples whose difference lacks the mean's sign (spec, ambiguity 9), with the observed sample counted in, because a p of 0
 * claims more than resampling can show (Davison and Hinkley 1997, 4.2); a difference of 0 has neither sign.
 * @param system score of each question, in the order of `baseline`
 * @throws RangeError when they are empty or of different length
 */
export function pairedBootstrap(
  system: readonly number[],
  baseline: readonly number[],
  { resamples = RESAMPLES, seed = 1 } = {},
): Comparison {
  if (system.length === 0 || system.length !== baseline.length)
    throw new RangeError(`${system.length} scores cannot be paired with ${baseline.length}.`);
  const differences = system.map((score, index) => score - baseline[index]!);
  const means = resampledMeans(differences, resamples, seed);
  const bounds = interval(differences, means);
  const opposed = means.filter((resampled) => (bounds.mean >= 0 ? resampled <= 0 : resampled >= 0));
  const p = Math.min(1, (2 * (opposed.length + 1)) / (resamples + 1));
  return { ...bounds, p, significant: p < SIGNIFICANCE, resamples, seed };
}
