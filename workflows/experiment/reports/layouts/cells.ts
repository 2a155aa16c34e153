import type { Analysis, AnalysisInput, MeasureResult } from "../../rules/analysis-types";
import { itemScores } from "../../rules/item-scores";

export const code = (name: string): string => `\`${name}\``;

/** A share in per cent, one decimal, as the papers print it; empty: there is none. */
export const percent = (share: number | null | undefined): string =>
  share === null || share === undefined ? "" : (100 * share).toFixed(1);

export const decimals = (value: number | null | undefined): string =>
  value === null || value === undefined ? "" : value.toFixed(2);

/** The result of a variant by a measure. */
export const resultOf = (
  { results }: Pick<Analysis, "results">,
  variant: string,
  measure: string,
): MeasureResult | null => results.find((one) => one.variant === variant && one.measure === measure) ?? null;

/** Scores of a variant by item. @returns null when the measure was not computed for it */
export function scoresOf(input: AnalysisInput, variant: string, measure: string): ReadonlyMap<string, number> | null {
  const known = input.measures.find(({ name }) => name === measure);
  return (known && itemScores(input, variant, known)?.means) ?? null;
}
