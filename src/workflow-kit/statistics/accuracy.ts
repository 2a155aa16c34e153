import { mean } from "simple-statistics";

/** The outcome of one question. `answer` null: the run gave none, which counts as wrong. */
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
  /** Mean over the data sets, unweighted. */
  macro: number;
}

/**
 * Share of questions whose final answer is the gold answer (Silva et al., 4.2), by data set and overall.
 * @throws RangeError when there are no outcomes
 */
export function accuracy(outcomes: readonly Outcome[]): Accuracy {
  if (outcomes.length === 0) throw new RangeError("There is no outcome to measure.");
  const share = (group: readonly Outcome[]) => mean(group.map((outcome) => Number(isCorrect(outcome))));
  const by_dataset = Object.fromEntries(
    [...Map.groupBy(outcomes, ({ dataset }) => dataset)].map(([dataset, group]) => [dataset, share(group)]),
  );
  return { overall: share(outcomes), by_dataset, macro: mean(Object.values(by_dataset)) };
}

/**
 * Score of an open answer, 0 to 1: points divided by the maximum `most`. The rubric of LEXam (1, 0.5, 0) has a maximum of 1.
 * @throws RangeError when points are outside 0 to `most`
 */
export function rubricScore(points: number, most = 1): number {
  if (!(most > 0) || !(points >= 0 && points <= most)) throw new RangeError(`${points} of ${most} points is no score.`);
  return points / most;
}
