import type { ClosePair, Drop } from "../artifacts";
import { nameKey } from "./names";
import type { Similarities } from "./similarity";

/**
 * Goes through ideas in order: each that is still there is kept, and drops every later one that is more alike than the threshold, or has
 * its name (spec, step 6). Of a name that unlike ideas share the first survives, and the cause says so.
 * @param similarities of the ideas, in their order
 * @param told so many of the most alike pairs of kept ideas are told of, most alike first
 */
export function deduplicated(
  ideas: readonly { id: string; name: string }[],
  similarities: Similarities,
  threshold: number,
  told = 0,
): { kept: string[]; dropped: Drop[]; closest: Pick<ClosePair, "ideas" | "similarity">[] } {
  const search = similarities.search();
  const closest = new MostAlike(told);
  const named = new Map<string, number>();
  const kept: string[] = [];
  const dropped: Drop[] = [];
  for (const [place, { id, name }] of ideas.entries()) {
    const near = search.near(place, Math.min(threshold, closest.floor));
    const alike = near.find(({ similarity }) => similarity > threshold);
    const namesake = named.get(nameKey(name));
    if (alike && alike.place <= (namesake ?? alike.place)) {
      const because = { similar_to: ideas[alike.place]!.id, similarity: rounded(alike.similarity) };
      dropped.push({ idea: id, because: { cause: "similar", ...because } });
    } else if (namesake !== undefined)
      dropped.push({ idea: id, because: { cause: "same_name", similar_to: ideas[namesake]!.id } });
    else {
      search.keep(place);
      for (const { place: earlier, similarity } of near) closest.offer({ earlier, later: place, similarity });
      named.set(nameKey(name), place);
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

/** The most alike of the pairs that it is offered, most alike first. */
export class MostAlike {
  readonly pairs: Pair[] = [];
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  /** What is not above it is not among them. */
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

/** The later one of each pair that the ranker holds for the same idea; what was dropped drops nothing. */
export function sameIdeas(order: readonly string[], pairs: readonly ClosePair[]): Drop[] {
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
