import { z } from "zod";
import { resolvedModelsSchema } from "#llm";
import { failingProviderSchema } from "#core/provider-outages";
import { limitsSchema, testSettingsSchema } from "#core/run-settings";
import type { RunStatus, TERMINAL_STATUSES } from "#core/vocabulary";
import { aboutFields } from "../fields/about";
import {
  id,
  jsonObject,
  modeSchema,
  orNull,
  runErrorSchema,
  runStatusSchema,
  time,
  usageSchema,
} from "../fields/schema";
import { endpointStatusSchema, webhookTypeSchema } from "../webhooks/schema";

/** A run's own webhook; the endpoint with its `id` shows more. */
const runWebhookSchema = z
  .strictObject({
    id: id("whe"),
    url: z.string(),
    events: z.array(webhookTypeSchema),
    status: endpointStatusSchema,
    secret: z.string().optional().describe("Shown once, in the answer to the create."),
  })
  .meta({ id: "RunWebhook" });

const childrenSchema = z
  .strictObject({
    total: z.int(),
    queued: z.int(),
    running: z.int().describe("Under way, those that wait for a person or are paused included."),
    input_required: z.int().describe("Of those under way, the ones that wait for a person."),
    completed: z.int(),
    failed: z.int(),
    canceled: z.int(),
    usage: usageSchema,
  })
  .meta({ id: "ChildRuns", description: "The runs that a run has started. `GET /v1/runs?parent_id=` lists them." });

/** The Run of the API (design: api.md, "Run"). */
export const runSchema = z
  .strictObject({
    object: z.literal("run"),
    id: id("run"),
    workflow: z.string(),
    workflow_version: z.int(),
    mode: modeSchema,
    status: runStatusSchema,
    stage: z.string().nullable().describe("The stage entered last."),
    ...aboutFields,
    input: jsonObject,
    options: jsonObject.describe("With every default filled in."),
    models: resolvedModelsSchema,
    limits: limitsSchema,
    asks_about: z
      .array(z.string())
      .describe(
        "Kinds of artifacts about which the run may ask a person; it then waits for the answer, each time up to `options.interaction_timeout`. Empty: it asks nobody.",
      ),
    metadata: z.record(z.string(), z.string()),
    webhook: orNull(runWebhookSchema),
    test: orNull(testSettingsSchema),
    output: jsonObject
      .nullable()
      .describe("In the form of the workflow's `output`; documents hold their `text` when a single run is read."),
    error: orNull(runErrorSchema),
    interactions: z.array(id("int")).describe("The open ones, those of child runs included."),
    failing_providers: z
      .array(failingProviderSchema)
      .describe("Models that do not answer at the moment; the run waits for them, or uses other models of the role."),
    usage: usageSchema.describe("What the run used, its child runs included."),
    parent_id: id("run").nullable().describe("The run that started this one; null: a request did."),
    children: orNull(childrenSchema).describe("What the runs that it started add up to; null: it has started none."),
    progress: z
      .strictObject({
        stages_done: z
          .array(z.string())
          .describe(
            "Stages whose latest iteration is completed; a retry `from_stage` removes that stage and all after it.",
          ),
        steps_done: z.int().describe("Artifacts made, those of a retried stage included."),
      })
      .meta({ id: "Progress" }),
    created_at: time,
    started_at: time.nullable(),
    updated_at: time,
    finished_at: time.nullable(),
  })
  .meta({ id: "Run" });

/**
 * What a run has by its status. The schema does not say it: the document's Run is a union of workflows already, and generated clients would get one
 * type for each workflow and status.
 */
export type RunState =
  | { status: Exclude<RunStatus, (typeof TERMINAL_STATUSES)[number]>; output: null; error: null; finished_at: null }
  | { status: "completed"; output: Record<string, unknown>; error: null; finished_at: string }
  | { status: "failed"; output: null; error: z.infer<typeof runErrorSchema>; finished_at: string }
  | { status: "canceled"; output: null; error: null; finished_at: string };

export type PresentedRun = Omit<z.infer<typeof runSchema>, keyof RunState> & RunState;

/** A run in a list. */
export const runEntrySchema = runSchema.omit({ input: true, options: true }).meta({
  id: "RunEntry",
  description: "A run as lists show it: without `input` and `options`, which may be long. GET /v1/runs/{id} has them.",
});
export type PresentedRunEntry = Omit<z.infer<typeof runEntrySchema>, keyof RunState> & RunState;
