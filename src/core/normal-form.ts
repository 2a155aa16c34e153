/**
 * A letter with more marks than any language writes on one. Thirty are the limit of Unicode's stream-safe text format (UAX #15): the time of
 * normalisation grows with the square of their number.
 */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/** A text in a normal form of Unicode, in time that grows with its length: marks that no language needs are left out. */
export const normalForm = (text: string, form: "NFKC" | "NFKD"): string =>
  text.replace(TOO_MANY_MARKS, "$1").normalize(form);
