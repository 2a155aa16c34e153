import type { Vote } from "../artifacts";

/** Counts answers as votes; null names no choice and does not count. On a tie the answer that came first wins. */
export function tally(answers: readonly (string | null)[]): Vote {
  const valid = answers.filter((answer) => answer !== null);
  const votes = Object.fromEntries(
    [...Map.groupBy(valid, (answer) => answer)].map(([answer, all]) => [answer, all.length]),
  );
  const most = Math.max(0, ...Object.values(votes));
  const answer = valid.find((candidate) => votes[candidate] === most) ?? null;
  return {
    votes,
    invalid: answers.length - valid.length,
    answer,
    sample: answer === null ? null : answers.indexOf(answer) + 1,
  };
}
