import type { Entity, Relation, Relations } from "../artifacts";
import { allows, NO_RELATION } from "./metamodels";
import type { Metamodel } from "./metamodel";

/**
 * A pair of entities between which the metamodel allows a relation. Each pair gets an explicit decision, `none` included
 * (MARE, II-B: "decides whether a certain relationship exists between any pair of entities").
 */
export interface Pair {
  /** p1, p2, … in the order of the entities. */
  id: string;
  a: Entity;
  b: Entity;
  /** The allowed relations between the two. */
  choices: readonly Relation[];
}

type Decision = Relations["decisions"][number];

/** Pairs and relations, sorted by decision. */
export interface PairResolution {
  relations: Relation[];
  none: Pair[];
  /** Pairs without a decision, or with a decision that the metamodel does not allow. */
  undecided: Pair[];
}

function choicesBetween(a: Entity, b: Entity, metamodel: Metamodel): Relation[] {
  return metamodel.relation_types.flatMap((type) => {
    const choices: Relation[] = [];
    if (allows(type, a.type, b.type)) choices.push({ type: type.name, from: a.id, to: b.id });
    if (allows(type, b.type, a.type)) choices.push({ type: type.name, from: b.id, to: a.id });
    return choices;
  });
}

/** Every unordered pair of different entities between which at least one relation type is allowed. */
export function allowedPairs(entities: readonly Entity[], metamodel: Metamodel): Pair[] {
  const pairs: Pair[] = [];
  entities.forEach((a, index) => {
    for (const b of entities.slice(index + 1)) {
      const choices = choicesBetween(a, b, metamodel);
      if (choices.length > 0) pairs.push({ id: `p${pairs.length + 1}`, a, b, choices });
    }
  });
  return pairs;
}

/** The allowed relation that a decision names; undefined when it names none. */
function chosen(pair: Pair, decision: Decision): Relation | undefined {
  const named = pair.choices.filter((choice) => choice.type.toLowerCase() === decision.relation.trim().toLowerCase());
  // When only one direction is allowed, `from` is ignored.
  return named.length === 1 ? named[0] : named.find((choice) => choice.from === decision.from);
}

/** Sorts pairs by the first usable decision on each. */
export function resolvePairs(pairs: readonly Pair[], decisions: readonly Decision[]): PairResolution {
  const resolution: PairResolution = { relations: [], none: [], undecided: [] };
  for (const pair of pairs) {
    let settled: Relation | typeof NO_RELATION | undefined;
    for (const decision of decisions) {
      if (decision.pair.trim() !== pair.id) continue;
      settled ??= decision.relation.trim().toLowerCase() === NO_RELATION ? NO_RELATION : chosen(pair, decision);
    }
    if (settled === undefined) resolution.undecided.push(pair);
    else if (settled === NO_RELATION) resolution.none.push(pair);
    else resolution.relations.push(settled);
  }
  return resolution;
}

/** Slices of at most `size` items: as few as possible, of nearly equal length. */
export function batches<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  const start = (index: number) => Math.floor((index * items.length) / count);
  return Array.from({ length: count }, (_, index) => items.slice(start(index), start(index + 1)));
}
