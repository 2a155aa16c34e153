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

/** Longest word; what follows in a longer one counts as further words. Code points. */
const MAX_WORD_LENGTH = 40;
/** Maximum of a passage whose words are far apart. Code units. */
const MAX_PASSAGE_SIZE = MAX_PASSAGE_LENGTH * (MAX_WORD_LENGTH + 1);

const WORD = new RegExp(
  String.raw`[${UNSPACED}]\p{M}{0,${MAX_WORD_LENGTH - 1}}|[^\s${UNSPACED}]{1,${MAX_WORD_LENGTH}}`,
  "gu",
);
const SENTENCES = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** Lines that begin a part: a Markdown title, an article or section of a statute. */
const TITLE = /^\ufeff?(#{1,6})[ \t]+(\S.*)$/;
const ARTICLE =
  /^\s*(?:\*\*)?((?:art(?:igo|icle|\.)?|sec(?:tion|\.))[ \t]*\d+(?:[.-]\d+)*(?:[ºª°o](?!\p{L}))?(?:-[A-Z](?!\p{L}))?)/iu;

/** Length of an article's opening in the heading of its later passages. Code units. */
const MAX_OPENING_LENGTH = 200;

/** What is above the passages of a part. */
interface Part {
  titles: string[];
  /** The article that begins the part: its number and its first line. */
  article: { number: string; opening: string } | null;
}

/** A line or a sentence: passages end between units, unless one alone is too long. */
interface Unit {
  text: string;
  start: number;
  part: Part;
}

/** A passage that is being filled. */
interface OpenPassage {
  start: number;
  end: number;
  words: number;
  /** Whether it could end here: it has the end of a unit. */
  endsUnit: boolean;
}

/**
 * Splits a text into passages: at each title and article, then at lines, then sentences, then words. A passage begins and ends with a word.
 * The text is read only as far as the passages that the caller takes.
 * @param longest maximum of words in a passage
 */
export function* splitIntoPassages(text: string, longest = MAX_PASSAGE_LENGTH): Generator<Slice> {
  let part: Part | null = null;
  let isFirst = true;
  let open: OpenPassage | null = null;
  const sliceOf = ({ start, end }: OpenPassage): Slice => {
    const above = isFirst ? part?.article?.number : part?.article?.opening;
    isFirst = false;
    return { start, end, heading: [...(part?.titles ?? []), above].filter(Boolean).join(" · ") };
  };
  for (const unit of unitsOf(text, longest)) {
    if (open && (unit.part !== part || !hasRoomFor(unit, open, longest))) {
      yield sliceOf(open);
      open = null;
    }
    if (unit.part !== part) isFirst = true;
    part = unit.part;
    for (const word of unit.text.matchAll(WORD)) {
      const start = unit.start + word.index;
      const end = start + word[0].length;
      if (open && (open.words === longest || end - open.start > MAX_PASSAGE_SIZE)) {
        yield sliceOf(open);
        open = null;
      }
      open ??= { start, end, words: 0, endsUnit: false };
      open.end = end;
      open.words++;
    }
    if (open) open.endsUnit = true;
  }
  if (open) yield sliceOf(open);
}

/** Whether a unit fits whole into a passage, or follows the beginning of a unit that did not. */
const hasRoomFor = (unit: Unit, open: OpenPassage, longest: number): boolean =>
  open.words < longest && (!open.endsUnit || open.words + countWords(unit.text, longest) <= longest);

/** The lines of a text; sentences where a line is too long for a passage. */
function* unitsOf(text: string, longest: number): Generator<Unit> {
  for (const { line, start, part } of linesOf(text)) {
    if (line.length <= longest || countWords(line, longest) <= longest) yield { text: line, start, part };
    else for (const { segment, index } of SENTENCES.segment(line)) yield { text: segment, start: start + index, part };
  }
}

/** Skips blank lines. */
const LINE = /(?:\s*[\n\r\u2028\u2029])?([^\n\r\u2028\u2029]*(?:\r\n|[\n\r\u2028\u2029]|$))/g;

/** The lines of a text with the part that each belongs to. A title or an article after other text begins a part. */
function* linesOf(text: string): Generator<{ line: string; start: number; part: Part }> {
  let part: Part = { titles: [], article: null };
  let onlyTitles = true;
  for (const match of text.matchAll(LINE)) {
    const line = match[1]!;
    if (line.trim() === "") continue;
    const title = TITLE.exec(line.trimEnd());
    const begins = title ? null : ARTICLE.exec(line);
    if ((title || begins) && !onlyTitles) {
      part = { titles: [...part.titles], article: part.article };
      onlyTitles = true;
    }
    if (title) {
      const depth = title[1]!.length;
      part.titles.length = Math.min(part.titles.length, depth - 1);
      part.titles[depth - 1] = title[2]!.slice(0, 200);
      part.article = null;
    } else if (begins) part.article = { number: begins[1]!.trim(), opening: line.trim().slice(0, MAX_OPENING_LENGTH) };
    if (!title) onlyTitles = false;
    yield { line, start: match.index + match[0].length - line.length, part };
  }
}

/** Counts no further than one word more than the maximum. */
function countWords(text: string, maximum: number): number {
  let count = 0;
  for (const _ of text.matchAll(WORD)) if (++count > maximum) break;
  return count;
}
