import { inline } from "#workflow-kit/markdown";
import type { RatingAgreement } from "../rules/rating/agreement";
import type { Agreement, ReportContext } from "./about";

/** A row of the report's table for each coefficient. */
export const agreementRows = (agreement: readonly RatingAgreement[]): Agreement[] =>
  agreement.flatMap(({ form, dimension, raters, items, cohen, fleiss, krippendorff }) => {
    const weights = form === "likert" ? ", linear weights" : "";
    const level = form === "likert" ? "ordinal" : "nominal";
    const rated = { of: `rating.${dimension}`, raters, items };
    return [
      { ...rated, coefficient: `Cohen's kappa, mean of pairs${weights}`, value: cohen },
      { ...rated, coefficient: "Fleiss' kappa", value: fleiss },
      { ...rated, coefficient: `Krippendorff's alpha, ${level}`, value: krippendorff },
    ];
  });

/** The people who were asked, and how many answered; null: nobody was asked. */
export function ratersText({ ratings }: ReportContext): string | null {
  if (!ratings) return null;
  const { question, raters, each, subjects, pages, ratings: given } = ratings;
  const asked = `"${inline(question)}": ${raters.length} raters, ${subjects.length} drawn at random, ${each} raters each; ${given.length} ratings.`;
  const missing =
    pages.expired > 0
      ? ` ${pages.expired} of ${pages.asked} pages were not answered in time; the numbers are without them.`
      : "";
  return `${asked}${missing} Raters saw neither names of variants nor of models, in an order of their own.`;
}
