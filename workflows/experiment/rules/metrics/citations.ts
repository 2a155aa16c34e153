import type { Metric } from "./metric";

/** What the metrics read of a debate's output. */
interface Cited {
  citations: readonly {
    authority_id: string;
    external_id: string | null;
    quote_found: boolean;
    supported: boolean | null;
  }[];
  invented_citations: readonly unknown[];
  retrieved?: readonly Named[];
}

interface Named {
  authority_id: string;
  external_id: string | null;
}

/** A source as gold lists name it: passages of one document are one source. */
const sourceOf = ({ external_id, authority_id }: Named): string => external_id ?? authority_id;

/**
 * Share of the citations that are right: really shown, quoted correctly and judged to support (Silva et al., 4.2; spec, ambiguity 5). Invented
 * and unjudged ones count as wrong. null: there is no citation.
 */
export function correctness({ citations, invented_citations }: Cited): number | null {
  const all = citations.length + invented_citations.length;
  const right = citations.filter(({ quote_found, supported }) => quote_found && supported === true).length;
  return all === 0 ? null : right / all;
}

/** Share of the gold sources among the given ones (Silva et al., 4.2), 0 to 1. */
export function coverage(sources: readonly Named[], gold: readonly string[]): number {
  const wanted = new Set(gold);
  return wanted.intersection(new Set(sources.map(sourceOf))).size / wanted.size;
}

/** Harmonic mean of correctness and coverage; 0 where it is not defined (Silva et al., 4.2; spec, ambiguity 6). */
export const harmonic = (correct: number | null, covered: number): number =>
  correct === null || correct + covered === 0 ? 0 : (2 * correct * covered) / (correct + covered);

const RATE = { range: [0, 1], higher_is_better: true, workflows: ["debate"], version: 1 } as const;

export const CITATION_METRICS: readonly Metric[] = [
  {
    ...RATE,
    name: "citation_correctness",
    summary:
      "Share of the citations that were shown, are quoted correctly and are judged to support (Silva et al., 4.2).",
    needs: [],
    score: ({ output }) => correctness(output as Cited),
  },
  {
    ...RATE,
    name: "citation_coverage",
    summary: "Share of the gold sources that were cited, and that were retrieved (Silva et al., 4.2).",
    needs: ["authorities"],
    score: ({ output }, { gold }) => {
      const { citations, retrieved } = output as Cited;
      return {
        cited: coverage(citations, gold!.authorities!),
        retrieved: retrieved ? coverage(retrieved, gold!.authorities!) : null,
      };
    },
  },
  {
    ...RATE,
    name: "citation_f1",
    summary: "Harmonic mean of the correctness and the coverage of citations; 0 without citations (Silva et al., 4.2).",
    needs: ["authorities"],
    score: ({ output }, { gold }) =>
      harmonic(correctness(output as Cited), coverage((output as Cited).citations, gold!.authorities!)),
  },
];
