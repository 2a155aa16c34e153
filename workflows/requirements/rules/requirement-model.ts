import { normalForm } from "#workflow-kit/text";
import type {
  CheckMessage,
  Entities,
  Entity,
  ExtractedModel,
  Relation,
  RelationList,
  RequirementModel,
  Smell,
} from "../artifacts";
import { isTraced, type DraftLine } from "./draft-lines";
import { allows } from "./metamodels";
import type { EntityType, Metamodel } from "./metamodel";
import { allowedPairs, type PairResolution } from "./pairs";

/** What a model is about. */
export interface ModelHeader {
  model_kind: string;
  title: string;
}

/** Normalises a name for comparison: case, runs of spaces, and punctuation at the ends are ignored. */
export const normalized = (text: string): string =>
  normalForm(text, "NFKC")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .replace(/^[\p{P}\s]+|(?<![\p{P}\s])[\p{P}\s]+$/gu, "");

const sameEntity = (a: Pick<Entity, "type" | "name">, b: Pick<Entity, "type" | "name">): boolean =>
  a.type === b.type && normalized(a.name) === normalized(b.name);

/** Drops nameless entities and those with the type and name of an earlier one, and numbers the others e1, e2 … */
export function numberEntities(entities: Entities["entities"]): Entity[] {
  const found: Omit<Entity, "id">[] = [];
  for (const entity of entities) {
    const known = found.some((other) => sameEntity(entity, other));
    if (!known && entity.name.trim() !== "") found.push(trimmed(entity));
  }
  return found.map((entity, index) => ({ id: `e${index + 1}`, ...entity }));
}

const trimmed = ({ type, name, description, requirements }: Entities["entities"][number]): Omit<Entity, "id"> => ({
  type,
  name: name.trim(),
  description: description.trim(),
  requirements: requirements.map((id) => id.trim()),
});

/** Keeps the first of the entities with one name: calls for different types do not see each other's answers. */
export const oncePerName = (entities: Entities["entities"]): Entities["entities"] =>
  entities.filter(
    ({ name }, index) => entities.findIndex((other) => normalized(other.name) === normalized(name)) === index,
  );

/** The entities of an improved model, and those of them that are new or of another type: other words or requirements change no relation. */
export interface ImprovedEntities {
  entities: Entity[];
  changed: Entity[];
}

/**
 * Puts the changes of an improvement into the entities of the earlier model: entities keep their ids, new ones get the next free number.
 * An entity that is both removed and listed stays, as it is listed. One that is listed under another type than before changes its type.
 */
export function improveEntities(earlier: readonly Entity[], { entities: listed, removed }: Entities): ImprovedEntities {
  const given = numberEntities(listed);
  const named = (name: string) => given.find((one) => normalized(one.name) === normalized(name));
  const gone = new Set(removed.map(normalized));
  const improvements: Entity[] = [];
  const retyped: Entity[] = [];
  const kept = earlier.flatMap((entity) => {
    const now = given.find((one) => sameEntity(one, entity)) ?? named(entity.name);
    if (!now) return gone.has(normalized(entity.name)) ? [] : [entity];
    const improved = { ...now, id: entity.id };
    improvements.push(improved);
    if (improved.type !== entity.type) retyped.push(improved);
    return [improved];
  });
  let last = Math.max(0, ...earlier.map(({ id }) => Number(/\d+$/u.exec(id)?.[0] ?? 0)));
  const added = given
    .filter((one) => !improvements.some((other) => sameEntity(one, other)))
    .map((entity) => ({ ...entity, id: `e${++last}` }));
  return { entities: [...kept, ...added], changed: [...retyped, ...added] };
}

/** The errors of found entities, in sentences for the model that found them. */
export function entityErrors({ entities }: Entities, wanted: readonly EntityType[]): string[] {
  const types = wanted.map(({ name }) => name);
  const typesOf = new Map<string, Set<string>>();
  for (const { name, type } of entities)
    typesOf.set(normalized(name), (typesOf.get(normalized(name)) ?? new Set()).add(type));
  return [
    ...entities.filter(({ name }) => name.trim() === "").map((_, index) => `A name is empty (${index + 1}).`),
    ...entities
      .filter(({ type }) => !types.includes(type))
      .map(({ name, type }) => `"${name}" has the type "${type}". Types are: ${types.join(", ")}.`),
    ...[...typesOf]
      .filter(([, its]) => its.size > 1)
      .map(
        ([name, its]) =>
          `"${name}" is under ${[...its].join(" and ")}. List it once, under the type that fits it best.`,
      ),
  ];
}

