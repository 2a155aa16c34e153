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
  /** Share of the questions in the high stratum: with ties it can be far from a third. */
  high_share: number;
  high: Stratum;
  low: Stratum;
}

/**
 * Whether a debate corrects errors where the single agent was confident, or elsewhere (Silva et al., H2).
 * @param threshold a confidence such as 0.8, or `upper_third`: the bound between two confidences that leaves nearest to a third of the questions
 * above it. Questions of equal confidence stay together.
 * @throws RangeError when there are no questions, or all have the same confidence and none divides them
 */
export function confidenceStrata(
  questions: readonly Confronted[],
  threshold: "upper_third" | number = "upper_third",
): Strata {
  if (questions.length === 0) throw new RangeError("There is no question to sort.");
  const from = threshold === "upper_third" ? upperThird(questions.map(({ confidence }) => confidence)) : threshold;
  const high = questions.filter(({ confidence }) => confidence >= from);
  return {
    threshold: from,
    high_share: high.length / questions.length,
    high: stratum(high),
    low: stratum(questions.filter(({ confidence }) => confidence < from)),
  };
}

/** The least confidence is no bound: nothing would lie below it. On equal distances the higher bound wins. */
function upperThird(confidences: readonly number[]): number {
  const bounds = [...new Set(confidences)].toSorted((one, other) => other - one).slice(0, -1);
  if (bounds.length === 0) throw new RangeError("All questions have the same confidence: give a threshold.");
  const distance = (bound: number) =>
    Math.abs(confidences.filter((confidence) => confidence >= bound).length / confidences.length - 1 / 3);
  return bounds.reduce((best, bound) => (distance(bound) < distance(best) ? bound : best));
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
