import type { Framing, Position, Preference, Ranking, Choice } from "../artifacts";
import { readAnswer } from "./question";
import { shuffled } from "#workflow-kit/seeded-random";

const position = ({ label, text }: Choice, probability: number | null = null): Position => ({
  label,
  statement: text,
  rule: null,
  probability,
});

/** Positions of choices that somebody named, by label or by text. The request was checked: each is a choice. */
export const givenPositions = (names: readonly string[], choices: readonly Choice[]): Position[] =>
  names.map((name) => position(choices.find(({ label }) => label === readAnswer(name, choices))!));

export const everyPosition = (choices: readonly Choice[]): Position[] => choices.map((choice) => position(choice));

/** The most probable choices; probabilities are made to add up to one. What was not ranked comes last, in the order of the question. */
export function rankedPositions({ options }: Ranking, choices: readonly Choice[], count: number): Position[] {
  const said = new Map(options.map(({ label, probability }) => [readAnswer(label, choices), probability]));
  const sum = choices.reduce((total, { label }) => total + (said.get(label) ?? 0), 0) || 1;
  return choices
    .map((choice) => position(choice, (said.get(choice.label) ?? 0) / sum))
    .toSorted((one, other) => other.probability! - one.probability!)
    .slice(0, count);
}

/** Each takes the best of its preferences that nobody before it has taken, at last any that is left. */
export function distinctPositions(preferences: readonly Preference[], choices: readonly Choice[]): Position[] {
  const taken: string[] = [];
  return preferences.map(({ labels }) => {
    const wanted = [...labels.map((label) => readAnswer(label, choices)), ...choices.map(({ label }) => label)];
    const label = wanted.find((one) => one !== null && !taken.includes(one))!;
    taken.push(label);
    return position(choices.find((choice) => choice.label === label)!);
  });
}

/** Theses under labels whose order says nothing of who defends which. */
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

/** The position that more debaters hold than any other; null when there is none such. */
export function pluralityOf(held: readonly string[]): string | null {
  const counts = [...Map.groupBy(held, (label) => label)].map(([label, all]) => [label, all.length] as const);
  const most = Math.max(...counts.map(([, count]) => count));
  const first = counts.filter(([, count]) => count === most);
  return first.length === 1 ? first[0]![0] : null;
}
