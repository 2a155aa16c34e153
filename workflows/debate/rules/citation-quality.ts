import type { CheckedCitation } from "../artifacts";
import { isInvented, sameWords } from "./citations";

/** A citation as `citation_check` has it, and what a person who read it says: that stands above what was checked automatically. */
export type LabeledCitation = Omit<CheckedCitation, "note" | "foreign"> & { label?: boolean };

/** The proxy for a person's judgment (spec, ambiguity 5): real, quoted rightly, and found to support. What nobody judged is not correct. */
export const isCorrectCitation = (citation: LabeledCitation): boolean =>
  citation.label ?? (!isInvented(citation) && citation.quote_found && citation.supported === true);

/** Answers to questions come after the last round. */
const turnOf = ({ round }: LabeledCitation): number => round ?? Infinity;

/**
 * Every citation once: what a party repeats, the same words of the same authority, counts as it last cited them. So rounds weigh
 * nothing by themselves; a citation that was withdrawn still counts.
 */
export function eachOnce(citations: readonly LabeledCitation[]): LabeledCitation[] {
  const repeated = Map.groupBy(citations, ({ cited_by, authority_id, quote }) =>
    JSON.stringify([cited_by, authority_id, sameWords(quote)]),
  );
  return [...repeated.values()].flatMap((all) => {
    const last = Math.max(...all.map(turnOf));
    const stands = all.filter((citation) => turnOf(citation) === last);
    return [...new Map(stands.map((citation) => [sameWords(citation.proposition), citation])).values()];
  });
}

/** Share of citations that are correct (Silva et al., 4.2), 0 to 1; null: nothing was cited. Invented ones count as wrong. */
export function citationCorrectness(citations: readonly LabeledCitation[]): number | null {
  const counted = eachOnce(citations);
  return counted.length === 0 ? null : counted.filter(isCorrectCitation).length / counted.length;
}

/**
 * Share of gold sources in a set of sources (Silva et al., 4.2), 0 to 1; null: the question has no gold source. Report it by what was
 * cited (the headline) and by what was retrieved, which depends on the Retriever alone.
 */
export function coverage(gold: readonly string[], sources: readonly string[]): number | null {
  const wanted = new Set(gold);
  return wanted.size === 0 ? null : wanted.intersection(new Set(sources)).size / wanted.size;
}

/** Harmonic mean of correctness and coverage (Silva et al., 4.2, "Citation F1"); where one is undefined or both are 0, it is 0. */
export function citationF1(correctness: number | null, covered: number | null): number {
  if (correctness === null || covered === null || correctness + covered === 0) return 0;
  return (2 * correctness * covered) / (correctness + covered);
}

export interface CitationQuality {
  correctness: number | null;
  coverage_cited: number | null;
  coverage_retrieved: number | null;
  f1: number;
}

/** All of it for one question. An invented citation covers nothing, even if its id is that of a gold source. */
export function citationQuality(
  citations: readonly LabeledCitation[],
  retrieved: readonly string[],
  gold: readonly string[],
): CitationQuality {
  const correctness = citationCorrectness(citations);
  const cited = citations.filter((citation) => !isInvented(citation)).map(({ authority_id }) => authority_id);
  const coverage_cited = coverage(gold, cited);
  return {
    correctness,
    coverage_cited,
    coverage_retrieved: coverage(gold, retrieved),
    f1: citationF1(correctness, coverage_cited),
  };
}
