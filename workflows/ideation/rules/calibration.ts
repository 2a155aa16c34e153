import { cosine } from "#workflow-kit/vectors";
import type { Measure } from "../artifacts";
import { THRESHOLDS } from "./similarity";

/**
 * Thresholds of encoders that need no calibration: the paper's, all-MiniLM-L6-v2 (Ueda et al., 4.1), and the stand-in of test mode, which counts
 * words.
 */
const KNOWN = [/all-minilm-l6-v2/iu, /^mock$/u];

/** The threshold of an encoder that is known; null: it must be calibrated. */
export const knownThreshold = (model: string): number | null =>
  KNOWN.some((name) => name.test(model)) ? THRESHOLDS.embedding : null;

/** Standard deviations above the mean similarity of different ideas from which on two ideas are one. */
const DEVIATIONS = 2;
const LOWEST = 0.5;
const HIGHEST = 0.98;

/**
 * The threshold of an encoder, from the similarities that it gives to different ideas on one topic: encoders differ in these by far (a median of
 * 0.82 with one that we measured), so that one threshold for all would drop most ideas or none.
 * @param vectors of `CALIBRATION_TEXTS`, of unit length
 */
export function calibratedThreshold(vectors: readonly Float32Array[]): number {
  const similarities = vectors.flatMap((one, at) =>
    vectors
      .slice(0, at)
      .filter((_, other) => Math.floor(at / 2) !== Math.floor(other / 2))
      .map((other) => cosine(one, other)),
  );
  const mean = similarities.reduce((sum, value) => sum + value, 0) / similarities.length;
  const variance = similarities.reduce((sum, value) => sum + (value - mean) ** 2, 0) / similarities.length;
  const threshold = mean + DEVIATIONS * Math.sqrt(variance);
  return Math.round(Math.min(Math.max(threshold, LOWEST), HIGHEST) * 100) / 100;
}

/** Fewest ideas of which a small share of kept ones says something. */
const MIN_IDEAS = 6;
/** A smaller share of kept ideas speaks against the threshold. */
const MIN_SHARE = 0.5;

/** A note when the measure alone has dropped most ideas. */
export function collapseNotes({ model, threshold }: Measure, ideas: number, similar: number): string[] {
  if (ideas < MIN_IDEAS || (ideas - similar) / ideas >= MIN_SHARE) return [];
  return [
    `Of ${ideas} ideas, ${similar} were dropped because \`${model}\` gives them a similarity above ${threshold} to an earlier one. If they are no duplicates, set \`dedup_threshold\` higher.`,
  ];
}
