/** A requirement, quality, assumption or open question of a draft: a line that begins with an id. */
export interface DraftLine {
  /** R3, Q1, A2, O1: one to three capital letters and a number. */
  id: string;
  /** The whole line without the mark of a list. */
  text: string;
}

const ID_LINE = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(\*{0,2}(\p{Lu}{1,3}\d+)\b.*)$/u;

/** The lines of a draft that begin with an id, in their order; of two with one id the first. */
export function idLines(draft: string): DraftLine[] {
  const found = new Map<string, DraftLine>();
  for (const row of draft.split("\n")) {
    const [, text, id] = ID_LINE.exec(row) ?? [];
    if (id && !found.has(id)) found.set(id, { id, text: text!.trim() });
  }
  return [...found.values()];
}

export const letterOf = (id: string): string => id.replace(/\d+$/u, "");

/** Letters of lines on which no element of a model rests: assumptions and open questions. */
const WITHOUT_ELEMENTS = new Set(["A", "O"]);

/** Whether a line is traced to elements and verified: assumptions and open questions are not. */
export const isTraced = (id: string): boolean => !WITHOUT_ELEMENTS.has(letterOf(id));

/** The lines that a draft lost and gained by an improvement, without blank ones. */
export interface LineChanges {
  removed: string[];
  added: string[];
}

export function changedLines(before: string, after: string): LineChanges {
  const rows = (draft: string) =>
    draft
      .split("\n")
      .map((row) => row.trim())
      .filter((row) => row !== "");
  const [old, now] = [rows(before), rows(after)];
  const without = (list: string[], other: ReadonlySet<string>) => list.filter((row) => !other.has(row));
  return { removed: without(old, new Set(now)), added: without(now, new Set(old)) };
}

const NOT_WORD = /\W/u;
const MARK = /^\([^()]*[\s,;][AO]\d+\)$/u;

/**
 * Where the marks at the end of a requirement begin: "(assumed, A1)", "(see O2)". The length of the text when it has none. It is read from its
 * end: a regular expression would try all ways to share what is between marks.
 */
function marksOf(text: string): number {
  let begin = text.length;
  for (;;) {
    let last = begin - 1;
    while (last >= 0 && text[last] !== "(" && NOT_WORD.test(text[last]!)) last--;
    const open = last < 0 ? -1 : text.lastIndexOf("(", last);
    if (open < 0 || !MARK.test(text.slice(open, last + 2))) return begin;
    begin = open;
  }
}

/** What is in square brackets at the end of a requirement, before or after its marks: its sources. */
function placeOfSources(text: string): { open: number; close: number; hasMarks: boolean } | null {
  const marks = marksOf(text);
  let tail = marks;
  while (tail > 0 && NOT_WORD.test(text[tail - 1]!)) tail--;
  const close = text.indexOf("]", tail);
  if (close < 0 || close > marks) return null;
  const open = text.indexOf("[", text.lastIndexOf("]", close - 1) + 1);
  const hasMarks = marks < text.length;
  if (open > close || open < 0 || (hasMarks && text.slice(close + 1, marks).trim() !== "")) return null;
  return { open, close, hasMarks };
}

/** The sources of a requirement as they are written; null when it has none. */
export function sourcesOf(text: string): string | null {
  const place = placeOfSources(text);
  return place && text.slice(place.open + 1, place.close);
}

/** A requirement without its sources. Its marks stay. */
export function withoutSourcesOf(text: string): string {
  const place = placeOfSources(text);
  if (!place) return text;
  return text.slice(0, place.open).trimEnd() + (place.hasMarks ? text.slice(place.close + 1) : "");
}

const idOf = (row: string): string | undefined => idLines(row)[0]?.id;

/**
 * The part of a draft on which elements of a model may rest: without assumptions and open questions, headings that have nothing else, and the
 * sources and marks at the ends of requirements.
 */
