/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): how little the very first ranks stand out. */
const K = 60;

/**
 * Fuses rankings: each gives an entry 1 / (60 + its rank), from 1. Scores of different measures cannot be added; ranks can.
 * @param rankings ids, best first
 * @returns ids with their sums, best first; where sums are equal, the lower id
 */
export function fuseRanks(rankings: readonly (readonly number[])[]): { id: number; score: number }[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings) ranking.forEach((id, at) => scores.set(id, (scores.get(id) ?? 0) + 1 / (K + at + 1)));
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
}
