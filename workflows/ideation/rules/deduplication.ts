import type { ClosePair, Drop } from "../artifacts";
import { ideaNameKey } from "./names";
import type { Similarities } from "./similarity";

/**
 * Keeps ideas in order, except those whose similarity to an earlier kept idea is above the threshold, or that have the name of one
 * (spec, step 6). `cause` tells the two apart.
 * @param similarities similarities of the ideas, in their order
 * @param closest_count number of the most similar pairs of kept ideas to return, most similar first
 */
export function dropDuplicates(
  ideas: readonly { id: string; name: string }[],
  similarities: Similarities,
  threshold: number,
  closest_count = 0,
): { kept: string[]; dropped: Drop[]; closest: Pick<ClosePair, "ideas" | "similarity">[] } {
  const search = similarities.search();
  const closest = new ClosestPairs(closest_count);
  const named = new Map<string, number>();
  const kept: string[] = [];
  const dropped: Drop[] = [];
  for (const [place, { id, name }] of ideas.entries()) {
    const near = search.near(place, Math.min(threshold, closest.floor));
    const alike = near.find(({ similarity }) => similarity > threshold);
    const namesake = named.get(ideaNameKey(name));
    if (alike && alike.place <= (namesake ?? alike.place)) {
      const because = { similar_to: ideas[alike.place]!.id, similarity: rounded(alike.similarity) };
      dropped.push({ idea: id, because: { cause: "similar", ...because } });
    } else if (namesake !== undefined)
      dropped.push({ idea: id, because: { cause: "same_name", similar_to: ideas[namesake]!.id } });
    else {
      search.keep(place);
      for (const { place: earlier, similarity } of near) closest.offer({ earlier, later: place, similarity });
      named.set(ideaNameKey(name), place);
      kept.push(id);
    }
  }
  return {
    kept,
    dropped,
    closest: closest.pairs.map(({ earlier, later, similarity }) => ({
      ideas: [ideas[earlier]!.id, ideas[later]!.id],
      similarity: rounded(similarity),
    })),
  };
}

interface Pair {
  earlier: number;
  later: number;
  similarity: number;
}

/** The most similar of all offered pairs, most similar first. */
export class ClosestPairs {
  readonly pairs: Pair[] = [];
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  /** A pair must have a similarity above this to enter. */
  get floor(): number {
    if (this.most === 0) return Infinity;
    return this.pairs.length < this.most ? -Infinity : this.pairs.at(-1)!.similarity;
  }

  offer(pair: Pair): void {
    if (pair.similarity <= this.floor) return;
    const place = this.pairs.findIndex(({ similarity }) => similarity < pair.similarity);
    this.pairs.splice(place < 0 ? this.pairs.length : place, 0, pair);
    this.pairs.length = Math.min(this.pairs.length, this.most);
  }
}

/** Drops the later idea of each pair that the ranker called the same idea; a dropped idea drops no other. */
export function dropsByVerdict(order: readonly string[], pairs: readonly ClosePair[]): Drop[] {
  const place = new Map(order.map((id, index) => [id, index]));
  const drops = new Map<string, Drop>();
  const inOrder = pairs.toSorted((one, other) => place.get(one.ideas[0])! - place.get(other.ideas[0])!);
  for (const { ideas, similarity, verdict } of inOrder) {
    const [earlier, later] = ideas;
    if (!verdict?.same || drops.has(earlier) || drops.has(later)) continue;
    const { reason } = verdict;
    drops.set(later, { idea: later, because: { cause: "same_idea", similar_to: earlier, similarity, reason } });
  }
  return [...drops.values()];
}

export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
