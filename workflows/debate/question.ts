/** What is to be decided: a question, with choices or open. */
export interface Choice {
  label: string;
  text: string;
}

export interface Question {
  text: string;
  /** Empty: the question is open. */
  choices: readonly Choice[];
  jurisdiction: string | null;
  language: string | null;
}

export const isOpen = ({ choices }: Question): boolean => choices.length === 0;

/** What is looked for in the evidence: the question, and what may be answered. */
export const queryOf = ({ text, choices }: Question): string =>
  [text, ...choices.map((choice) => choice.text)].join("\n");

const folded = (text: string): string => text.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();
/** Punctuation and markup around an answer: `**(B).**`. */
const bare = (text: string): string => folded(text).replace(/^[\p{P}\p{S}\s]+|[\p{P}\p{S}\s]+$/gu, "");

/**
 * The label of the choice that an answer names, in whatever language it was given: the label alone, the label before a mark
 * ("B) …"), the label after the last colon, or the text of the choice. One parser for debates and baselines.
 * @returns null when it names none of them
 */
export function readAnswer(answer: string, choices: readonly Choice[]): string | null {
  const text = folded(answer);
  const whole = bare(answer);
  const by = (matches: (choice: Choice) => boolean) => choices.find(matches)?.label ?? null;
  const alone = (candidate: string) => by(({ label }) => bare(label) === candidate);
  return (
    alone(whole) ??
    by((choice) => bare(choice.text) === whole) ??
    by(({ label }) => startsWithLabel(text, bare(label))) ??
    alone(bare(text.slice(text.lastIndexOf(":") + 1)))
  );
}

/** "b) …", "(b) …", "**b**: …"; a label is not a word of a sentence. */
function startsWithLabel(text: string, label: string): boolean {
  const start = text.replace(/^[^\p{L}\p{N}]+/u, "");
  return start.startsWith(label) && /^\s*[\])}:.*–—-]/u.test(start.slice(label.length));
}
