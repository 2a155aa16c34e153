import { mean } from "simple-statistics";
import { cohenKappa, fleissKappa } from "../statistics/agreement";
import { krippendorffAlpha } from "../statistics/krippendorff";
import type { Form } from "./options";

/** Agreement of raters beyond chance on one dimension. */
export interface RatingAgreement {
  form: Form;
  dimension: string;
  /** Raters who gave a rating. */
  raters: number;
  /** Subjects that two raters or more have rated. */
  items: number;
  /** null: it cannot be computed. */
  cohen: number | null;
  fleiss: number | null;
  krippendorff: number | null;
}

type Ratings = readonly (readonly (number | null)[])[];

/** All values that a rating of the form can have. */
const SCALES: Record<Form, readonly number[]> = { pairs: [0, 0.5, 1], likert: [1, 2, 3, 4, 5], binary: [0, 1] };

/**
 * Cohen's kappa as the mean of all pairs of raters, each over what both rated, with linear weights on a scale; Fleiss' kappa over the subjects
 * that have as many ratings as were asked for; Krippendorff's alpha over all.
 * @param ratings `ratings[rater][subject]`; null: not rated
 * @param each how many raters were asked about a subject
 */
export function agreementOn(form: Form, dimension: string, ratings: Ratings, each: number): RatingAgreement {
  const bySubject = (ratings[0] ?? []).map((_, subject) =>
    ratings.flatMap((of) => (of[subject] === null || of[subject] === undefined ? [] : [of[subject]])),
  );
  const shared = bySubject.filter(({ length }) => length > 1);
  return {
    form,
    dimension,
    raters: ratings.filter((of) => of.some((rating) => rating !== null)).length,
    items: shared.length,
    cohen: cohenOf(form, ratings),
    fleiss: fleissOf(bySubject, each),
    krippendorff:
      shared.length === 0 ? null : krippendorffAlpha(ratings, { level: form === "likert" ? "ordinal" : "nominal" }),
  };
}

/** A kappa of one common subject says nothing, so that a pair of raters needs two. */
function cohenOf(form: Form, ratings: Ratings): number | null {
  const options = { weights: form === "likert" ? "linear" : "none", scale: SCALES[form] } as const;
  const kappas = ratings.flatMap((first, index) =>
    ratings.slice(index + 1).flatMap((second) => {
      const both = first.flatMap((rating, subject) => {
        const other = second[subject] ?? null;
        return rating === null || other === null ? [] : [[rating, other] as const];
      });
      if (both.length < 2) return [];
      return cohenKappa(
        both.map(([rating]) => rating),
        both.map(([, other]) => other),
        options,
      );
    }),
  );
  return kappas.length === 0 ? null : mean(kappas);
}

/** Fleiss' raters may be others for each subject; their number is the same. */
function fleissOf(bySubject: readonly (readonly number[])[], each: number): number | null {
  const whole = bySubject.filter(({ length }) => length === each);
  if (each < 2 || whole.length === 0) return null;
  return fleissKappa(Array.from({ length: each }, (_, rater) => whole.map((of) => of[rater]!)));
}
