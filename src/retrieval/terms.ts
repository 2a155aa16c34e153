import { normalForm } from "#core/normal-form";
import { foldMarks } from "./fold";
import { languageKnowledge, primarySubtag } from "./languages";
import { statuteTerms } from "./statutes";

/** Language and jurisdiction of a text. */
export interface TextLocale {
  /** BCP 47. */
  language: string | null;
  /** Jurisdiction of its law: an ISO 3166 code, like `BR` or `US-CA`, or any name. */
  jurisdiction: string | null;
}

/** A term and the offsets of its word in the text. */
export interface Occurrence {
  term: string;
  start: number;
  end: number;
}

/** Scripts without blanks between words; there, each pair of adjacent letters is a term. */
export const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WORD = new RegExp(
  String.raw`([${UNSPACED}]\p{M}*)+|(?![${UNSPACED}])[\p{L}\p{N}](?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}])*`,
  "gu",
);
/** Longer words are cut: nobody searches for them. Code units. */
const MAX_TERM_LENGTH = 40;
/**
 * Longer words are not stemmed: stemming does not change their first `MAX_TERM_LENGTH` letters, and the English stemmer's time grows with the
 * square of the length. Code units.
 */
const MAX_STEMMED_LENGTH = 80;
/** Maximum of cached terms; words repeat often. */
const MAX_CACHED = 50_000;

/**
 * Terms of a text for the index: words without diacritics, in known languages also without stop words and endings, and the places of
 * statutes that it cites. Terms contain no blanks, and of ASCII only lower-case letters and digits.
 */
export function termsOf(text: string, { language, jurisdiction }: TextLocale): string[] {
  const terms = Array.from(occurrences(text, language), ({ term }) => term);
  return [...terms, ...statutesIn(text, jurisdiction === null ? [] : [jurisdiction])];
}

/** What a passage is indexed under: terms of its headings, with title and source of its document, and of its text. */
export function passageTerms(
  document: TextLocale & { title: string | null; source: string },
  heading: string,
  text: string,
): { head: string[]; body: string[] } {
  const head = [document.title, document.source, heading].filter(Boolean).join("\n");
  return { head: termsOf(head, document), body: termsOf(text, document) };
}

/** Distinct terms of a query in each of these locales. Languages without knowledge share one reading of the query. */
export function queryTerms(query: string, locales: readonly TextLocale[]): string[] {
  const languages = new Set(locales.map(({ language }) => knownLanguage(language)));
  const jurisdictions = new Set(locales.flatMap(({ jurisdiction }) => jurisdiction ?? []));
  const terms = [...languages].flatMap((language) => Array.from(occurrences(query, language), ({ term }) => term));
  return [...new Set([...terms, ...statutesIn(query, [...jurisdictions])])];
}

/** The primary subtag of a language with stop words and a stemmer; null for all others, whose terms are the same. */
const knownLanguage = (language: string | null): string | null =>
  languageKnowledge(language) && primarySubtag(language!);

const statutesIn = (text: string, jurisdictions: readonly string[]) =>
  statuteTerms(foldMarks(text).toLowerCase(), jurisdictions);

/** The terms of a text's words, in order. */
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

const termMakers = new Map<string | null, (word: string) => string>();

/** Returns the function that turns words of a language into terms, and stop words into `""`. */
function termMaker(language: string | null): (word: string) => string {
  const key = knownLanguage(language);
  const known = languageKnowledge(key);
  let maker = termMakers.get(key);
  if (!maker) {
    const cache = new Map<string, string>();
    maker = (word) => {
      let term = cache.get(word);
      if (term === undefined) {
        const plain = normalForm(word, "NFKC").toLowerCase();
        const folded = foldMarks(plain);
        const inflected = known && plain.length <= MAX_STEMMED_LENGTH;
        const stem = known?.stopWords.has(folded) ? "" : inflected ? foldMarks(known.stem(plain)) : folded;
        term = stem.replace(NOT_OF_A_TERM, "").slice(0, MAX_TERM_LENGTH);
        if (cache.size >= MAX_CACHED) cache.clear();
        if (word.length <= MAX_STEMMED_LENGTH) cache.set(word, term);
      }
      return term;
    };
    termMakers.set(key, maker);
  }
  return maker;
}

/** Characters that folding may introduce: the slash of ½, the point of 1⒈. */
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
