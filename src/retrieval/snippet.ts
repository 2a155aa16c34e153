import { occurrences, queryTerms, type TextLocale } from "./terms";

/** Words of a snippet. */
const LENGTH = 30;

/** The stretch of a text where most different words of a query stand, as offsets into it; its beginning when there are none. */
export function snippetOf(text: string, query: string, tongue: TextLocale): { start: number; end: number } {
  const wanted = new Set(queryTerms(query, [tongue]));
  const words = [...occurrences(text, tongue.language)];
  if (words.length === 0) return { start: 0, end: text.length };
  let best = { at: 0, count: -1 };
  for (let at = 0; at === 0 || at + LENGTH <= words.length; at++) {
    const stretch = words.slice(at, at + LENGTH).filter(({ term }) => wanted.has(term));
    const count = new Set(stretch.map(({ term }) => term)).size;
    if (count > best.count) best = { at, count };
  }
  const stretch = words.slice(best.at, best.at + LENGTH);
  const start = best.at === 0 ? 0 : stretch[0]!.start;
  const end = best.at + LENGTH >= words.length ? text.length : stretch.at(-1)!.end;
  return { start, end };
}
