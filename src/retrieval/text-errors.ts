/** Control characters other than white space, and the replacement character for invalid bytes. */
const UNREADABLE = /[^\P{Cc}\t\n\v\f\r]|\ufffd/gu;
const UNREADABLE_SHARE = 0.02;

/** Why a text cannot be indexed, in a sentence; null when it can. */
export function textError(text: string): string | null {
  if (text.trim() === "") return "There is no text: blanks alone do not count.";
  if (text.includes("\0")) return "This is binary data, not text: it holds NUL characters.";
  if (!text.isWellFormed()) return "This is not well-formed Unicode: it holds half of a surrogate pair.";
  const unreadable = text.match(UNREADABLE)?.length ?? 0;
  if (unreadable > text.length * UNREADABLE_SHARE)
    return "This looks like binary data, or text in another encoding than UTF-8.";
  return null;
}
