import { mean } from "simple-statistics";

/** One question's outcome. `answer` null: the run gave none, which counts as wrong. */
export interface Outcome {
  dataset: string;
  answer: string | null;
  gold: string;
}

export const isCorrect = ({ answer, gold }: Pick<Outcome, "answer" | "gold">): boolean =>
  answer !== null && answer.trim().toLowerCase() === gold.trim().toLowerCase();

export interface Accuracy {
  /** Share of all questions, 0 to 1. */
  overall: number;
  by_dataset: Record<string, number>;
  /** Mean of the data sets, each of the same weight. */
  macro: number;
}

/**
 * Share of questions whose final answer is the gold answer (Silva et al., 4.2), by data set and overall.
 * @throws RangeError when there are no outcomes
 */
export function accuracy(outcomes: readonly Outcome[]): Accuracy {
  if (outcomes.length === 0) throw new RangeError("There is no outcome to measure.");
  const share = (some: readonly Outcome[]) => mean(some.map((outcome) => Number(isCorrect(outcome))));
  const by_dataset = Object.fromEntries(
    [...Map.groupBy(outcomes, ({ dataset }) => dataset)].map(([dataset, some]) => [dataset, share(some)]),
  );
  return { overall: share(outcomes), by_dataset, macro: mean(Object.values(by_dataset)) };
}

/**
 * Score of an open answer, 0 to 1: points over the most there are. The rubric of LEXam (1, 0.5, 0) is points out of 1.
 * @throws RangeError when points lie outside of 0 to `most`
 */
export function rubricScore(points: number, most = 1): number {
  if (!(most > 0) || !(points >= 0 && points <= most)) throw new RangeError(`${points} of ${most} points is no score.`);
  return points / most;
}
