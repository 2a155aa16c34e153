import { foldMarks } from "./fold";
import { languageKnowledge } from "./languages";
import { statuteTerms } from "./statutes";

/** What is known of a text beside its words. */
export interface Tongue {
  /** BCP 47. */
  language: string | null;
  /** Of the law that it speaks of: ISO 3166-1 alpha-2, or with a subdivision. */
  jurisdiction: string | null;
}

/** Scripts that put no blanks between words; their words are found by pairs of neighbouring letters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
/** The index is not the place for what no one types. Code units. */
const LONGEST_TERM = 40;

/**
 * A text as terms of the index: words without diacritics, stop words and endings, as far as the language is known, and the places
 * of statutes that it speaks of. Terms hold no blanks.
 */
export function termsOf(text: string, tongue: Tongue): string[] {
  return [...words(text, tongue.language), ...statutesIn(text, tongue.jurisdiction === null ? [] : [tongue.jurisdiction])];
}

/** A query as terms: as each of these tongues would have them, once each. */
export function queryTerms(query: string, tongues: readonly Tongue[]): string[] {
  const languages = new Set(tongues.map(({ language }) => language));
  const jurisdictions = new Set(tongues.flatMap(({ jurisdiction }) => jurisdiction ?? []));
  const terms = [...languages].flatMap((language) => words(query, language));
  return [...new Set([...terms, ...statutesIn(query, [...jurisdictions])])];
}

const statutesIn = (text: string, jurisdictions: readonly string[]) =>
  statuteTerms(foldMarks(text).toLowerCase(), jurisdictions);

function words(text: string, language: string | null): string[] {
  const known = languageKnowledge(language);
  const terms: string[] = [];
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(WORD)) {
    if (UNSPACED.test(word)) {
      terms.push(...pairs(word));
      continue;
    }
    const folded = foldMarks(word);
    if (known?.stopWords.has(folded)) continue;
    terms.push((known ? foldMarks(known.stem(word)) : folded).slice(0, LONGEST_TERM));
  }
  return terms;
}

function pairs(word: string): string[] {
  const letters = Array.from(foldMarks(word));
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, at) => letters[at]! + letter);
}
