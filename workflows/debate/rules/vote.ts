import type { Vote } from "../artifacts";

/** Counts answers as votes; null is none of the choices. Of equals the one that was given first wins. */
export function tally(answers: readonly (string | null)[]): Vote {
  const valid = answers.filter((answer) => answer !== null);
  const votes = Object.fromEntries(
    [...Map.groupBy(valid, (answer) => answer)].map(([answer, all]) => [answer, all.length]),
  );
  const most = Math.max(0, ...Object.values(votes));
  const answer = valid.find((one) => votes[one] === most) ?? null;
  return {
    votes,
    invalid: answers.length - valid.length,
    answer,
    sample: answer === null ? null : answers.indexOf(answer) + 1,
  };
}
