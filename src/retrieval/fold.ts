import { normalForm } from "#core/normal-form";

/** Removes diacritics of Latin, Greek and Cyrillic letters, and normalises ligatures, ordinals and full-width forms. */
export const foldMarks = (text: string): string =>
  normalForm(text, "NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
