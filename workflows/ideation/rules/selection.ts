import { z } from "zod";
import { exclusive } from "#workflow-kit/exclusive";
import { IDEA_FIELDS, type SourcedIdea } from "../artifacts";

/** A person's changes to a set of ideas: pick, drop, edit, add. */

/** Most ideas that a person may add, and most that a person may edit, in one answer. */
const MAX_CHANGES = 50;
/** Limit of a field: the whole answer is one request. Characters. */
const MAX_FIELD_LENGTH = 8000;

const field = z.string().min(1).max(MAX_FIELD_LENGTH).regex(/\S/);
const name = z.string().min(1).max(200).regex(/\S/);
const fields = Object.fromEntries(IDEA_FIELDS.map((key) => [key, field])) as Record<
  (typeof IDEA_FIELDS)[number],
  typeof field
>;

/**
 * Schema of the answer's `additions`.
 * @param ids ids of the ideas, at least one
 * @param mayChange false once proposals exist: then ideas can only be picked and dropped
 */
export function additionsSchema(ids: readonly string[], mayChange: boolean): z.ZodType<Additions> {
  const id = z.enum(ids as [string, ...string[]]);
  const choosing = {
    pick: z.array(id).min(1).optional().describe("Keep only these ideas and the added ones."),
    drop: z.array(id).optional().describe("Remove these ideas."),
  };
  if (!mayChange) return exclusive(z.strictObject(choosing), [["pick", "drop"]]);
  const all = z.strictObject({
    ...choosing,
    edit: z
      .array(z.strictObject({ id, name: name.optional(), ...partial(fields) }))
      .max(MAX_CHANGES)
      .optional()
      .describe("Replace fields of these ideas; a field that is not given stays as it is."),
    add: z
      .array(z.strictObject({ name, ...fields }))
      .max(MAX_CHANGES)
      .optional()
      .describe("Ideas of your own."),
  });
  return exclusive(all, [
    ["pick", "drop"],
    ["edit", "drop"],
  ]);
}

type IdeaFields = Record<"name" | (typeof IDEA_FIELDS)[number], string>;

export interface Additions {
  pick?: string[];
  drop?: string[];
  edit?: ({ id: string } & Partial<IdeaFields>)[];
  add?: IdeaFields[];
}

const partial = <T extends Record<string, z.ZodType>>(shape: T) => z.object(shape).partial().shape;

export interface SelectionResult {
  /** Added ideas first, then those of the set, edited. */
  ideas: SourcedIdea[];
  /** Ids of the ideas that leave the run. */
  dropped: string[];
  /** Ids of the ideas that changed. */
  edited: string[];
  added: string[];
}

/**
 * Applies a person's changes. Added ideas come first, so that in deduplication a similar idea of a model is the duplicate.
 * @param remaining ids of the ideas that are still in the run
 */
export function applySelection(
  ideas: readonly SourcedIdea[],
  remaining: readonly string[],
  additions: Additions,
): SelectionResult {
  const { pick, drop = [], edit = [], add = [] } = additions;
  const people = ideas.filter(({ trial }) => trial === null).length;
  const added = add.map((idea, index): SourcedIdea => ({
    ...idea,
    id: `h${people + index + 1}`,
    configuration: HUMAN,
    trial: null,
    proposer: null,
  }));
  const changed = ideas.map((idea) => edit.filter(({ id }) => id === idea.id).reduce(afterEdit, idea));
  const differs = (idea: SourcedIdea, index: number) =>
    (["name", ...IDEA_FIELDS] as const).some((part) => idea[part] !== changed[index]![part]);
  return {
    ideas: [...added, ...changed],
    dropped: remaining.filter((id) => drop.includes(id) || (pick && !pick.includes(id))),
    edited: ideas.filter(differs).map(({ id }) => id),
    added: added.map(({ id }) => id),
  };
}

const afterEdit = (idea: SourcedIdea, { id: _, ...changes }: NonNullable<Additions["edit"]>[number]): SourcedIdea => ({
  ...idea,
  ...defined(changes),
});

/** `configuration` of ideas that people add. */
export const HUMAN = "human";

const defined = <T extends object>(changes: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
