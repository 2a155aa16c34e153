import type { Idea } from "../artifacts";

/** Ideas above these similarities are duplicates. `embedding` is the paper's, for its encoder; `lexical` was measured (`npm run lexical-agreement`). */
export const THRESHOLDS = { embedding: 0.8, lexical: 0.6 } as const;

/** The text of an idea for comparison (spec, step 6): its name, then a line for each field. */
export const comparedText = (idea: Idea): string =>
  [
    idea.name,
    `Problem: ${idea.problem}`,
    `Existing Methods: ${idea.existing_methods}`,
    `Motivation: ${idea.motivation}`,
    `Proposed Method: ${idea.proposed_method}`,
    `Experiment Plan: ${idea.experiment_plan}`,
  ].join("\n");

/** Pairwise similarities of texts: 0 to 1, for vectors also below 0. Texts are named by their places in a list. */
export interface Similarities {
  readonly count: number;
  /** Similarities of one text to each text before it. */
  before(place: number): Float64Array;
  /** For a pass over the texts in order that keeps some of them. */
  search(): Search;
}

export interface Search {
  /** The kept texts, in order, whose similarity to this text is above the floor. Call it with ascending places. */
  near(place: number, floor: number): SimilarText[];
  keep(place: number): void;
}

export interface SimilarText {
  place: number;
  similarity: number;
}

/** A search that computes every similarity. */
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

/** All similarities of texts, computed at the first call. */
export function pairwise(similarities: Similarities): (one: number, other: number) => number {
  let rows: Float64Array[] | null = null;
  return (one, other) => {
    rows ??= Array.from({ length: similarities.count }, (_, place) => similarities.before(place));
    return one === other ? 1 : rows[Math.max(one, other)]![Math.min(one, other)]!;
  };
}
