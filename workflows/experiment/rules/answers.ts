/** Most characters of an answer in tables. */
const LONGEST = 300;

/** A trial's answer in short: the field `answer` of its output, as text; null: its workflow gives none. */
export function shortAnswer(output: unknown): string | null {
  const { answer = null } = (output ?? {}) as { answer?: unknown };
  if (answer === null) return null;
  const text = (typeof answer === "string" ? answer : JSON.stringify(answer)).trim().replace(/\s+/gu, " ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The confidence that an output states; null: none. */
export function statedConfidence(output: unknown): number | null {
  const { confidence = null } = (output ?? {}) as { confidence?: unknown };
  return typeof confidence === "number" ? confidence : null;
}

/** The answers that an output has after each round of a debate; null: none. */
export function answersByRound(output: unknown): readonly (string | null)[] | null {
  const { answers_by_round = null } = (output ?? {}) as { answers_by_round?: readonly (string | null)[] | null };
  return answers_by_round;
}
