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
export const escapeUntrusted = (text: string): string => text.replace(LOOK_ALIKE, "‹");

/** A text as material of a prompt: between tags that it cannot close. */
export const quoteUntrusted = (name: string, text: string): string =>
  `<material name="${name}">\n${escapeUntrusted(text)}\n</material>`;
