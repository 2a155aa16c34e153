import { z } from "@hono/zod-openapi";
import { limitsSchema } from "#services/runs/requests";
import { EVENT_TYPES, LLM_FAULTS, MODES, RUN_STATUSES } from "#core/vocabulary";
import { id, time, usageSchema } from "./common";
import { runErrorSchema } from "./problem";
import { endpointStatusSchema, webhookTypeSchema } from "./webhook-endpoint";

export const eventTypeSchema = z.enum(EVENT_TYPES).openapi("EventType");
export const runStatusSchema = z.enum(RUN_STATUSES).openapi("RunStatus");
export const modeSchema = z
  .enum(MODES)
  .openapi("Mode", { description: "That of the key which made it; test mode rehearses." });

const json = z.record(z.string(), z.unknown());

export const resolvedModelSchema = z
  .strictObject({
    model: z.string().openapi({ example: "openai/gpt-5-mini" }),
    temperature: z.number().optional(),
    top_p: z.number().optional(),
    max_output_tokens: z.int().optional(),
    frequency_penalty: z.number().optional(),
    presence_penalty: z.number().optional(),
    seed: z.int().optional(),
  })
  .openapi("ResolvedModel");

export const resolvedModelsSchema = z
  .strictObject({
    default: z.string(),
    roles: z.record(z.string(), resolvedModelSchema),
    embedding: z.string().nullable().openapi({ description: "null: texts are compared by their words." }),
    seed: z.int().nullable(),
  })
  .openapi("ResolvedModels", { description: "Models as they were resolved when the run was created, by role." });

const runWebhookSchema = z
  .strictObject({
    id: id("whe"),
    url: z.string(),
    events: z.array(webhookTypeSchema),
    status: endpointStatusSchema,
    secret: z.string().optional().openapi({ description: "Shown once, in the answer to the create." }),
  })
  .openapi("RunWebhook");

const testSchema = z
  .strictObject({
    script: z.record(z.string(), z.array(z.string())).optional(),
    faults: z.strictObject({ llm: z.array(z.enum(LLM_FAULTS)).optional() }).optional(),
    latency_ms: z.int().optional(),
  })
  .openapi("TestSettings");

export const runSchema = z
  .strictObject({
    object: z.literal("run"),
    id: id("run"),
    workflow: z.string(),
    workflow_version: z.int(),
    mode: modeSchema,
    status: runStatusSchema,
    stage: z.string().nullable().openapi({ description: "The one entered last." }),
    input: json,
    options: json.openapi({ description: "With every default filled in." }),
    models: resolvedModelsSchema,
    limits: limitsSchema,
    metadata: z.record(z.string(), z.string()),
    webhook: runWebhookSchema.nullable(),
    test: testSchema.nullable(),
    output: json.nullable().openapi({
      description: "As the workflow's `output` has it; documents hold their `text` when a single run is read.",
    }),
    error: runErrorSchema.nullable(),
    interactions: z.array(id("int")).openapi({ description: "Those that are open." }),
    usage: usageSchema,
    progress: z
      .strictObject({
        stages_done: z.array(z.string()).openapi({
          description:
            "Those whose latest iteration is completed; a retry `from_stage` takes that stage and all after it off.",
        }),
        steps_done: z.int().openapi({ description: "Artifacts made, those of a retried stage included." }),
      })
      .openapi("Progress"),
    created_at: time,
    started_at: time.nullable(),
    updated_at: time,
    finished_at: time.nullable(),
  })
  .openapi("Run");
