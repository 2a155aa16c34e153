import type { CheckedCitation } from "../artifacts";
import { isInvented } from "./citations";
import { sameWords } from "./quotes";

/** A citation of `citation_check`; `label`: a person's judgment, which overrides the automatic check. */
export type LabeledCitation = Omit<CheckedCitation, "note" | "foreign"> & { label?: boolean };

/** A proxy for a person's judgment (spec, ambiguity 5): not invented, correctly quoted and judged to support. Unjudged is incorrect. */
export const isCorrectCitation = (citation: LabeledCitation): boolean =>
  citation.label ?? (!isInvented(citation) && citation.quote_found && citation.supported === true);

/** Answers to questions come after the last round. */
const turnOf = ({ round }: LabeledCitation): number => round ?? Infinity;

/**
 * Each citation once: if a party repeats a quote of an authority, its last citation counts. So a debate's number of rounds has no
 * weight. A withdrawn citation still counts.
 */
export function eachOnce(citations: readonly LabeledCitation[]): LabeledCitation[] {
  const repeated = Map.groupBy(citations, ({ cited_by, authority_id, quote }) =>
    JSON.stringify([cited_by, authority_id, sameWords(quote)]),
  );
  return [...repeated.values()].flatMap((all) => {
    const last = Math.max(...all.map(turnOf));
    const latest = all.filter((citation) => turnOf(citation) === last);
    return [...new Map(latest.map((citation) => [sameWords(citation.proposition), citation])).values()];
  });
}

/** Share of correct citations (Silva et al., 4.2), 0 to 1; null: no citations. Invented ones count as wrong. */
export function citationCorrectness(citations: readonly LabeledCitation[]): number | null {
  const counted = eachOnce(citations);
  return counted.length === 0 ? null : counted.filter(isCorrectCitation).length / counted.length;
}

/** A cited source as gold lists name it: passages of one document are one source. */
export const sourceOf = ({
  external_id,
  authority_id,
}: Pick<LabeledCitation, "external_id" | "authority_id">): string => external_id ?? authority_id;

/**
 * Share of the gold sources that a set of sources contains (Silva et al., 4.2), 0 to 1; null: the question has no gold source. Report
 * it for the cited sources (the headline) and for the retrieved ones, which depend on the Retriever alone.
 */
export function coverage(gold: readonly string[], sources: readonly string[]): number | null {
  const wanted = new Set(gold);
  return wanted.size === 0 ? null : wanted.intersection(new Set(sources)).size / wanted.size;
}

/** Harmonic mean of correctness and coverage (Silva et al., 4.2, "Citation F1"); 0 if either is null or both are 0. */
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

/**
 * All measures for one question. An invented citation covers nothing, even under the id of a gold source.
 * @param retrieved sources by `external_id`, or by the ids of passages where documents have none
 * @param gold likewise
 */
export function citationQuality(
  citations: readonly LabeledCitation[],
  retrieved: readonly string[],
  gold: readonly string[],
): CitationQuality {
  const correctness = citationCorrectness(citations);
  const cited = citations.filter((citation) => !isInvented(citation)).map(sourceOf);
  const coverage_cited = coverage(gold, cited);
  return {
    correctness,
    coverage_cited,
    coverage_retrieved: coverage(gold, retrieved),
    f1: citationF1(correctness, coverage_cited),
  };
}
