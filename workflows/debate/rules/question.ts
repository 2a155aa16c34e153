import type { Choice, Question } from "../artifacts";

export const isOpen = ({ choices }: Question): boolean => choices.length === 0;

/** What is looked for in the evidence: the question, and what may be answered. */
export const queryOf = ({ text, choices }: Question): string =>
  [text, ...choices.map((choice) => choice.text)].join("\n");

const folded = (text: string): string => text.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();

/** Without punctuation and markup around it: `**(B).**` is `b`. What is nothing but signs stays as it is. */
const bare = (text: string): string => folded(text).replace(/^[\p{P}\p{S}\s]+|[\p{P}\p{S}\s]+$/gu, "") || folded(text);

/** Whether two labels, or texts, of choices could not be told apart in an answer. */
export const readAlike = (one: string, other: string): boolean => bare(one) === bare(other);

/**
 * The label of the choice that an answer names, in whatever language it was given: the label alone, the text of the choice, the label
 * before a mark ("B) …"), or the label after the last colon. One parser for debates and baselines.
 * @returns null when it names none of them, or more than one
 */
export function readAnswer(answer: string, choices: readonly Choice[]): string | null {
  const only = (matches: (choice: Choice) => boolean) => {
    const found = choices.filter(matches);
    return found.length === 1 ? found[0]!.label : null;
  };
  const named = (said: string) =>
    only(({ label }) => folded(label) === folded(said)) ?? only(({ label }) => readAlike(label, said));
  const told =
    named(answer) ?? only(({ text }) => folded(text) === folded(answer)) ?? only(({ text }) => readAlike(text, answer));
  if (told !== null) return told;
  const first = labelBefore(folded(answer), choices);
  const last = answer.includes(":") ? named(answer.slice(answer.lastIndexOf(":") + 1)) : null;
  return first !== null && last !== null && first !== last ? null : (first ?? last);
}

/** "b) …", "(b) …", "**b**: …"; a label is not a word of a sentence, nor the beginning of a number. */
function labelBefore(answer: string, choices: readonly Choice[]): string | null {
  const start = answer.replace(/^[^\p{L}\p{N}]+/u, "");
  const before = choices.filter(({ label }) => {
    const said = bare(label);
    return start.startsWith(said) && /^\s*(?:[\])}:*]|\.(?!\p{N})|[–—-](?=\s|$))/u.test(start.slice(said.length));
  });
  return before.toSorted((one, other) => other.label.length - one.label.length)[0]?.label ?? null;
}
