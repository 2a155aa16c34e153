import type { Entity, Relation, Relations } from "../artifacts";
import { allows, NO_RELATION } from "./metamodels";
import type { Metamodel } from "./metamodel";

/**
 * The pairs of entities that the metamodel allows a relation between. Each gets an explicit decision, `none` included
 * (MARE, II-B: "decides whether a certain relationship exists between any pair of entities").
 */
export interface Pair {
  /** p1, p2, … in the order of the entities. */
  id: string;
  a: Entity;
  b: Entity;
  /** What may hold between the two. */
  choices: readonly Relation[];
}

type Decision = Relations["decisions"][number];

/** What the decisions on some pairs came to. */
export interface Settlement {
  relations: Relation[];
  none: Pair[];
  /** Pairs without a usable decision: none, or one that the metamodel does not allow. */
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

/** Every unordered pair of different entities that at least one relation type may join. */
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

/** The relation that a decision means; undefined when it means none that is allowed. */
function chosen(pair: Pair, decision: Decision): Relation | undefined {
  const named = pair.choices.filter((choice) => choice.type.toLowerCase() === decision.relation.trim().toLowerCase());
  // Where one direction alone is allowed, `from` says nothing new, and a wrong one does no harm.
  return named.length === 1 ? named[0] : named.find((choice) => choice.from === decision.from);
}

/** Sorts pairs by the first usable decision on each. */
export function settle(pairs: readonly Pair[], decisions: readonly Decision[]): Settlement {
  const settlement: Settlement = { relations: [], none: [], undecided: [] };
  for (const pair of pairs) {
    let settled: Relation | typeof NO_RELATION | undefined;
    for (const decision of decisions) {
      if (decision.pair.trim() !== pair.id) continue;
      settled ??= decision.relation.trim().toLowerCase() === NO_RELATION ? NO_RELATION : chosen(pair, decision);
    }
    if (settled === undefined) settlement.undecided.push(pair);
    else if (settled === NO_RELATION) settlement.none.push(pair);
    else settlement.relations.push(settled);
  }
  return settlement;
}

/** As few slices of at most `size` items as there can be, all but equally long. */
export function batches<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  const start = (index: number) => Math.floor((index * items.length) / count);
  return Array.from({ length: count }, (_, index) => items.slice(start(index), start(index + 1)));
}
