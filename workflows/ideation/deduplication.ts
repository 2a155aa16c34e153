import type { ClosePair, Drop } from "./artifacts";
import { nameKey } from "./names";
import type { Similarities } from "./similarity";

/**
 * Goes through ideas in order: each that is still there is kept, and drops every later one that is more alike than the threshold, or has
 * its name (spec, step 6). Of a name that unlike ideas share the first survives, and the cause says so.
 * @param similarities of the ideas, in their order
 */
export function deduplicated(
  ideas: readonly { id: string; name: string }[],
  similarities: Similarities,
  threshold: number,
): { kept: string[]; dropped: Drop[] } {
  const names = ideas.map(({ name }) => nameKey(name));
  const drops = new Map<number, Drop>();
  const kept: string[] = [];
  for (const [place, { id }] of ideas.entries()) {
    if (drops.has(place)) continue;
    kept.push(id);
    const alike = similarities.after(place, threshold);
    for (let later = place + 1; later < ideas.length; later++) {
      if (drops.has(later)) continue;
      const similarity = alike[later]!;
      const idea = ideas[later]!.id;
      if (similarity > threshold)
        drops.set(later, { idea, because: { cause: "similar", similar_to: id, similarity: rounded(similarity) } });
      else if (names[later] === names[place])
        drops.set(later, { idea, because: { cause: "same_name", similar_to: id } });
    }
  }
  return { kept, dropped: [...drops].toSorted(([one], [other]) => one - other).map(([, drop]) => drop) };
}

/**
 * The most alike pairs, most alike first.
 * @param similarities of the ideas, in their order
 * @param count at least 1
 */
export function closestPairs(
  ideas: readonly { id: string }[],
  similarities: Similarities,
  count: number,
): Pick<ClosePair, "ideas" | "similarity">[] {
  const best: { one: number; other: number; similarity: number }[] = [];
  for (let one = 0; one < ideas.length; one++) {
    const alike = similarities.after(one, best.length < count ? undefined : best.at(-1)!.similarity);
    for (let other = one + 1; other < ideas.length; other++) {
      const similarity = alike[other]!;
      if (best.length === count && similarity <= best.at(-1)!.similarity) continue;
      const place = best.findIndex((pair) => pair.similarity < similarity);
      best.splice(place < 0 ? best.length : place, 0, { one, other, similarity });
      best.length = Math.min(best.length, count);
    }
  }
  return best.map(({ one, other, similarity }) => ({
    ideas: [ideas[one]!.id, ideas[other]!.id],
    similarity: rounded(similarity),
  }));
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
