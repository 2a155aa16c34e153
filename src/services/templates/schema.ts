import { z } from "zod";
import { id, jsonObject, modeSchema, time } from "../fields/schema";
import { fieldSchema } from "./requests";

export const templateSchema = z
  .strictObject({
    object: z.literal("template"),
    id: id("tpl"),
    mode: modeSchema,
    name: z.string(),
    description: z.string(),
    version: z.int().describe("Raised with each change of the request or its fields."),
    workflow: z.string(),
    request: jsonObject.describe("The body of `POST /v1/runs`, with placeholders."),
    fields: z.record(z.string(), fieldSchema),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Template" });
export type PresentedTemplate = z.infer<typeof templateSchema>;
