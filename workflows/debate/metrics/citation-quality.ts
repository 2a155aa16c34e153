/** What is known of one citation: of the automatic check, or of a person who read it. */
export interface JudgedCitation {
  authority_id: string;
  /** The authority was shown to whoever cites it. */
  shown: boolean;
  quote_found: boolean;
  /** The judge says that it supports the proposition; null: nobody said. */
  supported: boolean | null;
  /** A person's label stands above what was checked automatically. */
  label?: boolean;
}

/** The proxy for a person's judgment (spec, ambiguity 5): real, quoted rightly, and found to support. What nobody judged is not correct. */
export const isCorrectCitation = ({ shown, quote_found, supported, label }: JudgedCitation): boolean =>
  label ?? (shown && quote_found && supported === true);

/** Share of citations that are correct (Silva et al., 4.2), 0 to 1; null: nothing was cited. Invented ones count as wrong. */
export function citationCorrectness(citations: readonly JudgedCitation[]): number | null {
  return citations.length === 0 ? null : citations.filter(isCorrectCitation).length / citations.length;
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
  citations: readonly JudgedCitation[],
  retrieved: readonly string[],
  gold: readonly string[],
): CitationQuality {
  const correctness = citationCorrectness(citations);
  const cited = citations.filter(({ shown }) => shown).map(({ authority_id }) => authority_id);
  const coverage_cited = coverage(gold, cited);
  return {
    correctness,
    coverage_cited,
    coverage_retrieved: coverage(gold, retrieved),
    f1: citationF1(correctness, coverage_cited),
  };
}
