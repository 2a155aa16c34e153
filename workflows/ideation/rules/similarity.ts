import type { Idea } from "../artifacts";

/** Above these, ideas are duplicates. The encoder's is the paper's; the lexical one was measured (`npm run lexical-agreement`). */
export const THRESHOLDS = { embedding: 0.8, lexical: 0.6 } as const;

/** An idea as it is compared (spec, step 6): its name, then a line for each field. */
export const comparedText = (idea: Idea): string =>
  [
    idea.name,
    `Problem: ${idea.problem}`,
    `Existing Methods: ${idea.existing_methods}`,
    `Motivation: ${idea.motivation}`,
    `Proposed Method: ${idea.proposed_method}`,
    `Experiment Plan: ${idea.experiment_plan}`,
  ].join("\n");

/** How alike some texts are, two by two: 0 to 1, for vectors also below 0. Texts are named by their places. */
export interface Similarities {
  readonly count: number;
  /** Of one text with each of those before it. */
  before(place: number): Float64Array;
  /** For who goes through the texts in order and keeps some of them. */
  search(): Search;
}

export interface Search {
  /** Those of the kept texts, in order, to which this one is more alike than the floor; texts are asked for in order. */
  near(place: number, floor: number): Alike[];
  keep(place: number): void;
}

export interface Alike {
  place: number;
  similarity: number;
}

/** A search that looks at every similarity. */
export function plainSearch(before: Similarities["before"]): Search {
  const kept: number[] = [];
  return {
    near(place, floor) {
      const similarities = before(place);
      return kept
        .filter((other) => similarities[other]! > floor)
        .map((other) => ({ place: other, similarity: similarities[other]! }));
    },
    keep: (place) => void kept.push(place),
  };
}

/** All similarities of some texts, worked out when the first is asked for. */
export function pairwise(similarities: Similarities): (one: number, other: number) => number {
  let rows: Float64Array[] | null = null;
  return (one, other) => {
    rows ??= Array.from({ length: similarities.count }, (_, place) => similarities.before(place));
    return one === other ? 1 : rows[Math.max(one, other)]![Math.min(one, other)]!;
  };
}
