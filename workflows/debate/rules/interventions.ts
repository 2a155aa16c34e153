import type { Brief, Pruning } from "../artifacts";

export const INTERVENTIONS = ["diversity_pruning", "quality_pruning", "misconception_refutation"] as const;
export type Intervention = (typeof INTERVENTIONS)[number];
import { debaterName, type Statement } from "./topology";

/**
 * Interventions on what a debater reads: our reading of Estornell and Liu (2024). Diversity pruning keeps the briefs that differ most,
 * so that echoes carry no weight; quality pruning keeps those nearest to the question. Both leave about half, and the first at least
 * two, since one brief alone is not diverse.
 */

/** The words of a brief that argue. */
export const argumentOf = ({ claims, rebuts, application }: Brief): string =>
  [...claims, ...rebuts.map(({ answer }) => answer), application].join("\n");

/** Likeness of texts by their places in a list, 0 to 1. */
export type Likeness = (one: number, other: number) => number;

/** Likeness by vectors of unit length. */
export const byVectors =
  (vectors: readonly Float32Array[], cosine: (one: Float32Array, other: Float32Array) => number): Likeness =>
  (one, other) =>
    cosine(vectors[one]!, vectors[other]!);

/** Likeness by words that texts share (Jaccard), for any script that sets words apart. */
export function bySharedWords(texts: readonly string[]): Likeness {
  const words = texts.map(
    (text) =>
      new Set(
        text
          .normalize("NFKC")
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

/** The places that differ most: the farthest pair, then always the one farthest from those taken. Earlier places win ties. */
export function mostDiverse(places: readonly number[], likeness: Likeness, count: number): number[] {
  if (places.length <= count) return [...places];
  const nearest = (place: number, taken: readonly number[]) =>
    Math.max(...taken.map((other) => likeness(place, other)));
  let first = [places[0]!, places[1]!];
  for (const [index, one] of places.entries())
    for (const other of places.slice(index + 1))
      if (likeness(one, other) < likeness(first[0]!, first[1]!)) first = [one, other];
  const taken = first.slice(0, count);
  while (taken.length < count) {
    const left = places.filter((place) => !taken.includes(place));
    taken.push(left.reduce((best, place) => (nearest(place, taken) < nearest(best, taken) ? place : best)));
  }
  return places.filter((place) => taken.includes(place));
}

/** The places nearest to another one. */
export const nearestTo = (target: number, places: readonly number[], likeness: Likeness, count: number): number[] => {
  const best = places.toSorted((one, other) => likeness(other, target) - likeness(one, target)).slice(0, count);
  return places.filter((place) => best.includes(place));
};

type Prunings = Extract<Intervention, "diversity_pruning" | "quality_pruning">;

export const prunes = (interventions: readonly Intervention[]): Prunings[] =>
  (["quality_pruning", "diversity_pruning"] as const).filter((name) => interventions.includes(name));

/**
 * What is left of what each debater would read.
 * @param statements the texts of `likeness`, in its order; the question comes after them
 */
export function prune(
  visible: ReadonlyMap<number, readonly Statement[]>,
  statements: readonly Statement[],
  likeness: Likeness,
  by: readonly Prunings[],
): Pick<Pruning, "kept" | "dropped"> & { left: Map<number, Statement[]> } {
  const left = new Map<number, Statement[]>();
  const dropped: Pruning["dropped"] = {};
  for (const [reader, all] of visible) {
    let places = all.map((statement) => statements.indexOf(statement));
    const out: Pruning["dropped"][string] = [];
    for (const because of by) {
      const kept =
        because === "quality_pruning"
          ? nearestTo(statements.length, places, likeness, Math.max(1, half(places.length)))
          : mostDiverse(places, likeness, Math.max(2, half(places.length)));
      const gone = places.filter((place) => !kept.includes(place));
      out.push(...gone.map((place) => ({ debater: debaterName(statements[place]!.debater), because })));
      places = kept;
    }
    left.set(
      reader,
      places.map((place) => statements[place]!),
    );
    dropped[debaterName(reader)] = out;
  }
  const kept = Object.fromEntries(
    [...left].map(([reader, read]) => [debaterName(reader), read.map(({ debater }) => debaterName(debater))]),
  );
  return { left, kept, dropped };
}
