import { mean } from "simple-statistics";
import type { JudgedScores } from "../judgements";
import { measureName, type MetricDescription } from "../metrics/metric";
import { agreementOn, type RatingAgreement } from "./agreement";
import type { Form } from "./options";
import type { Subject } from "./plan";

/** One rating of one person. */
export interface Rating {
  /** Index of the rater. */
  rater: number;
  /** Index of the subject. */
  subject: number;
  dimension: string;
  /** Of pairs 1 (the variant is better than the one that it is compared with), 0.5 or 0; of scales 1 to 5; else 1 or 0. */
  value: number;
}

/** All that raters said: the content of the artifact `ratings`. */
export interface Ratings {
  form: Form;
  question: string;
  dimensions: readonly string[];
  raters: readonly string[];
  /** How many raters were asked about each subject. */
  each: number;
  subjects: readonly Subject[];
  ratings: readonly Rating[];
  comments: readonly { rater: number; page: number; comment: string }[];
  pages: { asked: number; answered: number; expired: number };
}

/** Ratings as a metric. Its trials are drawn, and those that failed are not shown to raters. */
export const ratingMetric = (form: Form): MetricDescription => ({
  name: "rating",
  version: 1,
  summary: "What people said of the answers, without knowing whose they are.",
  range: form === "likert" ? [1, 5] : [0, 1],
  higher_is_better: true,
  sampled: true,
  workflows: null,
  needs: [],
});

/**
 * Ratings as scores of trials: the mean over raters, and of citations over those of the trial. The variant that others are compared with ties
 * with itself.
 */
export function ratedScores({ subjects, ratings }: Ratings): JudgedScores[] {
  const keyOf = ({ subject, dimension }: Rating) => {
    const { variant, item, repetition } = subjects[subject]!;
    return JSON.stringify([variant, item, repetition, dimension]);
  };
  return [...Map.groupBy(ratings, keyOf).values()].flatMap((of) => {
    const { subject, dimension } = of[0]!;
    const { variant, against, item, repetition } = subjects[subject]!;
    const scored = (whose: string, value: number) => ({
      variant: whose,
      item,
      repetition,
      scores: { [measureName("rating", dimension)]: value },
    });
    // Each citation counts once, however many people rated it.
    const means = [...Map.groupBy(of, (one) => one.subject).values()].map((same) =>
      mean(same.map(({ value }) => value)),
    );
    return [scored(variant, mean(means)), ...(against === null ? [] : [scored(against, 0.5)])];
  });
}

export const agreementOf = ({ form, dimensions, raters, each, subjects, ratings }: Ratings): RatingAgreement[] =>
  dimensions.map((dimension) => {
    const table = raters.map(() => subjects.map((): number | null => null));
    for (const rating of ratings)
      if (rating.dimension === dimension) table[rating.rater]![rating.subject] = rating.value;
    return agreementOn(form, dimension, table, each);
  });
