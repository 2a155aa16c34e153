/** What two names of ideas must share to be the same name: their letters and digits, whatever the case. */
export const nameKey = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim() || name;
