import type { Authority, CheckedCitation, Citation, CitationCheck, Supports } from "../artifacts";
import { isForeign } from "#workflow-kit/jurisdiction";
import { matchOf, sameWords } from "./quotes";

/** Citations of one brief or answer. */
export interface Cited {
  debater: string;
  round: number | null;
  citations: readonly Citation[];
  /** Ids of the authorities that the debater had been shown when it wrote. */
  shown: readonly string[];
}

/** The label in a model's notation of it: "[S1]", "s1", "S1 (UCC § 2-205)", "UCC § 2-205 [S1]"; null: none, or more than one. */
function labelIn(text: string): string | null {
  const labels = new Set(text.toUpperCase().match(/(?<![\p{L}\p{N}])S\d+(?![\p{L}\p{N}])/gu));
  const [label = null] = labels;
  const atAnEnd = /^[\s[(]*S\d+(?![\p{L}\p{N}.])|[[(]S\d+[\])]\s*$/iu.test(text);
  return labels.size === 1 && atAnEnd ? label : null;
}

/** The authority that a citation names by id or by label. */
const authorityOf = (name: string, authorities: readonly Authority[]): Authority | undefined =>
  authorities.find(({ id }) => id === name.trim()) ?? authorities.find(({ label }) => label === labelIn(name));

/** An authority's name in prompts; an id that none of them has stays as it is. */
export const labelOf = (id: string, authorities: readonly Authority[]): string =>
  authorities.find((authority) => authority.id === id)?.label ?? id;

/** Citations with the results of the code's checks, and with labels replaced by ids. The clerk decides on `supported`. */
export function checkCitations(
  cited: readonly Cited[],
  authorities: readonly Authority[],
  jurisdiction: string | null,
): CheckedCitation[] {
  return cited.flatMap(({ debater, round, citations, shown }) =>
    citations.map((citation): CheckedCitation => {
      const authority = authorityOf(citation.authority_id, authorities);
      const id = authority?.id ?? citation.authority_id.trim();
      const seen = authority !== undefined && shown.includes(id);
      const quote_match = seen ? matchOf(citation.quote, authority.excerpt) : "missing";
      return {
        authority_id: id,
        external_id: authority?.external_id ?? null,
        quote: citation.quote,
        proposition: citation.proposition,
        cited_by: debater,
        round,
        authority: seen ? "shown" : authority ? "not_shown" : "unknown",
        quote_match,
        quote_found: quote_match === "verbatim" || quote_match === "abridged",
        foreign: authority !== undefined && isForeign(authority.jurisdiction, jurisdiction),
        supported: seen ? null : false,
        note: null,
      };
    }),
  );
}

/** Whether a citation names an authority that its writer was not shown. It supports nothing and counts as wrong. */
export const isInvented = ({ authority }: Pick<CheckedCitation, "authority">): boolean => authority !== "shown";

/** A citation under its number for clerk and judge. Equal citations of several debaters share one number. */
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

/** The number in a model's notation of it: "C1", "c 1". */
export const numberOf = (text: string): string => `C${/\d+/.exec(text)?.[0] ?? ""}`;

/** The citations with the clerk's checks of support. Invented citations stay unsupported, whatever the clerk says. */
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
      .map(
        ({
          citation: { authority_id, external_id, quote, proposition, quote_match, quote_found, supported, foreign },
          cited_by,
        }) => ({
          authority_id,
          external_id,
          quote,
          proposition,
          quote_match,
          quote_found,
          supported,
          foreign,
          cited_by,
        }),
      ),
    invented_citations: groups
      .filter(({ citation }) => isInvented(citation))
      .map(({ citation: { authority_id, proposition }, cited_by }) => ({ authority_id, proposition, cited_by })),
  };
}
