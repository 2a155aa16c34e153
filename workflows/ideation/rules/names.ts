/** A key that is equal for names of ideas with the same letters and digits, in any case. */
export const ideaNameKey = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim() || name;
