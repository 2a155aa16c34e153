import { sum } from "simple-statistics";

/** One question, answered by the single agent and by the debate. */
export interface Confronted {
  /** Of the single agent: the vote share of its samples, or its stated confidence (spec, ambiguity 8). 0 to 1. */
  confidence: number;
  baseline_correct: boolean;
  debate_correct: boolean;
}

/** Counts may be fractions: where questions share the confidence at the cut, each belongs to the high stratum by a part of itself. */
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
 * @param threshold `upper_third` of all questions by confidence, or a confidence such as 0.8. Vote shares often tie at the cut: the tied
 *   questions then share the places that are left, as they would on average over random orders.
 * @throws RangeError when there are no questions
 */
export function confidenceStrata(
  questions: readonly Confronted[],
  threshold: "upper_third" | number = "upper_third",
): Strata {
  if (questions.length === 0) throw new RangeError("There is no question to sort.");
  const { from, ofTied } = threshold === "upper_third" ? upperThird(questions) : { from: threshold, ofTied: 1 };
  const inHigh = ({ confidence }: Confronted) => (confidence > from ? 1 : confidence === from ? ofTied : 0);
  return {
    threshold: from,
    high: stratum(questions, inHigh),
    low: stratum(questions, (question) => 1 - inHigh(question)),
  };
}

/** The confidence at which the upper third begins, and the part of each question with just that confidence that belongs to it. */
function upperThird(questions: readonly Confronted[]): { from: number; ofTied: number } {
  const places = Math.max(1, Math.round(questions.length / 3));
  const from = questions.map(({ confidence }) => confidence).toSorted((a, b) => b - a)[places - 1]!;
  const above = questions.filter(({ confidence }) => confidence > from).length;
  const tied = questions.filter(({ confidence }) => confidence === from).length;
  return { from, ofTied: (places - above) / tied };
}

/** @param part of a question that belongs to the stratum, 0 to 1 */
function stratum(questions: readonly Confronted[], part: (question: Confronted) => number): Stratum {
  const count = (belongs: (question: Confronted) => boolean) => sum(questions.filter(belongs).map(part));
  const share = (some: number, all: number) => (all === 0 ? null : some / all);
  const errors = count(({ baseline_correct }) => !baseline_correct);
  return {
    questions: count(() => true),
    errors,
    corrected: share(
      count((one) => !one.baseline_correct && one.debate_correct),
      errors,
    ),
    broken: share(
      count((one) => one.baseline_correct && !one.debate_correct),
      count((one) => one.baseline_correct),
    ),
  };
}
