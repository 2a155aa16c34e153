/** Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009); larger values flatten the top ranks. */
const K = 60;

/**
 * Fuses rankings: each adds 1 / (60 + rank) to an entry, ranks from 1. Unlike ranks, scores of different measures cannot be added.
 * @param rankings ids, best first
 * @returns ids with their sums, best first; equal sums by ascending id
 */
export function fuseRanks(rankings: readonly (readonly number[])[]): { id: number; score: number }[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings) ranking.forEach((id, at) => scores.set(id, (scores.get(id) ?? 0) + 1 / (K + at + 1)));
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
}
