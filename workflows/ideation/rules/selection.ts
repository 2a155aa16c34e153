import { z } from "zod";
import { IDEA_FIELDS, type SourcedIdea } from "../artifacts";

/** What a person may do with a set of ideas: pick, drop, edit, add. */

/** Ideas that a person may add, or edit, at once. */
const MOST = 50;
/** An answer travels in one request, and comes back in the interaction. Characters. */
const LONGEST = 8000;

const field = z.string().min(1).max(LONGEST).regex(/\S/);
const name = z.string().min(1).max(200).regex(/\S/);
const fields = Object.fromEntries(IDEA_FIELDS.map((key) => [key, field])) as Record<
  (typeof IDEA_FIELDS)[number],
  typeof field
>;

/**
 * `additions` of the answer.
 * @param ids those there are, at least one
 */
export function additionsSchema(ids: readonly string[]) {
  const id = z.enum(ids as [string, ...string[]]);
  return z.strictObject({
    pick: z.array(id).min(1).optional().describe("Only these go on, with those that are added."),
    drop: z.array(id).optional().describe("These do not go on."),
    edit: z
      .array(z.strictObject({ id, name: name.optional(), ...partial(fields) }))
      .max(MOST)
      .optional()
      .describe("What is given takes the place of what stands there."),
    add: z
      .array(z.strictObject({ name, ...fields }))
      .max(MOST)
      .optional()
      .describe("Ideas of your own."),
  });
}
export type Additions = z.infer<ReturnType<typeof additionsSchema>>;

const partial = <T extends Record<string, z.ZodType>>(shape: T) => z.object(shape).partial().shape;

export interface Selected {
  /** Those of the set, edited, after those that were added. */
  ideas: SourcedIdea[];
  /** Ids that do not go on. */
  dropped: string[];
  /** Ids of those that are no longer what they were. */
  edited: string[];
  added: string[];
}

/**
 * A set of ideas after a person has gone over it. Ideas that people add come first: a model's idea that is like one of them is the duplicate.
 * @param going ids of the set that are still in the run
 */
export function selected(ideas: readonly SourcedIdea[], going: readonly string[], additions: Additions): Selected {
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
    dropped: going.filter((id) => drop.includes(id) || (pick && !pick.includes(id))),
    edited: ideas.filter(differs).map(({ id }) => id),
    added: added.map(({ id }) => id),
  };
}

const afterEdit = (idea: SourcedIdea, { id: _, ...changes }: NonNullable<Additions["edit"]>[number]): SourcedIdea => ({
  ...idea,
  ...defined(changes),
});

/** The configuration of ideas that people add. */
export const HUMAN = "human";

const defined = <T extends object>(changes: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
