/** Latin, Greek and Cyrillic letters without their diacritics; ligatures, ordinals and full-width forms as plain ones. */
export const foldMarks = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