/** The errors of listed relations, in sentences for the model that listed them. */
export function relationFaults(
  relations: RelationList["relations"],
  entities: readonly Entity[],
  metamodel: Metamodel,
): string[] {
  const known = new Map(entities.map(({ id, type }) => [id, type]));
  return relations.flatMap((relation) => relationError(directed(relation, known, metamodel), known, metamodel));
}

/** Merges the model M of one iteration from explicit decisions on pairs: entities, relations, and the counts of the pairs. */
export function mergeModel(header: ModelHeader, entities: Entity[], resolution: PairResolution): RequirementModel {
  const { relations, none, undecided } = resolution;
  return {
    ...header,
    entities,
    relations,
    pairs: {
      allowed: relations.length + none.length + undecided.length,
      related: relations.length,
      none: none.length,
      undecided: undecided.map((pair) => [pair.a.id, pair.b.id]),
    },
  };
}

/**
 * Merges the model M from listed relations. Each pair has the first relation that was listed for it; relations of unknown entities or that the
 * metamodel does not allow, which a person's edit may contain, are dropped. Pairs that are not listed have no relation.
 */
export function mergeListedModel(
  header: ModelHeader,
  entities: Entity[],
  listed: readonly Relation[],
  metamodel: Metamodel,
): RequirementModel {
  const known = new Map(entities.map(({ id, type }) => [id, type]));
  const byPair = new Map<string, Relation>();
  for (const one of listed) {
    const relation = directed(one, known, metamodel);
    if (relationError(relation, known, metamodel).length > 0) continue;
    const pair = [relation.from, relation.to].toSorted().join("\n");
    if (!byPair.has(pair)) byPair.set(pair, relation);
  }
  const relations = [...byPair.values()];
  const allowed = allowedPairs(entities, metamodel).length;
  return {
    ...header,
    entities,
    relations,
    pairs: { allowed, related: relations.length, none: allowed - relations.length, undecided: [] },
  };
}

/**
 * The model of the ablation, with new ids, and each relation once. Relations of unknown entities are dropped: `errorsOf` refuses them in a
 * model's output, but a person's edit may contain them.
 */
export function mergeExtractedModel(
  header: { model_kind: string; title: string },
  extracted: ExtractedModel,
): RequirementModel {
  const ids = new Map(extracted.entities.map((entity, index) => [entity.id, `e${index + 1}`]));
  const entities = extracted.entities.map((entity, index) => ({ ...entity, id: `e${index + 1}` }));
  const relations = new Map<string, Relation>();
  for (const { type, from, to } of extracted.relations) {
    const [start, end] = [ids.get(from), ids.get(to)];
    if (start && end) relations.set(JSON.stringify([type, start, end]), { type, from: start, to: end });
  }
  return { ...header, entities, relations: [...relations.values()], pairs: null };
}

/** The requirements that an entity rests on: those that it names; of one that names none, those that contain its name. */
export const requirementsOf = ({ name, requirements }: Entity, lines: readonly DraftLine[]): string[] =>
  requirements && requirements.length > 0
    ? requirements
    : lines
        .filter(({ id, text }) => isTraced(id) && ` ${text.toLowerCase()}`.includes(` ${name.toLowerCase()}`))
        .map(({ id }) => id);

/** Relations as text, for prompts: `Customer -> association -> Withdraw cash`. */
export function describeRelations(model: RequirementModel): string[] {
  const names = new Map(model.entities.map((entity) => [entity.id, entity.name]));
  return model.relations.map(({ type, from, to }) => `${names.get(from)} -> ${type} -> ${names.get(to)}`);
}

