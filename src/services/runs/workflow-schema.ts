import { z } from "zod";
import { jsonObject } from "../fields/schema";

const jsonSchema = jsonObject.describe("JSON Schema.");

/** A workflow's contract (design: api.md, "Endpoints"). */
export const workflowSchema = z
  .strictObject({
    object: z.literal("workflow"),
    name: z.string(),
    version: z.int(),
    title: z.string(),
    summary: z.string(),
    source: z
      .strictObject({ title: z.string(), url: z.string().nullable() })
      .meta({ id: "Source", description: "The paper that it follows; `url` null: the paper is not public." }),
    stages: z.array(z.string()),
    roles: z.array(
      z
        .strictObject({
          name: z.string(),
          summary: z.string(),
          decoding: jsonObject.describe("Model parameters by default."),
          paper_decoding: jsonObject.describe("Model parameters by default under the profile `paper`."),
        })
        .meta({ id: "Role" }),
    ),
    actions: z.array(
      z
        .strictObject({
          name: z.string(),
          role: z.string(),
          kind: z.string().describe("Of the artifact that it makes."),
          summary: z.string(),
          outcomes: z.array(z.string()).describe("Outcomes that `test.script` may name; the first by default."),
        })
        .meta({ id: "Action" }),
    ),
    kinds: z.record(z.string(), z.string()).describe("Kinds of artifacts, each with a line."),
    review_kinds: z.array(z.string()).describe("Kinds that `options.reviews` may name."),
    input: jsonSchema,
    options: jsonSchema,
    paper_options: jsonObject.describe("Values under the profile `paper` of options that a request leaves out."),
    output: jsonSchema,
    example: z.strictObject({ input: z.unknown(), options: z.unknown().optional() }).meta({ id: "WorkflowExample" }),
  })
  .meta({ id: "Workflow" });
export type DescribedWorkflow = z.infer<typeof workflowSchema>;
