import { quantile } from "simple-statistics";

/** One question, answered by the single agent and by the debate. */
export interface Confronted {
  /** The single agent's: vote share of its samples, or what it states (spec, ambiguity 8). 0 to 1. */
  confidence: number;
  baseline_correct: boolean;
  debate_correct: boolean;
}

export interface Stratum {
  questions: number;
  /** Errors of the single agent. */
  errors: number;
  /** Share of these that the debate puts right; null: there are none. */
  corrected: number | null;
  /** Share of what the single agent had right that the debate gets wrong; null: it had nothing right. */
  broken: number | null;
}

export interface Strata {
  /** From this confidence on, a question is in the high stratum. */
  threshold: number;
  high: Stratum;
  low: Stratum;
}

/**
 * Where a debate corrects errors (Silva et al., H2): among questions of which the single agent was sure, or among the others.
 * @param threshold `upper_third` of all confidences, or a confidence such as 0.8
 * @throws RangeError when there are no questions
 */
export function confidenceStrata(
  questions: readonly Confronted[],
  threshold: "upper_third" | number = "upper_third",
): Strata {
  if (questions.length === 0) throw new RangeError("There is no question to sort.");
  const from =
    threshold === "upper_third"
      ? quantile(
          questions.map(({ confidence }) => confidence),
          2 / 3,
        )
      : threshold;
  return {
    threshold: from,
    high: stratum(questions.filter(({ confidence }) => confidence >= from)),
    low: stratum(questions.filter(({ confidence }) => confidence < from)),
  };
}

function stratum(questions: readonly Confronted[]): Stratum {
  const wrong = questions.filter(({ baseline_correct }) => !baseline_correct);
  const right = questions.filter(({ baseline_correct }) => baseline_correct);
  const share = (some: readonly Confronted[], of: (one: Confronted) => boolean) =>
    some.length === 0 ? null : some.filter(of).length / some.length;
  return {
    questions: questions.length,
    errors: wrong.length,
    corrected: share(wrong, ({ debate_correct }) => debate_correct),
    broken: share(right, ({ debate_correct }) => !debate_correct),
  };
}
