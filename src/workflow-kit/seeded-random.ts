import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { mersenne } from "pure-rand/generator/mersenne";
import { shuffle } from "simple-statistics";

/** Numbers from 0 to below 1 that a seed decides; seeds that lie near each other give numbers that do not. */
export function seededRandom(seed: number): () => number {
  const generator = mersenne(seed);
  return () => uniformFloat64(generator);
}

/** Items in an order that a seed decides. */
export const shuffled = <T>(items: readonly T[], seed: number): T[] => shuffle([...items], seededRandom(seed));
