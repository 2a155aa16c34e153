import { occurrences } from "./terms";

/** Length of a snippet in words. */
const LENGTH = 30;

/**
 * Offsets of the part of a text with the most distinct words of a query; its beginning when it contains none.
 * @param wanted terms of the query
 * @param language of the text
 */
export function snippetOf(
  text: string,
  wanted: ReadonlySet<string>,
  language: string | null,
): { start: number; end: number } {
  const words = [...occurrences(text, language)];
  if (words.length === 0) return { start: 0, end: text.length };
  let best = { at: 0, count: -1 };
  for (let at = 0; at === 0 || at + LENGTH <= words.length; at++) {
    const matches = words.slice(at, at + LENGTH).filter(({ term }) => wanted.has(term));
    const count = new Set(matches.map(({ term }) => term)).size;
    if (count > best.count) best = { at, count };
  }
  const snippet = words.slice(best.at, best.at + LENGTH);
  const start = best.at === 0 ? 0 : snippet[0]!.start;
  const end = best.at + LENGTH >= words.length ? text.length : snippet.at(-1)!.end;
  return { start, end };
}
