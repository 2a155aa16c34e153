import { z } from "@hono/zod-openapi";

const jsonSchema = z.record(z.string(), z.unknown());

export const workflowSchema = z
  .strictObject({
    object: z.literal("workflow"),
    name: z.string(),
    version: z.int(),
    title: z.string(),
    summary: z.string(),
    source: z
      .strictObject({ title: z.string(), url: z.string().nullable() })
      .openapi("Source", { description: "The paper it follows; `url` null: it stands nowhere in public." }),
    stages: z.array(z.string()),
    roles: z.array(
      z
        .strictObject({
          name: z.string(),
          summary: z.string(),
          decoding: jsonSchema.openapi({ description: "Model parameters by default." }),
        })
        .openapi("Role"),
    ),
    actions: z.array(
      z
        .strictObject({
          name: z.string(),
          role: z.string(),
          kind: z.string().openapi({ description: "Of the artifact that it makes." }),
          summary: z.string(),
          outcomes: z
            .array(z.string())
            .openapi({ description: "What `test.script` may ask of it; the first by default." }),
        })
        .openapi("Action"),
    ),
    kinds: z.record(z.string(), z.string()).openapi({ description: "Kinds of artifacts, each with a line." }),
    checkpoint_kinds: z.array(z.string()).openapi({ description: "Kinds that `options.checkpoints` may name." }),
    input: jsonSchema.openapi({ description: "JSON Schema." }),
    options: jsonSchema.openapi({ description: "JSON Schema." }),
    output: jsonSchema.openapi({ description: "JSON Schema." }),
    example: z.strictObject({ input: z.unknown(), options: z.unknown().optional() }).openapi("WorkflowExample"),
  })
  .openapi("Workflow");

export const workflowListSchema = z
  .strictObject({ data: z.array(workflowSchema), next_cursor: z.null() })
  .openapi("WorkflowList");
