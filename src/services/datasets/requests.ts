import { z } from "zod";
import { metadataSchema } from "../fields/metadata";

/** Bodies of requests to data sets, and their bounds. */

/** Largest upload of items. Bytes. */
export const MAX_UPLOAD_BYTES = 8 * 1024 * 1024;
/** Largest item, as a line. Bytes. */
export const MAX_ITEM_BYTES = 1024 * 1024;
/** Deepest nesting of an item's values. */
export const MAX_ITEM_DEPTH = 64;
/** Of a data set: a run that reads it holds all its items in memory. */
export const DATASET_BOUNDS = { items: 10_000, bytes: 16 * 1024 * 1024 };

const fields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2000),
  metadata: metadataSchema,
};

/**
 * The body of `POST /v1/datasets`.
 * @param workflows names of the workflows; null: only the form is checked, as for the API document
 */
export const createDatasetSchema = (workflows: readonly string[] | null) =>
  z.strictObject({
    name: fields.name,
    description: fields.description.default(""),
    workflow: z
      .string()
      .refine((name) => workflows?.includes(name) ?? true, {
        error: ({ input }) => `There is no workflow "${input}"; there is ${workflows?.join(", ")}.`,
        params: { code: "unknown_workflow" },
      })
      .describe("The workflow whose inputs the items hold. It cannot be changed later."),
    metadata: fields.metadata.default({}),
  });

/** The body of `PATCH /v1/datasets/{id}`. */
export const updateDatasetSchema = z
  .strictObject(fields)
  .partial()
  .refine((change) => Object.keys(change).length > 0, "Give at least one field to change.");