export const modelText = (draft: string): string =>
  draft
    .split(/^(?=#{1,6}\s)/mu)
    .flatMap((section) => {
      const rows = section.split("\n");
      const kept = rows.filter((row) => isTraced(idOf(row) ?? ""));
      const isEmptied = kept.length < rows.length && kept.slice(1).every((row) => row.trim() === "");
      return isEmptied ? [] : [kept.map((row) => (idOf(row) ? withoutOrigin(row) : row)).join("\n")];
    })
    .join("");

/** The mark of a list and the id at the beginning of a line. */
const LEAD = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\*{0,2}\p{Lu}{1,3}\d+:?\*{0,2}:?\s+)?/u;

/** The words of a line: without id, sources and marks. */
export const wordsOf = (row: string): string => withoutOrigin(row).replace(LEAD, "");

/** A row with other words; its id, sources and marks stay. */
export const withWords = (row: string, words: string): string => row.replace(wordsOf(row), () => wordsOf(words));

/** The assumptions that the marks of a requirement name. */
export const assumptionsOf = (text: string): string[] => marksIn(withoutSourcesOf(text)).match(/A\d+/gu) ?? [];

const marksIn = (text: string): string => text.slice(marksOf(text));

const withoutOrigin = (row: string): string => {
  const text = withoutSourcesOf(row).trimEnd();
  return text.slice(0, marksOf(text)).trimEnd();
};

/** A draft without the sources at the ends of its lines. @param kept ids of lines that keep theirs */
export const withoutSources = (draft: string, kept: readonly string[] = []): string =>
  draft
    .split("\n")
    .map((row) => {
      const id = idOf(row);
      return id && !kept.includes(id) ? withoutSourcesOf(row) : row;
    })
    .join("\n");

/** The changes on which elements of a model may rest. A line that keeps its id is gained, and not lost. */
export function modelChanges(before: string, after: string): LineChanges {
  const { removed, added } = changedLines(modelText(before), modelText(after));
  const gained = new Set(added.map(idOf));
  return { removed: removed.filter((row) => !idOf(row) || !gained.has(idOf(row))), added };
}

/** Changed lines in few words: their ids; of a line without an id the line as it is now. */
export function changedPlaces(before: string, after: string): string[] {
  const { removed, added } = changedLines(before, after);
  const gone = removed.flatMap((row) => idOf(row) ?? []);
  return [...new Set([...added.map((row) => idOf(row) ?? row), ...gone])];
}

/** The ids at the beginnings of changed lines. */
export const changedIds = ({ removed, added }: LineChanges): Set<string> =>
  new Set(idLines([...removed, ...added].join("\n")).map(({ id }) => id));

/** The lines that a list of ids names: R3, a range such as R3–R7, or a letter for all of its lines. In the order of the list; one may come twice. */
export const linesNamedIn = (text: string, lines: readonly DraftLine[]): DraftLine[] =>
  text
    .replace(/(\d)\s*[-–]\s*(?=\p{Lu}{0,3}\d)/gu, "$1–")
    .split(/[,;\s]+/u)
    .flatMap((word) => expand(word, lines));

function expand(word: string, lines: readonly DraftLine[]): DraftLine[] {
  const [, letter, first, last = first] = /^\*{0,2}(\p{Lu}{1,3})(\d*)(?:–\p{Lu}{0,3}(\d+))?\*{0,2}$/u.exec(word) ?? [];
  if (!letter) return [];
  const isNamed = ({ id }: DraftLine) => {
    const number = Number(id.slice(letterOf(id).length));
    return letterOf(id) === letter && (first === "" || (number >= Number(first) && number <= Number(last)));
  };
  return lines.filter(isNamed);
}

/** Ids with three or more in a row as one range: R1, R3–R6. */
export function idRanges(ids: readonly string[]): string[] {
  const runs: string[][] = [];
  for (const id of ids) {
    const last = runs.at(-1)?.at(-1);
    const follows =
      last &&
      letterOf(last) === letterOf(id) &&
      Number(last.slice(letterOf(last).length)) + 1 === Number(id.slice(letterOf(id).length));
    if (follows) runs.at(-1)!.push(id);
    else runs.push([id]);
  }
  return runs.flatMap((run) => (run.length > 2 ? [`${run[0]}–${run.at(-1)}`] : run));
}

/** The lines of a draft as a reviser gets them: numbered from 1, blank lines left out (they keep their numbers). */
export const numberedLines = (draft: string): { number: number; text: string }[] =>
  draft.split("\n").flatMap((text, index) => (text.trim() === "" ? [] : [{ number: index + 1, text }]));

/** A change of one line, by its number. */
export interface LineChange {
  line: number;
  change: "replace" | "insert_after" | "remove";
  text: string;
}

/** The draft with its changes. Lines inserted after the same line keep the order of the changes. */
export function applyChanges(draft: string, changes: readonly LineChange[]): string {
  return draft
    .split("\n")
    .flatMap((row, index) => {
      const own = changes.filter(({ line }) => line === index + 1);
      const replaced = own.find(({ change }) => change !== "insert_after");
      const kept = replaced ? (replaced.change === "remove" ? [] : [replaced.text.trimEnd()]) : [row];
      return [...kept, ...own.filter(({ change }) => change === "insert_after").map(({ text }) => text.trimEnd())];
    })
    .join("\n");
}

/** The errors of changes, in sentences for the model that named them. */
export function changeErrors(draft: string, changes: readonly LineChange[]): string[] {
  const known = new Set(numberedLines(draft).map(({ number }) => number));
  const taken = changes.filter(({ change }) => change !== "insert_after").map(({ line }) => line);
  return [
    ...changes.filter(({ line }) => !known.has(line)).map(({ line }) => `The draft shows no line ${line}.`),
    ...new Set(
      taken
        .filter((line, index) => taken.indexOf(line) < index)
        .map((line) => `Line ${line} is replaced or removed twice.`),
    ),
    ...changes
      .filter(({ change, text }) => change !== "remove" && text.trim() === "")
      .map(({ line, change }) => `The text of \`${change}\` at line ${line} is empty.`),
    ...changes
      .filter(({ text }) => text.trim().includes("\n"))
      .map(
        ({ line }) => `The text for line ${line} has several lines. Use one \`insert_after\` for each further line.`,
      ),
    ...duplicateIds(applyChanges(draft, changes), draft).map(
      (id) => `Two lines of the changed draft begin with ${id}. Give new lines free numbers.`,
    ),
  ];
}

/** Ids that are at the beginning of two lines of a draft, but not of the draft before. */
function duplicateIds(draft: string, before: string): string[] {
  const twice = (text: string) => {
    const ids = text.split("\n").flatMap((row) => idLines(row).map(({ id }) => id));
    return new Set(ids.filter((id, index) => ids.indexOf(id) < index));
  };
  const known = twice(before);
  return [...twice(draft)].filter((id) => !known.has(id));
}
