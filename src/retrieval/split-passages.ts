import { split } from "llm-splitter";
import { UNSPACED } from "./terms";

/** A verbatim slice of a document. Offsets count UTF-16 code units. */
export interface Slice {
  start: number;
  end: number;
  /** Markdown titles above the slice, and the beginning of its article. */
  heading: string;
}

/** Maximum of words; in scripts without blanks each letter counts as a word. */
const MAX_PASSAGE_LENGTH = 250;

const PIECE = new RegExp(String.raw`[${UNSPACED}]\p{M}*\s*|[^\s${UNSPACED}]{1,40}\s*`, "gu");
const SENTENCES = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** Lines that begin a part: a Markdown title, an article or section of a statute. */
const TITLE = /^\ufeff?(#{1,6})[ \t]+(\S.*)$/;
const ARTICLE =
  /^\s*(?:\*\*)?((?:art(?:igo|icle|\.)?|sec(?:tion|\.))[ \t]*\d+(?:[.-]\d+)*(?:[ºª°o](?!\p{L}))?(?:-[A-Z](?!\p{L}))?)/iu;

/** Length of an article's opening in the heading of its later passages. Code units. */
const MAX_OPENING_LENGTH = 200;

interface Part {
  start: number;
  end: number;
  titles: string[];
  /** The article that begins the part: its number and its first line. */
  article: { number: string; opening: string } | null;
}

/**
 * Splits a text into passages: at each title and article, then at lines, then sentences, then words.
 * @param longest maximum of words in a passage
 */
export function splitIntoPassages(text: string, longest = MAX_PASSAGE_LENGTH): Slice[] {
  return partsOf(text).flatMap((part) => pack(text, part, longest));
}

const LINE = /[^\n\r\u2028\u2029]*(?:\r\n|[\n\r\u2028\u2029]|$)/g;

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  const titles: string[] = [];
  let article: Part["article"] = null;
  let onlyTitles = true;
  let start = 0;
  const close = (end: number) => {
    if (end > start && !onlyTitles) {
      parts.push({ start, end, titles: titles.filter(Boolean), article });
      start = end;
      onlyTitles = true;
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
    } else if (begins) article = { number: begins[1]!.trim(), opening: line.trim().slice(0, MAX_OPENING_LENGTH) };
    if (!title && line.trim() !== "") onlyTitles = false;
  }
  if (start < text.length) parts.push({ start, end: text.length, titles: titles.filter(Boolean), article });
  return parts;
}

/** Fills passages with whole lines, with sentences where a line is too long, with words where a sentence is too long. */
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
    const leading = raw.length - raw.trimStart().length;
    const trimmed = raw.trim();
    if (trimmed === "") return [];
    const from = start + chunk.start + leading;
    const above = at === 0 ? article?.number : article?.opening;
    return [{ start: from, end: from + trimmed.length, heading: [...titles, above].filter(Boolean).join(" · ") }];
  });
}

const pieces = (unit: string) => Array.from(unit.matchAll(PIECE), (match) => ({ text: match[0], start: match.index }));

const countWords = (text: string): number => {
  let count = 0;
  for (const _ of text.matchAll(PIECE)) count++;
  return count;
};
