import { quoted } from "#workflow-kit/text";
import type { CompareAnswersInput } from "../inputs/judging";

/** @param outcome `by_length`: more words score higher; `first`, `second`: that answer wins */
export function mockComparison({ request, first, second }: CompareAnswersInput, outcome: string) {
  const [one, other] = [first, second].map(wordsIn);
  const scores = { first: [8, 5], second: [5, 8] }[outcome] ?? [scoreOf(one!), scoreOf(other!)];
  return {
    evidence: `Asked was "${quoted(request, 120)}". Answer 1 takes ${one} words, answer 2 takes ${other}; the mock model counts words and judges nothing.`,
    score_1: scores[0]!,
    score_2: scores[1]!,
  };
}

const wordsIn = (text: string): number => text.split(/\s+/u).filter(Boolean).length;

/** 1 for no words, 10 for five hundred and more. */
const scoreOf = (words: number): number => Math.min(10, 1 + Math.floor((words / 500) * 9));
