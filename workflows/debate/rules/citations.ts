import type { Authority, CheckedCitation, Citation, Supports } from "../artifacts";
import { isForeign } from "./jurisdiction";

/** Letters and digits that a quote must have: fewer are found in nearly any text. Scripts without spaces say more with less. */
const SHORTEST_QUOTE = 12;
const SHORTEST_IN_DENSE_SCRIPT = 5;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const OMISSION = /\s*(?:[[(]\s*(?:\.{3}|…)\s*[\])]|\.{3,}|…)\s*/u;

/**
 * Statutes keep the spelling of their day, and models modernise it: "freqüentar", "assembléia", "vôo" before the Portuguese reform of
 * 1990, "daß" before the German one of 1996, vowel signs of Arabic, which are written or not. No other accent is taken off: "e" is not "é".
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
 * A text as quotes are compared: Unicode forms, dashes, quotation marks, white space, case and older spellings are made one; what
 * cannot be seen is left out. `‹` and `<` are one, because prompts show one for the other (src/workflow-kit/prompt-values.ts).
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

/** Marks around a quote that its writer, not the source, has set. */
const trimmed = (text: string): string => text.replace(/^[\s'".,;:()[\]-]+|[\s'".,;:()[\]-]+$/gu, "");

/** What is the same for two that quote, or say, the same. */
export const sameWords = (text: string): string => trimmed(comparable(text));

/** Whether a quote says enough to be looked for: an empty one, or a word or two, proves nothing. */
function weighs(quote: string): boolean {
  const letters = quote.match(/[\p{L}\p{N}]/gu) ?? [];
  return letters.length >= (DENSE.test(quote) ? SHORTEST_IN_DENSE_SCRIPT : SHORTEST_QUOTE);
}

/** Whether the words of a quote stand in an excerpt; where the quote marks an omission, its parts in their order. */
export function quoteFound(quote: string, excerpt: string): boolean {
  const parts = comparable(quote)
    .split(OMISSION)
    .map(trimmed)
    .filter((part) => part !== "");
  if (parts.length === 0 || !weighs(parts.join(" "))) return false;
  return [excerpt, excerpt.replace(CUT_WORD, "")].some((text) => standIn(parts, comparable(text)));
}

/** A word that the end of a line cuts, as texts taken from pages have them. */
const CUT_WORD = /(?<=\p{L})[-\u00ad\u2010]\r?\n\s*(?=\p{Ll})/gu;

function standIn(parts: readonly string[], text: string): boolean {
  let from = 0;
  for (const part of parts) {
    const at = indexOfWords(text, part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

/** Where words begin in a text, as whole words: "art. 3" is not in "art. 34". */
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
  /** Ids of the authorities that the debater was shown when it wrote. */
  shown: readonly string[];
}

/** A label as models copy it: "[S1]", "s1". */
const labelled = (said: string): string => said.replace(/^[\s[(]+|[\s\])]+$/gu, "").toUpperCase();

/** The authority that a citation names, by its label or its id. */
const authorityOf = (said: string, pool: readonly Authority[]): Authority | undefined =>
  pool.find(({ id }) => id === said.trim()) ?? pool.find(({ label }) => label === labelled(said));

/** How prompts name an authority; what is none stays as it was said. */
export const labelOf = (id: string, pool: readonly Authority[]): string =>
  pool.find((authority) => authority.id === id)?.label ?? id;

/** What code can say of citations, whose labels become ids; whether they support what they are cited for is the judge's to say. */
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

/** Whether it names what its writer was not shown; that cannot support anything, and counts as wrong. */
export const isInvented = ({ authority }: Pick<CheckedCitation, "authority">): boolean => authority !== "shown";

/** A citation under the number by which the judge speaks of it. Debaters who cite the same for the same share one. */
export interface Numbered {
  number: string;
  citation: CheckedCitation;
  /** All that are the same. */
  all: CheckedCitation[];
}

const sameness = ({ authority_id, quote, proposition, authority }: CheckedCitation): string =>
  JSON.stringify([authority_id, sameWords(quote), sameWords(proposition), authority]);

/** C1, C2, … in the order given, which must be one that the judge may know. */
export const numbered = (citations: readonly CheckedCitation[]): Numbered[] =>
  [...Map.groupBy(citations, sameness).values()].map((all, index) => ({
    number: `C${index + 1}`,
    citation: all[0]!,
    all,
  }));

const numberOf = (text: string): string => `C${/\d+/.exec(text)?.[0] ?? ""}`;

/** The citations with what a judge said of them. What was never shown stays unsupported, whatever the judge says. */
export function withSupport(citations: readonly Numbered[], supports: Supports): CheckedCitation[] {
  const said = new Map(supports.map((support) => [numberOf(support.citation), support]));
  return citations.flatMap(({ number, all }) => {
    const support = said.get(number);
    return all.map((citation) => ({
      ...citation,
      supported: isInvented(citation) ? false : (support?.supported ?? null),
      note: support?.note.trim() || null,
    }));
  });
}

/** Citations as an output shows them: each once, with all who made it. */
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
