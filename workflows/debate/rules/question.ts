import { normalForm } from "#workflow-kit/text";
import type { Choice, Question } from "../artifacts";

export const isOpen = ({ choices }: Question): boolean => choices.length === 0;

/** The search query for the evidence: the question and its choices. */
export const queryOf = ({ text, choices }: Question): string =>
  [text, ...choices.map((choice) => choice.text)].join("\n");

const folded = (text: string): string => normalForm(text, "NFKC").replace(/\s+/gu, " ").trim().toLowerCase();

/** Without surrounding punctuation and markup: `**(B).**` is `b`. A text of punctuation alone stays as it is. */
const bare = (text: string): string => folded(text).replace(/^[\p{P}\p{S}\s]+|[\p{P}\p{S}\s]+$/gu, "") || folded(text);

/** Whether two labels or texts of choices are indistinguishable in an answer. */
export const readAlike = (one: string, other: string): boolean => bare(one) === bare(other);

/**
 * The label of the choice that an answer names, in any language: by the label alone, the text of the choice, the label before a
 * mark ("B) …"), or the label after the last colon.
 * @returns null when the answer names no choice, or more than one
 */
export function parseChoice(answer: string, choices: readonly Choice[]): string | null {
  const only = (matches: (choice: Choice) => boolean) => {
    const found = choices.filter(matches);
    return found.length === 1 ? found[0]!.label : null;
  };
  const byLabel = (text: string) =>
    only(({ label }) => folded(label) === folded(text)) ?? only(({ label }) => readAlike(label, text));
  const exact =
    byLabel(answer) ??
    only(({ text }) => folded(text) === folded(answer)) ??
    only(({ text }) => readAlike(text, answer));
  if (exact !== null) return exact;
  const first = labelBefore(folded(answer), choices);
  const last = answer.includes(":") ? byLabel(answer.slice(answer.lastIndexOf(":") + 1)) : null;
  return first !== null && last !== null && first !== last ? null : (first ?? last);
}

/** The label at the start of "b) …", "(b) …" or "**b**: …"; not one that is a word of a sentence or the start of a number. */
function labelBefore(answer: string, choices: readonly Choice[]): string | null {
  const start = answer.replace(/^[^\p{L}\p{N}]+/u, "");
  const before = choices.filter(({ label }) => {
    const prefix = bare(label);
    return start.startsWith(prefix) && /^\s*(?:[\])}:*]|\.(?!\p{N})|[–—-](?=\s|$))/u.test(start.slice(prefix.length));
  });
  return before.toSorted((one, other) => other.label.length - one.label.length)[0]?.label ?? null;
}

/**
 * The answer that a judge or an agent gave: a choice's label, or the text that answers an open question.
 * @returns null when the question has choices and the answer names none of them
 */
export const parseResponse = (answer: string, question: Question): string | null =>
  isOpen(question) ? answer.trim() : parseChoice(answer, question.choices);
