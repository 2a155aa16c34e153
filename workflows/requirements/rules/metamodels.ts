import { z } from "zod";
import { METAMODELS } from "./built-in-metamodels";
import type { RelationType, Metamodel } from "./metamodel";

/** What a decision on a pair may say instead of a relation type. */
export const NO_RELATION = "none";
/** What a model may say although nobody offers it; then the pair is asked again. No relation type may be called so. */
export const UNDECIDED = "undecided";

export const MODEL_KINDS = ["use_case", "problem", "goal", "custom"] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** Line breaks would break the lists of the prompts, and names are keys of acts. */
const typeName = z
  .string()
  .regex(
    /^[\p{L}\p{N}](?:[\p{L}\p{N} _-]{0,62}[\p{L}\p{N}])?$/u,
    "1 to 64 letters, digits, spaces, - and _, beginning and ending with a letter or digit.",
  );

const typeNames = z.array(typeName).min(1, "Name at least one entity type.").max(20);

/** Marks every name that an earlier one of the list already has, case aside. */
function refuseDuplicates(
  names: readonly string[],
  what: string,
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
        message: `There is another ${what} "${name}". Give each its own name.`,
      });
    }
    seen.add(key);
  });
}

/** A metamodel as given in a request. Faults carry the path of the name that is wrong. */
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
        refuseDuplicates(relation[end], "entry", (at) => ["relation_types", index, end, at], context);
        relation[end].forEach((name, at) => {
          if (!known.has(name)) {
            context.addIssue({
              code: "custom",
              path: ["relation_types", index, end, at],
              message: `There is no entity type "${name}". Entity types are: ${[...known].join(", ")}.`,
            });
          }
        });
      }
    });
  })
  .meta({ id: "Metamodel" });

/** Whether a relation of the type may start at an entity of type `from` and end at one of type `to`. */
export const allows = (relation: RelationType, from: string, to: string): boolean =>
  relation.from.includes(from) && relation.to.includes(to) && (!relation.same_type || from === to);

/** The metamodel that the options ask for. */
export function metamodelOf(options: { model_kind: ModelKind; metamodel?: Metamodel }): Metamodel {
  if (options.model_kind !== "custom") return METAMODELS[options.model_kind];
  if (!options.metamodel)
    throw new Error("model_kind is custom, and the contract lets no request without a metamodel through");
  return options.metamodel;
}
