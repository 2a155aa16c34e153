/**
 * A letter with more marks than any language writes on one: the time of normalisation grows with the square of their number. Thirty are the
 * limit of Unicode's stream-safe text format (UAX #15).
 */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Leaves out marks that no language needs, so that the text is normalised in time that grows with its length. */
export const streamSafe = (text: string): string => text.replace(TOO_MANY_MARKS, "$1");

/** Removes diacritics of Latin, Greek and Cyrillic letters, and normalises ligatures, ordinals and full-width forms. */
export const foldMarks = (text: string): string =>
  streamSafe(text)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
