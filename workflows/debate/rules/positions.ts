import type { Brief, Framing, Position, Preference, Ranking, ShortAnswer, Choice } from "../artifacts";
import { parseChoice } from "./question";
import { shuffled } from "#workflow-kit/seeded-random";

const position = ({ label, text }: Choice, probability: number | null = null): Position => ({
  label,
  statement: text,
  rule: null,
  probability,
});

/** Positions of the choices that the request names by label or text; `requestErrors` has checked the names. */
export const givenPositions = (names: readonly string[], choices: readonly Choice[]): Position[] =>
  names.map((name) => position(choices.find(({ label }) => label === parseChoice(name, choices))!));

export const everyPosition = (choices: readonly Choice[]): Position[] => choices.map((choice) => position(choice));

/**
 * All choices, the most probable first, with probabilities normalised to a sum of 1; the rival comes second, because the next in probability often
 * says nearly the same as the first. Unranked choices come last, in the question's order.
 */
export function rankedPositions({ options, rival }: Ranking, choices: readonly Choice[]): Position[] {
  const probabilities = new Map(options.map(({ label, probability }) => [parseChoice(label, choices), probability]));
  const sum = choices.reduce((total, { label }) => total + (probabilities.get(label) ?? 0), 0) || 1;
  const [first, ...others] = choices
    .map((choice) => position(choice, (probabilities.get(choice.label) ?? 0) / sum))
    .toSorted((one, other) => other.probability! - one.probability!);
  const opponent = rival === null ? null : parseChoice(rival, choices);
  const isRival = ({ label }: Position) => label === opponent;
  return [first!, ...others.filter(isRival), ...others.filter((other) => !isRival(other))];
}

type Solved = Pick<ShortAnswer, "answer" | "runner_up" | "confidence">;

/**
 * All choices as solvers see them: first those that most solvers answer, then by probability. A choice's probability is the mean of the solvers'; each
 * gives its answer the confidence that it states, and the remainder to its runner-up.
 */
export function solvedPositions(answers: readonly Solved[], choices: readonly Choice[]): Position[] {
  const named = answers.map(({ answer, runner_up, confidence }) => ({
    answer: parseChoice(answer, choices),
    runner_up: parseChoice(runner_up, choices),
    confidence,
  }));
  const votesFor = (label: string) => named.filter(({ answer }) => answer === label).length;
  const probabilityOf = (label: string) =>
    named.reduce(
      (sum, { answer, runner_up, confidence }) =>
        sum + (answer === label ? confidence : runner_up === label ? 1 - confidence : 0),
      0,
    ) / named.length;
  return choices
    .map((choice) => position(choice, probabilityOf(choice.label)))
    .toSorted((one, other) => votesFor(other.label) - votesFor(one.label) || other.probability! - one.probability!);
}

/** Whether all solvers give one answer. */
export const agree = (answers: readonly Solved[], choices: readonly Choice[]): boolean =>
  new Set(answers.map(({ answer }) => parseChoice(answer, choices))).size === 1;

/** Each debater in turn takes the best of its preferences that is free, else any free choice. */
export function distinctPositions(preferences: readonly Preference[], choices: readonly Choice[]): Position[] {
  const taken: string[] = [];
  return preferences.map(({ labels }) => {
    const wanted = [...labels.map((label) => parseChoice(label, choices)), ...choices.map(({ label }) => label)];
    const label = wanted.find((candidate) => candidate !== null && !taken.includes(candidate))!;
    taken.push(label);
    return position(choices.find((choice) => choice.label === label)!);
  });
}

/** Theses with shuffled labels, so that a label does not tell which debater defends the thesis. */
export function framedPositions(
  framings: readonly (Pick<Framing, "thesis"> & { governing_rule: string | null })[],
  seed: number,
): Position[] {
  const labels = shuffled(
    framings.map((_, index) => `P${index + 1}`),
    seed,
  );
  return framings.map(({ thesis, governing_rule }, index) => ({
    label: labels[index]!,
    statement: thesis,
    rule: governing_rule,
    probability: null,
  }));
}

/** The position that more debaters hold than any other; null on a tie. */
export function pluralityOf(held: readonly string[]): string | null {
  const counts = [...Map.groupBy(held, (label) => label)].map(([label, all]) => [label, all.length] as const);
  const most = Math.max(...counts.map(([, count]) => count));
  const first = counts.filter(([, count]) => count === most);
  return first.length === 1 ? first[0]![0] : null;
}

/** The position that a debater holds after a brief: its own unless the brief may switch, and names an existing position. */
export function positionAfter(held: string, brief: Brief, positions: readonly Position[], may_switch: boolean): string {
  if (!may_switch || brief.switches_to === null) return held;
  const choices = positions.map(({ label, statement }) => ({ label, text: statement }));
  return parseChoice(brief.switches_to, choices) ?? held;
}
