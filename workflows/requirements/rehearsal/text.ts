/** "a member", "an administrator". */
export const withArticle = (noun: string): string => `${/^[aeio]|^u(?!se|ni)/iu.test(noun) ? "an" : "a"} ${noun}`;

/** Significant words of a name, truncated so that "book" and "books", "reserve" and "reservation" are equal. */
export const significantWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [])
    .filter((word) => !WEAK.has(word))
    .map((word) => word.slice(0, 5));

const WEAK = new Set(
  "with from that this their them into over when then have been shall must will does request user system record".split(
    " ",
  ),
);

export const shareWords = (text: string, other: string): boolean => {
  const words = significantWords(text);
  return significantWords(other).some((word) => words.includes(word));
};
