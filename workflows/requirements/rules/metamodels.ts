import { z } from "zod";
import { METAMODELS } from "./built-in-metamodels";
import type { RelationType, Metamodel } from "./metamodel";

/** The decision that a pair has no relation. */
export const NO_RELATION = "none";
/** A word that some models answer although no prompt offers it; such a pair is asked again. It is reserved: no relation type may have this name. */
export const UNDECIDED = "undecided";

export const MODEL_KINDS = ["use_case", "problem", "goal", "custom"] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** No line breaks: names are list entries of prompts and parts of step names. */
const typeName = z
  .string()
  .regex(
    /^[\p{L}\p{N}](?:[\p{L}\p{N} _-]{0,62}[\p{L}\p{N}])?$/u,
    "1 to 64 letters, digits, spaces, - and _, beginning and ending with a letter or digit.",
  );

const typeNames = z.array(typeName).min(1, "Name at least one entity type.").max(20);

/** Adds an issue for every name that occurs earlier in the list, ignoring case. */
function refuseDuplicates(
  names: readonly string[],
  noun: string,
  path: (index: number) => PropertyKey[],
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  names.forEach((name, index) => {
    const key = name.toLowerCase();
    if (seen.has(key)) {
      context.addIssue({
        code: "custom",
        path: path(index),
        message: `There is another ${noun} "${name}". Give each its own name.`,
      });
    }
    seen.add(key);
  });
}

/** A metamodel in a request. Each issue has the path of the invalid name. */
export const metamodelSchema = z
  .strictObject({
    entity_types: z
      .array(
        z.strictObject({
          name: typeName,
          meaning: z.string().trim().min(1).max(1000),
          examples: z.array(z.string().trim().min(1).max(200)).min(1, "Give at least one example.").max(20),
        }),
      )
      .min(1, "A metamodel needs at least one entity type.")
      .max(20),
    relation_types: z
      .array(
        z.strictObject({
          name: typeName,
          meaning: z.string().trim().min(1).max(1000),
          from: typeNames.describe("Entity types where the relation may start."),
          to: typeNames.describe("Entity types where the relation may end."),
        }),
      )
      .min(1, "A metamodel needs at least one relation type.")
      .max(30),
  })
  .superRefine((metamodel, context) => {
    const { entity_types, relation_types } = metamodel;
    refuseDuplicates(
      entity_types.map((type) => type.name),
      "entity type",
      (index) => ["entity_types", index, "name"],
      context,
    );
    refuseDuplicates(
      relation_types.map((type) => type.name),
      "relation type",
      (index) => ["relation_types", index, "name"],
      context,
    );
    const known = new Set(entity_types.map((type) => type.name));
    relation_types.forEach((relation, index) => {
      if ([NO_RELATION, UNDECIDED].includes(relation.name.toLowerCase())) {
        context.addIssue({
          code: "custom",
          path: ["relation_types", index, "name"],
          message: `"${relation.name}" is what a decision says when there is no relation. Choose another name.`,
        });
      }
      for (const end of ["from", "to"] as const) {
        refuseDuplicates(relation[end], "entry", (position) => ["relation_types", index, end, position], context);
        relation[end].forEach((name, position) => {
          if (!known.has(name)) {
            context.addIssue({
              code: "custom",
              path: ["relation_types", index, end, position],
              message: `There is no entity type "${name}". Entity types are: ${[...known].join(", ")}.`,
            });
          }
        });
      }
    });
  })
  .meta({ id: "Metamodel" });

/** Whether a relation of this type may run from an entity of type `from` to an entity of type `to`. */
export const allows = (relation: RelationType, from: string, to: string): boolean =>
  relation.from.includes(from) && relation.to.includes(to) && (!relation.same_type || from === to);

/** The metamodel that the options ask for. */
export function metamodelOf(options: { model_kind: ModelKind; metamodel?: Metamodel }): Metamodel {
  if (options.model_kind !== "custom") return METAMODELS[options.model_kind];
  if (!options.metamodel)
    throw new Error("model_kind is custom, and there is no metamodel: the contract refuses such a request");
  return options.metamodel;
}

/** A model in a request. Entities are known by their names. */
interface GivenModel {
  entities: readonly { type: string; name: string }[];
  relations: readonly { type: string; from: string; to: string }[];
}

/** The errors of a model in a request: names and types that the metamodel of the options does not know. */
export function modelErrors(
  model: GivenModel | undefined,
  options: { model_kind: ModelKind; metamodel?: Metamodel },
): { path: string; code: string; message: string }[] {
  if (!model) return [];
  const { entity_types, relation_types } = metamodelOf(options);
  const types = new Map(model.entities.map(({ name, type }) => [name, type]));
  const invalid = (field: string, message: string) => ({
    path: `input.model.${field}`,
    code: "invalid_value",
    message,
  });
  const entities = model.entities.flatMap(({ type, name }, index) => {
    if (model.entities.findIndex((other) => other.name === name) < index)
      return [
        invalid(`entities.${index}.name`, "Another entity has this name. Relations know entities by their names."),
      ];
    if (entity_types.some((known) => known.name === type)) return [];
    return [
      invalid(`entities.${index}.type`, `Entity types are: ${entity_types.map((known) => known.name).join(", ")}.`),
    ];
  });
  const relations = model.relations.flatMap(({ type, from, to }, index) => {
    const at = `relations.${index}`;
    if (!types.has(from)) return [invalid(`${at}.from`, `There is no entity "${from}".`)];
    if (!types.has(to)) return [invalid(`${at}.to`, `There is no entity "${to}".`)];
    const relation = relation_types.find((known) => known.name === type);
    if (!relation)
      return [invalid(`${at}.type`, `Relation types are: ${relation_types.map((known) => known.name).join(", ")}.`)];
    if (from !== to && allows(relation, types.get(from)!, types.get(to)!)) return [];
    return [invalid(at, `${type} does not lead from ${types.get(from)} "${from}" to ${types.get(to)} "${to}".`)];
  });
  return [...entities, ...relations];
}
