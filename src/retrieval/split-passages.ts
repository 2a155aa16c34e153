import { split } from "llm-splitter";
import { UNSPACED } from "./terms";

/** A verbatim slice of a document. Offsets count UTF-16 code units. */
export interface Slice {
  start: number;
  end: number;
  /** What the slice stands under: titles of Markdown, and the beginning of its article. */
  heading: string;
}

/** Words; a letter counts as one in scripts without blanks. */
const LONGEST_PASSAGE = 250;

const PIECE = new RegExp(String.raw`[${UNSPACED}]\p{M}*\s*|[^\s${UNSPACED}]{1,40}\s*`, "gu");
const SENTENCES = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** Where a part of a text begins that should be found by itself: a title of Markdown, an article or section of a statute. */
const TITLE = /^\ufeff?(#{1,6})[ \t]+(\S.*)$/;
const ARTICLE =
  /^\s*(?:\*\*)?((?:art(?:igo|icle|\.)?|sec(?:tion|\.))[ \t]*\d+(?:[.-]\d+)*(?:[ºª°o](?!\p{L}))?(?:-[A-Z](?!\p{L}))?)/iu;

/** How much of an article's first line stands above passages that do not begin with it. Code units. */
const LONGEST_OPENING = 200;

interface Part {
  start: number;
  end: number;
  titles: string[];
  /** The article that begins it: its number, and how its first line goes on. */
  article: { number: string; opening: string } | null;
}

/**
 * Splits a text into passages: a new one at each title and article, and within those at lines, then sentences, then words.
 * @param longest words of a passage at most
 */
export function splitIntoPassages(text: string, longest = LONGEST_PASSAGE): Slice[] {
  return partsOf(text).flatMap((part) => pack(text, part, longest));
}

const LINE = /[^\n\r\u2028\u2029]*(?:\r\n|[\n\r\u2028\u2029]|$)/g;

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  const titles: string[] = [];
  let article: Part["article"] = null;
  let bare = true; // so far nothing but titles
  let start = 0;
  const close = (end: number) => {
    if (end > start && !bare) {
      parts.push({ start, end, titles: titles.filter(Boolean), article });
      start = end;
      bare = true;
    }
  };
  for (const match of text.matchAll(LINE)) {
    const line = match[0];
    if (line === "") continue;
    const title = TITLE.exec(line.trimEnd());
    const begins = title ? null : ARTICLE.exec(line);
    if (title || begins) close(match.index);
    if (title) {
      const depth = title[1]!.length;
      titles.length = Math.min(titles.length, depth - 1);
      titles[depth - 1] = title[2]!.slice(0, 200);
      article = null;
    } else if (begins) article = { number: begins[1]!.trim(), opening: line.trim().slice(0, LONGEST_OPENING) };
    if (!title && line.trim() !== "") bare = false;
  }
  if (start < text.length) parts.push({ start, end: text.length, titles: titles.filter(Boolean), article });
  return parts;
}

/** Fills passages with whole lines; with whole sentences where a line is too long; with words where a sentence is. */
function pack(text: string, { start, end, titles, article }: Part, longest: number): Slice[] {
  const slice = text.slice(start, end);
  const units: string[] = [];
  for (const [line] of slice.matchAll(LINE)) {
    if (line === "") continue;
    if (line.length <= longest || countWords(line) <= longest) units.push(line);
    else for (const { segment } of SENTENCES.segment(line)) units.push(segment);
  }
  const chunks = split(units, { chunkSize: longest, chunkStrategy: "paragraph", splitter: pieces });
  return chunks.flatMap((chunk, at) => {
    const raw = slice.slice(chunk.start, chunk.end);
    const lead = raw.length - raw.trimStart().length;
    const kept = raw.trim();
    if (kept === "") return [];
    const from = start + chunk.start + lead;
    const above = at === 0 ? article?.number : article?.opening;
    return [{ start: from, end: from + kept.length, heading: [...titles, above].filter(Boolean).join(" · ") }];
  });
}

const pieces = (unit: string) => Array.from(unit.matchAll(PIECE), (match) => ({ text: match[0], start: match.index }));

const countWords = (text: string): number => {
  let count = 0;
  for (const _ of text.matchAll(PIECE)) count++;
  return count;
};
