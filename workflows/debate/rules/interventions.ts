import { normalForm } from "#workflow-kit/text";
import type { Brief, Pruning } from "../artifacts";
import { debaterName, type Statement } from "./topology";

/**
 * Interventions in the briefs that a debater reads: our reading of Estornell and Liu (2024). Diversity pruning keeps the briefs that
 * differ most, so that repetitions carry no weight; quality pruning keeps those nearest to the question. Both keep about half, and
 * diversity pruning at least two, because one brief alone is not diverse.
 */
export const INTERVENTIONS = ["diversity_pruning", "quality_pruning", "misconception_refutation"] as const;
export type Intervention = (typeof INTERVENTIONS)[number];

/** The argument of a brief as one text: claims, rebuttals and application. */
export const argumentOf = ({ claims, rebuts, application }: Brief): string =>
  [...claims, ...rebuts.map(({ answer }) => answer), application].join("\n");

/** Similarity of two texts, named by their places in a list: 0 to 1. */
export type Similarity = (one: number, other: number) => number;

/** Similarity by vectors of unit length. */
export const byVectors =
  (vectors: readonly Float32Array[], cosine: (one: Float32Array, other: Float32Array) => number): Similarity =>
  (one, other) =>
    cosine(vectors[one]!, vectors[other]!);

/** Similarity by shared words (Jaccard), for any script that separates words. */
export function bySharedWords(texts: readonly string[]): Similarity {
  const words = texts.map(
    (text) =>
      new Set(
        normalForm(text, "NFKC")
          .toLowerCase()
          .match(/[\p{L}\p{N}]+/gu),
      ),
  );
  return (one, other) => {
    const union = words[one]!.union(words[other]!).size;
    return union === 0 ? 1 : words[one]!.intersection(words[other]!).size / union;
  };
}

const half = (count: number): number => Math.ceil(count / 2);

/** The texts that differ most: the farthest pair, then repeatedly the text farthest from those taken. Earlier texts win ties. */
export function mostDiverse(places: readonly number[], similarity: Similarity, count: number): number[] {
  if (places.length <= count) return [...places];
  const nearest = (place: number, taken: readonly number[]) =>
    Math.max(...taken.map((other) => similarity(place, other)));
  let first = [places[0]!, places[1]!];
  for (const [index, one] of places.entries())
    for (const other of places.slice(index + 1))
      if (similarity(one, other) < similarity(first[0]!, first[1]!)) first = [one, other];
  const taken = first.slice(0, count);
  while (taken.length < count) {
    const remaining = places.filter((place) => !taken.includes(place));
    taken.push(remaining.reduce((best, place) => (nearest(place, taken) < nearest(best, taken) ? place : best)));
  }
  return places.filter((place) => taken.includes(place));
}

/** The texts nearest to a target text. */
export const nearestTo = (
  target: number,
  places: readonly number[],
  similarity: Similarity,
  count: number,
): number[] => {
  const best = places.toSorted((one, other) => similarity(other, target) - similarity(one, target)).slice(0, count);
  return places.filter((place) => best.includes(place));
};

type PruningName = Extract<Intervention, "diversity_pruning" | "quality_pruning">;

export const pruningsIn = (interventions: readonly Intervention[]): PruningName[] =>
  (["quality_pruning", "diversity_pruning"] as const).filter((name) => interventions.includes(name));

/**
 * Removes briefs from the reading of each debater.
 * @param visible by reader: the statements that it would read
 * @param statements the statements that `similarity` compares, in its order; its last text is the question
 */
export function prune(
  visible: ReadonlyMap<number, readonly Statement[]>,
  statements: readonly Statement[],
  similarity: Similarity,
  by: readonly PruningName[],
): Pick<Pruning, "kept" | "dropped"> & { remaining: Map<number, Statement[]> } {
  const remaining = new Map<number, Statement[]>();
  const dropped: Pruning["dropped"] = {};
  for (const [reader, all] of visible) {
    let places = all.map((statement) => statements.indexOf(statement));
    const out: Pruning["dropped"][string] = [];
    for (const because of by) {
      const kept =
        because === "quality_pruning"
          ? nearestTo(statements.length, places, similarity, Math.max(1, half(places.length)))
          : mostDiverse(places, similarity, Math.max(2, half(places.length)));
      const removed = places.filter((place) => !kept.includes(place));
      out.push(...removed.map((place) => ({ debater: debaterName(statements[place]!.debater), because })));
      places = kept;
    }
    remaining.set(
      reader,
      places.map((place) => statements[place]!),
    );
    dropped[debaterName(reader)] = out;
  }
  const kept = Object.fromEntries(
    [...remaining].map(([reader, read]) => [debaterName(reader), read.map(({ debater }) => debaterName(debater))]),
  );
  return { remaining, kept, dropped };
}
