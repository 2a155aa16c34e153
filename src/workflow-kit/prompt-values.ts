import { escapeUntrusted as escapeTags } from "#llm/escape-untrusted";

/** Characters that a reader does not see, blanks among them. */
const UNSEEN = String.raw`[\s\p{Default_Ignorable_Code_Point}]*`;
/** Full-width letters of `material`, beside the plain ones. */
const LETTERS = [..."material"].map((letter) => `[${letter}${String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)}]`);
/** What a model may take for the tag `<material>` or its end: with blanks, unseen characters or full-width forms. */
const LOOK_ALIKE = new RegExp(`[<＜﹤](?=${UNSEEN}(?:[/／]${UNSEEN})?${LETTERS.join(UNSEEN)})`, "giu");

/**
 * Escapes a text for use inside `<material>` of a prompt, so that it can neither close the tag nor open another. Applied to all text
 * from callers, people and models.
 */
export const escapeUntrusted = (text: string): string => escapeTags(text.replace(LOOK_ALIKE, "‹"));

/** `escapeUntrusted` for one line of a list. */
export const line = (text: string): string => escapeUntrusted(text).replace(/\s+/gu, " ").trim();

/** A sentence for each blank text; strict schemas cannot forbid these. */
export const blanks = (texts: readonly (readonly [where: string, text: string])[]): string[] =>
  texts.filter(([, text]) => text.trim() === "").map(([where]) => `${where} is empty.`);

/** A sentence for each id or name that occurs more than once. */
export function repeated(what: string, names: readonly string[]): string[] {
  const seen = new Set<string>();
  const again = names.filter((name) => seen.size === seen.add(name).size);
  return [...new Set(again)].map((name) => `The ${what} "${name}" stands more than once.`);
}
