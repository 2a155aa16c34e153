import type { NamedModel } from "./metrics/models";
import { comparableName, typeName } from "./metrics/models";

type Entity = NamedModel["entities"][number];

/**
 * Which names of a model mean names of the gold: pairs of one type, the most similar first, each name at most once, from a least similarity on.
 * Names that are equal but for case, articles and plurals have the similarity 1.
 * @returns names of the gold by names of the model
 */
export function similarNames(
  found: readonly Entity[],
  right: readonly Entity[],
  similarity: (one: string, other: string) => number,
  threshold: number,
): Map<string, string> {
  const alike = (one: string, other: string) =>
    comparableName(one) === comparableName(other) ? 1 : similarity(one, other);
  const pairs = found
    .flatMap((one) =>
      right
        .filter(({ type }) => typeName(type) === typeName(one.type))
        .map((other) => ({ one, other, value: alike(one.name, other.name) })),
    )
    .filter(({ value }) => value >= threshold)
    .toSorted((first, second) => second.value - first.value);
  const taken = new Set<Entity>();
  const names = new Map<string, string>();
  for (const { one, other } of pairs) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
    names.set(one.name, other.name);
  }
  return names;
}
