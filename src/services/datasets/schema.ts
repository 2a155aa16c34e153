import { z } from "zod";
import { id, modeSchema, time } from "../fields/schema";

export { itemSchema } from "#workflow-kit/datasets";

export const datasetStatusSchema = z.enum(["open", "closed"]);

export const datasetSchema = z
  .strictObject({
    object: z.literal("dataset"),
    id: id("dst"),
    mode: modeSchema,
    name: z.string(),
    description: z.string(),
    workflow: z.string().describe("The workflow whose inputs its items hold."),
    metadata: z.record(z.string(), z.string()),
    status: datasetStatusSchema.describe(
      "`open`: items can be added; `closed`: it never changes, and runs can read it.",
    ),
    items: z.int().describe("How many items it has."),
    bytes: z.int().describe("Of its items, as they are exported."),
    content_hash: z
      .string()
      .nullable()
      .describe(
        "The version: SHA-256 of its export in hexadecimal, the same for the same items in the same order. null while it is open.",
      ),
    created_at: time,
    updated_at: time,
    closed_at: time.nullable(),
  })
  .meta({ id: "Dataset" });
export type PresentedDataset = z.infer<typeof datasetSchema>;
