import type { CheckMessage, Entities, Entity, ExtractedModel, Relation, RequirementModel } from "../artifacts";
import { allows } from "./metamodels";
import type { Settlement } from "./pairs";
import type { Metamodel } from "./metamodel";

/** Normalises a name for comparison: case, runs of spaces, and punctuation at the ends are ignored. */
export const normalized = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, "");

/** Joins the entities of all types, drops those with the type and name of an earlier one, and numbers them e1, e2 … */
export function numberEntities(byType: readonly { type: string; entities: Entities["entities"] }[]): Entity[] {
  const found: Omit<Entity, "id">[] = [];
  for (const { type, entities } of byType) {
    for (const { name, description } of entities) {
      const known = found.some((entity) => entity.type === type && normalized(entity.name) === normalized(name));
      if (!known && name.trim() !== "") found.push({ type, name: name.trim(), description: description.trim() });
    }
  }
  return found.map((entity, index) => ({ id: `e${index + 1}`, ...entity }));
}

/** Merges the model M of one iteration: entities, relations, and the counts of the pairs. */
export function mergeModel(
  header: { model_kind: string; title: string },
  entities: Entity[],
  settlement: Settlement,
): RequirementModel {
  const { relations, none, undecided } = settlement;
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
 * The model of the ablation, with new ids, and each relation once. Relations of unknown entities are dropped: `faultsOf` refuses them in a
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

/** Relations as text, for prompts: `Customer -> association -> Withdraw cash`. */
export function describeRelations(model: RequirementModel): string[] {
  const names = new Map(model.entities.map((entity) => [entity.id, entity.name]));
  return model.relations.map(({ type, from, to }) => `${names.get(from)} -> ${type} -> ${names.get(to)}`);
}

/** The faults of an extracted model, in sentences for the model that wrote it. */
export function faultsOf(model: ExtractedModel, metamodel: Metamodel): string[] {
  const faults: string[] = [];
  const types = metamodel.entity_types.map((type) => type.name);
  const known = new Map<string, string>();
  for (const { id, type, name } of model.entities) {
    if (known.has(id)) faults.push(`The entity id ${id} is used twice. Give each entity its own id.`);
    if (name.trim() === "") faults.push(`Entity ${id} has no name.`);
    if (!types.includes(type))
      faults.push(`Entity ${id} has the unknown type "${type}". Types are: ${types.join(", ")}.`);
    known.set(id, type);
  }
  for (const { type, from, to } of model.relations) {
    const shown = `${type} from ${from} to ${to}`;
    const unknown = [from, to].filter((id) => !known.has(id));
    const relation = metamodel.relation_types.find((candidate) => candidate.name === type);
    if (unknown.length > 0)
      faults.push(`The relation ${shown} names ${unknown.join(" and ")}, which is no entity of the list.`);
    else if (from === to) faults.push(`The relation ${shown} joins an entity with itself.`);
    else if (!relation)
      faults.push(
        `"${type}" is no relation type. Types are: ${metamodel.relation_types.map((r) => r.name).join(", ")}.`,
      );
    else if (!allows(relation, known.get(from)!, known.get(to)!)) {
      faults.push(
        `The relation ${shown} is not allowed: ${type} does not lead from ${known.get(from)} to ${known.get(to)}.`,
      );
    }
  }
  return faults;
}

/** Whether two checks name the same smells: equal sets of kind and location, because ids change from check to check. */
export function sameSmells(check: CheckMessage, other: CheckMessage): boolean {
  const places = (message: CheckMessage) =>
    new Set(message.smells.map((smell) => JSON.stringify([smell.kind, normalized(smell.location)])));
  const [first, second] = [places(check), places(other)];
  return first.size === second.size && [...first].every((place) => second.has(place));
}

/** The system's name for a diagram: from the input, else from the draft's heading, else from the idea. */
export function titleOf(input: { idea: string; title?: string | null }, draft: string): string {
  if (input.title) return input.title;
  const heading = /^#\s+(.+)$/mu.exec(draft)?.[1]?.trim() ?? "";
  const name = /^[^:：]*[:：]\s*(.+)$/u.exec(heading)?.[1] ?? heading;
  const title = name || input.idea.trim().split("\n", 1)[0]!;
  return [...title].length > 80 ? `${[...title].slice(0, 79).join("")}…` : title;
}
