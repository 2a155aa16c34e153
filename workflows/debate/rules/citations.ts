import type { Authority, CheckedCitation, Citation, CitationCheck, Supports } from "../artifacts";
import { isForeign } from "./jurisdiction";

/** Fewest letters and digits of a quote: shorter ones occur in nearly any text. Scripts without spaces need fewer. */
const SHORTEST_QUOTE = 12;
const SHORTEST_IN_DENSE_SCRIPT = 5;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const OMISSION = /\s*(?:[[(]\s*(?:\.{3}|…)\s*[\])]|\.{3,}|…)\s*/u;

/**
 * Statutes keep old spellings, and models modernise them: "freqüentar", "assembléia", "vôo" before the Portuguese reform of 1990,
 * "daß" before the German reform of 1996, and the optional vowel signs of Arabic. Other accents stay: "e" is not "é".
 */
const OLDER_SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/([gq])ü(?=[eéêiíî])/gu, "$1u"],
  [/éi/gu, "ei"],
  [/ói/gu, "oi"],
  [/êe/gu, "ee"],
  [/ôo/gu, "oo"],
  [/ß/gu, "ss"],
  [/[\u064b-\u0652\u0670]/gu, ""],
];

/**
 * A text normalised for the comparison of quotes: Unicode form, dashes, quotation marks, white space, case and older spellings;
 * invisible characters are removed. `‹` becomes `<`, because prompts escape `<` as `‹` (src/workflow-kit/prompt-values.ts).
 */