/** The same, with the ends of relations of one type and one start in one line: `Customer -> association -> Withdraw cash; Deposit money`. */
export function joinedRelations({ entities, relations }: RequirementModel): string[] {
  const names = new Map(entities.map(({ id, name }) => [id, name]));
  const groups = Map.groupBy(relations, ({ type, from }) => `${names.get(from)} -> ${type} -> `);
  return [...groups].map(([start, those]) => start + those.map(({ to }) => names.get(to)).join("; "));
}

/** The errors of an extracted model, in sentences for the model that wrote it. */
export function errorsOf(model: ExtractedModel, metamodel: Metamodel): string[] {
  const errors: string[] = [];
  const types = metamodel.entity_types.map((type) => type.name);
  const known = new Map<string, string>();
  for (const { id, type, name } of model.entities) {
    if (known.has(id)) errors.push(`The entity id ${id} is used twice. Give each entity its own id.`);
    if (name.trim() === "") errors.push(`Entity ${id} has no name.`);
    if (!types.includes(type))
      errors.push(`Entity ${id} has the unknown type "${type}". Types are: ${types.join(", ")}.`);
    known.set(id, type);
  }
  return [...errors, ...model.relations.flatMap((relation) => relationError(relation, known, metamodel))];
}

/** The relation in the direction that the metamodel allows; as given when it allows both or none. */
function directed({ type, from, to }: Relation, types: ReadonlyMap<string, string>, metamodel: Metamodel): Relation {
  const isAllowed = (start: string, end: string) =>
    relationError({ type, from: start, to: end }, types, metamodel).length === 0;
  return !isAllowed(from, to) && isAllowed(to, from) ? { type, from: to, to: from } : { type, from, to };
}

/** The error of a relation between entities of these types, by their ids; none when the metamodel allows it. */
function relationError(
  { type, from, to }: Relation,
  types: ReadonlyMap<string, string>,
  metamodel: Metamodel,
): string[] {
  const shown = `${type} from ${from} to ${to}`;
  const unknown = [from, to].filter((id) => !types.has(id));
  const relation = metamodel.relation_types.find((candidate) => candidate.name === type);
  if (unknown.length > 0)
    return [`The relation ${shown} names ${unknown.join(" and ")}, which is no entity of the list.`];
  if (from === to) return [`The relation ${shown} joins an entity with itself.`];
  if (!relation)
    return [`"${type}" is no relation type. Types are: ${metamodel.relation_types.map((r) => r.name).join(", ")}.`];
  if (allows(relation, types.get(from)!, types.get(to)!)) return [];
  return [`The relation ${shown} is not allowed: ${type} does not lead from ${types.get(from)} to ${types.get(to)}.`];
}

/**
 * Whether a check found what the check before had found, and nothing of that was put right: equal sets of kind and location, because ids change
 * from check to check. Findings that are not in the way of acceptance do not count.
 */
export function sameSmells(
  before: CheckMessage,
  now: CheckMessage,
  blocks: (severity: Smell["severity"]) => boolean,
): boolean {
  const grave = (message: CheckMessage) => message.smells.filter(({ severity }) => blocks(severity));
  const places = (message: CheckMessage) =>
    new Set(grave(message).map((smell) => JSON.stringify([smell.kind, normalized(smell.location)])));
  const [first, second] = [places(before), places(now)];
  const earlier = new Set(grave(before).map(({ id }) => id));
  const isPutRight = now.earlier.some(({ id, put_right }) => put_right && earlier.has(id));
  return !isPutRight && first.size === second.size && [...first].every((place) => second.has(place));
}

/** The system's name for a diagram: from the input, else from the draft's heading, else from the idea. */
export function titleOf(input: { idea: string; title?: string | null }, draft: string): string {
  if (input.title) return input.title;
  const heading = /^#\s+(.+)$/mu.exec(draft)?.[1]?.trim() ?? "";
  const name = /^[^:：]*[:：]\s*(.+)$/u.exec(heading)?.[1] ?? heading;
  const title = name || input.idea.trim().split("\n", 1)[0]!;
  return [...title].length > 80 ? `${[...title].slice(0, 79).join("")}…` : title;
}
