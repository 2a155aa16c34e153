import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { mersenne } from "pure-rand/generator/mersenne";
import { shuffle } from "simple-statistics";

/** A pseudo-random generator of numbers in [0, 1). Adjacent seeds give unrelated sequences. */
export function seededRandom(seed: number): () => number {
  const generator = mersenne(seed);
  return () => uniformFloat64(generator);
}

/** Items shuffled with a seed. */
export const shuffled = <T>(items: readonly T[], seed: number): T[] => shuffle([...items], seededRandom(seed));