const comparable = (text: string): string =>
  OLDER_SPELLINGS.reduce(
    (modern, [older, newer]) => modern.replace(older, newer),
    text
      .replace(/…/gu, "...")
      .normalize("NFKC")
      .replace(/[\u00AD\u0640\p{Cf}]/gu, "")
      .replace(/[\p{Pd}\u2212]/gu, "-")
      .replace(/‹(?=\/?\s*material)/giu, "<")
      .replace(/["'`´‘’‚‛“”„‟«»‹›「」『』]+/gu, "'")
      .replace(/\s+/gu, " ")
      .toLowerCase()
      .trim(),
  );

/** Without the marks that the writer, not the source, put around a quote. */
const trimmed = (text: string): string => text.replace(/^[\s'".,;:()[\]-]+|[\s'".,;:()[\]-]+$/gu, "");

/** A key that is equal for two texts of the same words. */
export const sameWords = (text: string): string => trimmed(comparable(text));

/** Whether a quote is long enough to prove anything: an empty one, or one of a word or two, is not. */
function isLongEnough(quote: string): boolean {
  const letters = quote.match(/[\p{L}\p{N}]/gu) ?? [];
  return letters.length >= (DENSE.test(quote) ? SHORTEST_IN_DENSE_SCRIPT : SHORTEST_QUOTE);
}

/** Whether an excerpt contains the words of a quote; if the quote marks omissions, whether it contains the parts in order. */
export function quoteFound(quote: string, excerpt: string): boolean {
  const parts = comparable(quote)
    .split(OMISSION)
    .map(trimmed)
    .filter((part) => part !== "");
  if (parts.length === 0 || !isLongEnough(parts.join(" "))) return false;
  return [excerpt, excerpt.replace(CUT_WORD, "")].some((text) => containsInOrder(comparable(text), parts));
}

/** A hyphenated line break within a word, as in texts extracted from pages. */
const CUT_WORD = /(?<=\p{L})[-\u00ad\u2010]\r?\n\s*(?=\p{Ll})/gu;

function containsInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = indexOfWords(text, part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

/** Index of whole words in a text, from a position on: "art. 3" is not in "art. 34". -1: not found. */
function indexOfWords(text: string, words: string, from: number): number {
  const joins = (one: string | undefined, other: string | undefined) =>
    one !== undefined && other !== undefined && !DENSE.test(one + other) && /^[\p{L}\p{N}]{2}$/u.test(one + other);
  for (let at = text.indexOf(words, from); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    if (!joins(text[at - 1], words[0]) && !joins(words.at(-1), text[end])) return at;
  }
  return -1;
}

/** Citations of one brief or answer. */
export interface Cited {
  debater: string;
  round: number | null;
  citations: readonly Citation[];
  /** Ids of the authorities that the debater had been shown when it wrote. */
  shown: readonly string[];
}

/** The label in a model's notation of it: "[S1]", "s1". */
const labelIn = (text: string): string => text.replace(/^[\s[(]+|[\s\])]+$/gu, "").toUpperCase();

/** The authority that a citation names by id or by label. */
const authorityOf = (name: string, pool: readonly Authority[]): Authority | undefined =>
  pool.find(({ id }) => id === name.trim()) ?? pool.find(({ label }) => label === labelIn(name));

/** An authority's name in prompts; an id that is not in the pool stays as it is. */
export const labelOf = (id: string, pool: readonly Authority[]): string =>
  pool.find((authority) => authority.id === id)?.label ?? id;

/** Citations with the results of the code's checks, and with labels replaced by ids. The judge decides on `supported`. */
export function checkCitations(
  cited: readonly Cited[],
  pool: readonly Authority[],
  jurisdiction: string | null,
): CheckedCitation[] {
  return cited.flatMap(({ debater, round, citations, shown }) =>
    citations.map((citation): CheckedCitation => {
      const authority = authorityOf(citation.authority_id, pool);
      const id = authority?.id ?? citation.authority_id.trim();
      const seen = authority !== undefined && shown.includes(id);
      return {
        authority_id: id,
        quote: citation.quote,
        proposition: citation.proposition,
        cited_by: debater,
        round,
        authority: seen ? "shown" : authority ? "not_shown" : "unknown",
        quote_found: seen && quoteFound(citation.quote, authority.excerpt),
        foreign: authority !== undefined && isForeign(authority.jurisdiction, jurisdiction),
        supported: seen ? null : false,
        note: null,
      };
    }),
  );
}

/** Whether a citation names an authority that its writer was not shown. It supports nothing and counts as wrong. */
export const isInvented = ({ authority }: Pick<CheckedCitation, "authority">): boolean => authority !== "shown";

/** A citation under its number for the judge. Equal citations of several debaters share one number. */
export interface Numbered {
  number: string;
  citation: CheckedCitation;
  /** All equal citations. */
  all: CheckedCitation[];
}

const citationKey = ({ authority_id, quote, proposition, authority }: CheckedCitation): string =>
  JSON.stringify([authority_id, sameWords(quote), sameWords(proposition), authority]);

/** Numbers citations C1, C2, … in the given order. The judge sees that order, so it must not identify debaters. */
export const numbered = (citations: readonly CheckedCitation[]): Numbered[] =>
  [...Map.groupBy(citations, citationKey).values()].map((all, index) => ({
    number: `C${index + 1}`,
    citation: all[0]!,
    all,
  }));

const numberOf = (text: string): string => `C${/\d+/.exec(text)?.[0] ?? ""}`;

/** The citations with the judge's checks of support. Invented citations stay unsupported, whatever the judge says. */
export function withSupport(citations: readonly Numbered[], supports: Supports): CheckedCitation[] {
  const byNumber = new Map(supports.map((support) => [numberOf(support.citation), support]));
  return citations.flatMap(({ number, all }) => {
    const support = byNumber.get(number);
    return all.map((citation) => ({
      ...citation,
      supported: isInvented(citation) ? false : (support?.supported ?? null),
      note: support?.note.trim() || null,
    }));
  });
}

export const citationCheckOf = (citations: CheckedCitation[]): CitationCheck => ({
  citations,
  invented: [...new Set(citations.filter(isInvented).map(({ authority_id }) => authority_id))],
});

/** Citations as the output shows them: each once, with all debaters that made it. */
export function shownInOutput(citations: readonly CheckedCitation[]) {
  const groups = numbered(citations).map(({ citation, all }) => ({
    citation,
    cited_by: [...new Set(all.map(({ cited_by }) => cited_by))].toSorted(),
  }));
  return {
    citations: groups
      .filter(({ citation }) => !isInvented(citation))
      .map(({ citation: { authority_id, quote, proposition, quote_found, supported, foreign }, cited_by }) => ({
        authority_id,
        quote,
        proposition,
        quote_found,
        supported,
        foreign,
        cited_by,
      })),
    invented_citations: groups
      .filter(({ citation }) => isInvented(citation))
      .map(({ citation: { authority_id, proposition }, cited_by }) => ({ authority_id, proposition, cited_by })),
  };
}
