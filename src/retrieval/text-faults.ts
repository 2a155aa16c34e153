/** Control characters that texts have no use for, and what a decoder puts for bytes that it does not understand. */
const UNREADABLE = /[^\P{Cc}\t\n\v\f\r]|\ufffd/gu;
const UNREADABLE_SHARE = 0.02;

/** Why this is no text to look in, in a sentence; null when it is one. */
export function textFault(text: string): string | null {
  if (text.trim() === "") return "There is no text: blanks alone do not count.";
  if (text.includes("\0")) return "This is binary data, not text: it holds NUL characters.";
  if (!text.isWellFormed()) return "This is not well-formed Unicode: it holds half of a surrogate pair.";
  const unreadable = text.match(UNREADABLE)?.length ?? 0;
  if (unreadable > text.length * UNREADABLE_SHARE)
    return "This looks like binary data, or text in another encoding than UTF-8.";
  return null;
}
