import { z } from "zod";

/**
 * Items of data sets: questions with the answers that should come out. `gold` and `tags` reach metrics and judges, never the method under
 * test.
 */

const text = (max: number) => z.string().trim().min(1).max(max);
/** Items come as JSON, so every value in them is a JSON value; `z.json()` would check that again, value by value. */
const json = z.unknown() as z.ZodType<z.core.util.JSONType>;
const list = <T extends z.ZodType>(element: T, max: number) => z.array(element).min(1).max(max);

/** A call of a function, and all values that are right for each argument. An empty text among them: the argument may be left out. */
export const expectedCallSchema = z.strictObject({
  name: text(200),
  arguments: z.record(z.string().min(1).max(200), list(json, 50)),
});

/** One thing that an open answer should contain. */
export const rubricPointSchema = z.strictObject({
  text: text(4000).describe("What earns the points."),
  points: z.number().positive().max(1000),
});

/** A requirements model: entities by type, relations between their names. */
export const goldModelSchema = z.strictObject({
  entities: list(z.strictObject({ name: text(300), type: text(100) }), 500),
  relations: z
    .array(z.strictObject({ type: text(100), from: text(300), to: text(300) }))
    .max(2000)
    .default([]),
});

/** What should come out. An item has the parts that its metrics need. */
export const goldSchema = z
  .strictObject({
    number: z.number().describe("The final number."),
    text: list(text(4000), 50).describe("Texts that are right, each by itself; case and spaces do not count."),
    choice: text(40).describe("Label of the right choice, such as `B`."),
    calls: z.array(expectedCallSchema).max(50).describe("Calls of functions, in any order; empty: none is right."),
    rubric: list(rubricPointSchema, 100).describe("What an open answer should contain, with points."),
    reference: text(40_000).describe("An answer that is known to be good, for judges to read."),
    authorities: list(text(300), 100).describe("Ids of passages or documents that a right answer rests on."),
    model: goldModelSchema,
  })
  .partial()
  .meta({ id: "Gold" });

export const itemSchema = z
  .strictObject({
    id: z.string().regex(/^[\w.:-]{1,100}$/, "Letters, digits, `_`, `.`, `:` and `-`, at most 100."),
    input: z.record(z.string(), json).describe("Input of the data set's workflow."),
    options: z
      .record(z.string(), json)
      .optional()
      .describe("Options that this item needs; they replace those of the variant."),
    gold: goldSchema.optional(),
    tags: z.array(text(100)).max(20).optional().describe("Groups of the item, such as a subject."),
  })
  .meta({ id: "DatasetItem" });

export type Gold = z.output<typeof goldSchema>;
export type GoldModel = z.output<typeof goldModelSchema>;
export type ExpectedCall = z.output<typeof expectedCallSchema>;
export type DatasetItem = z.output<typeof itemSchema>;

/** A data set that runs can read: closed, so that its items never change. */
export interface Dataset {
  id: string;
  name: string;
  /** The workflow whose inputs its items hold. */
  workflow: string;
  /** SHA-256 over the items in their order, hexadecimal: the version. */
  content_hash: string;
  items: readonly DatasetItem[];
}

/** The data sets that a run reads (`WorkflowDefinition.datasets`). Only inside a stage. */
export interface Datasets {
  /** A data set with all its items, read anew at each call. */
  get(id: string): Promise<Dataset>;
}
