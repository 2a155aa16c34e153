import { mean } from "simple-statistics";
import type { Scores } from "./trials";

/** Scores that a judge gave in one order of the answers, as it saw them. */
export interface OrderedScores {
  /** Whether the answer under test stood first. */
  first: boolean;
  score_1: number;
  score_2: number;
}

/** Sums of means are equal to this much. */
const EQUAL = 1e-9;

/**
 * FairEval: the mean of all scores of each answer, over both orders; the higher wins, equal ones tie (Wang et al. 2023, 3.2). Orders count alike
 * when some of their samples have failed.
 * @returns null when an order has no scores
 */
export function fairEval(samples: readonly OrderedScores[]): Scores | null {
  const orders = [true, false].map((first) => samples.filter((sample) => sample.first === first));
  if (orders.some(({ length }) => length === 0)) return null;
  const averaged = (score: (sample: OrderedScores) => number) => mean(orders.map((of) => mean(of.map(score))));
  const own = averaged(({ first, score_1, score_2 }) => (first ? score_1 : score_2));
  const other = averaged(({ first, score_1, score_2 }) => (first ? score_2 : score_1));
  const score_difference = own - other;
  return { win: winOf(score_difference), score_difference };
}

/** 1 for a win, 0.5 for a tie, 0 for a loss. */
export const winOf = (difference: number): number => (Math.abs(difference) < EQUAL ? 0.5 : Number(difference > 0));
