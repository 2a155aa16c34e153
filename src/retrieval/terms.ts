import { foldMarks } from "./fold";
import { languageKnowledge, primarySubtag } from "./languages";
import { statuteTerms } from "./statutes";

/** What is known of a text beside its words. */
export interface TextLocale {
  /** BCP 47. */
  language: string | null;
  /** Of the law that it speaks of: an ISO 3166 code, like `BR` or `US-CA`, or any name. */
  jurisdiction: string | null;
}

/** A term, and where in the text its word stands. */
export interface Occurrence {
  term: string;
  start: number;
  end: number;
}

/** Scripts that put no blanks between words: there, every two neighbouring letters are a term. */
export const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WORD = new RegExp(
  String.raw`([${UNSPACED}]\p{M}*)+|(?![${UNSPACED}])[\p{L}\p{N}](?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}])*`,
  "gu",
);
/** The index is not the place for what no one types. Code units. */
const LONGEST_TERM = 40;
/** Words come again and again: what became of so many is remembered. */
const MOST_REMEMBERED = 50_000;

/**
 * A text as terms of the index: words without diacritics, stop words and endings, as far as the language is known, and the places
 * of statutes that it speaks of. Terms hold no blanks, and of ASCII nothing but lower-case letters and digits.
 */
export function termsOf(text: string, { language, jurisdiction }: TextLocale): string[] {
  const terms = Array.from(occurrences(text, language), ({ term }) => term);
  return [...terms, ...statutesIn(text, jurisdiction === null ? [] : [jurisdiction])];
}

/** A query as terms: as each of these tongues would have them, once each. */
export function queryTerms(query: string, tongues: readonly TextLocale[]): string[] {
  const languages = new Set(tongues.map(({ language }) => language && primarySubtag(language)));
  const jurisdictions = new Set(tongues.flatMap(({ jurisdiction }) => jurisdiction ?? []));
  const terms = [...languages].flatMap((language) => Array.from(occurrences(query, language), ({ term }) => term));
  return [...new Set([...terms, ...statutesIn(query, [...jurisdictions])])];
}

const statutesIn = (text: string, jurisdictions: readonly string[]) =>
  statuteTerms(foldMarks(text).toLowerCase(), jurisdictions);

/** The words of a text that are terms, in their order. */
export function* occurrences(text: string, language: string | null): Generator<Occurrence> {
  const termOf = termMaker(language);
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    if (match[1] !== undefined) {
      yield* pairs(match[0], start);
      continue;
    }
    const term = termOf(match[0]);
    if (term !== "") yield { term, start, end: start + match[0].length };
  }
}

const makers = new Map<string | null, (word: string) => string>();

/** What turns words of a language into terms; stop words into nothing. */
function termMaker(language: string | null): (word: string) => string {
  const primary = language && primarySubtag(language);
  const known = languageKnowledge(primary);
  const kind = known ? primary : null;
  let maker = makers.get(kind);
  if (!maker) {
    const remembered = new Map<string, string>();
    maker = (word) => {
      let term = remembered.get(word);
      if (term === undefined) {
        const plain = word.normalize("NFKC").toLowerCase();
        const folded = foldMarks(plain);
        const stem = known?.stopWords.has(folded) ? "" : known ? foldMarks(known.stem(plain)) : folded;
        term = stem.replace(NOT_OF_A_TERM, "").slice(0, LONGEST_TERM);
        if (remembered.size >= MOST_REMEMBERED) remembered.clear();
        remembered.set(word, term);
      }
      return term;
    };
    makers.set(kind, maker);
  }
  return maker;
}

/** What folding may have brought in: the slash of ½, the point of 1⒈. */
const NOT_OF_A_TERM = /(?![a-z0-9])\p{ASCII}/gu;

function* pairs(run: string, start: number): Generator<Occurrence> {
  let before: { letter: string; at: number } | null = null;
  let at = start;
  for (const letter of run.match(/\P{M}\p{M}*/gu) ?? []) {
    const folded = foldMarks(letter);
    if (before) yield { term: before.letter + folded, start: before.at, end: at + letter.length };
    else if (letter.length === run.length) yield { term: folded, start: at, end: at + letter.length };
    before = { letter: folded, at };
    at += letter.length;
  }
}
