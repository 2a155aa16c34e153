import { shuffled } from "#workflow-kit/seeded-random";

/**
 * Pairs of own and other proposals, drawn with a seed: both lists are shuffled and run side by side, the shorter one over and over, so that each
 * proposal is in as many pairs as others of its list, give or take one. No pair comes twice.
 */
export function proposalPairs<T>(own: readonly T[], other: readonly T[], most: number, seed: number): [T, T][] {
  const [left, right] = [shuffled(own, seed), shuffled(other, seed + 1)];
  const [rows, columns] = [left.length, right.length];
  const all = rows * columns;
  // A diagonal of the table of all pairs; after each full turn the next diagonal.
  const turn = rows && columns ? lcm(rows, columns) : 1;
  return Array.from({ length: Math.min(most, all) }, (_, index) => {
    const shift = Math.floor(index / turn);
    return [left[index % rows]!, right[(index + shift) % columns]!];
  });
}

function lcm(a: number, b: number): number {
  const gcd = (x: number, y: number): number => (y === 0 ? x : gcd(y, x % y));
  return (a / gcd(a, b)) * b;
}
