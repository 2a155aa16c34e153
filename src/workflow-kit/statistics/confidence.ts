import { quantile } from "simple-statistics";

/** One question, answered by the single agent and by the debate. */
export interface Confronted {
  /** Of the single agent: the vote share of its samples, or its stated confidence (spec, ambiguity 8). 0 to 1. */
  confidence: number;
  baseline_correct: boolean;
  debate_correct: boolean;
}

export interface Stratum {
  questions: number;
  /** Errors of the single agent. */
  errors: number;
  /** Share of these errors that the debate corrects; null: no errors. */
  corrected: number | null;
  /** Share of the single agent's correct answers that the debate gets wrong; null: no correct answers. */
  broken: number | null;
}

export interface Strata {
  /** Lower bound of the high stratum. */
  threshold: number;
  high: Stratum;
  low: Stratum;
}

/**
 * Whether a debate corrects errors where the single agent was confident, or elsewhere (Silva et al., H2).
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
  const share = (group: readonly Confronted[], has: (question: Confronted) => boolean) =>
    group.length === 0 ? null : group.filter(has).length / group.length;
  return {
    questions: questions.length,
    errors: wrong.length,
    corrected: share(wrong, ({ debate_correct }) => debate_correct),
    broken: share(right, ({ debate_correct }) => !debate_correct),
  };
}
