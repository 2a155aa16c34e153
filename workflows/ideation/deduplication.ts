import type { Drop } from "./artifacts";
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

export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
