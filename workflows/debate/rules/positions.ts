import type { Brief, Framing, Position, Preference, Ranking, Choice } from "../artifacts";
import { parseChoice } from "./question";
import { shuffled } from "#workflow-kit/seeded-random";

const position = ({ label, text }: Choice, probability: number | null = null): Position => ({
  label,
  statement: text,
  rule: null,
  probability,
});

/** Positions of the choices that the request names by label or text; `requestFaults` has checked the names. */
export const givenPositions = (names: readonly string[], choices: readonly Choice[]): Position[] =>
  names.map((name) => position(choices.find(({ label }) => label === parseChoice(name, choices))!));

export const everyPosition = (choices: readonly Choice[]): Position[] => choices.map((choice) => position(choice));

/** The most probable choices, with probabilities normalised to a sum of 1. Unranked choices come last, in the question's order. */
export function rankedPositions({ options }: Ranking, choices: readonly Choice[], count: number): Position[] {
  const probabilities = new Map(options.map(({ label, probability }) => [parseChoice(label, choices), probability]));
  const sum = choices.reduce((total, { label }) => total + (probabilities.get(label) ?? 0), 0) || 1;
  return choices
    .map((choice) => position(choice, (probabilities.get(choice.label) ?? 0) / sum))
    .toSorted((one, other) => other.probability! - one.probability!)
    .slice(0, count);
}

/** What a ranking notes about each choice, for a judge who may choose one that nobody defends. */
export const remarksOf = ({ options }: Ranking, choices: readonly Choice[]): { label: string; reason: string }[] =>
  options.flatMap(({ label: said, reason }) => {
    const label = parseChoice(said, choices);
    return label === null || reason.trim() === "" ? [] : [{ label, reason }];
  });

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
