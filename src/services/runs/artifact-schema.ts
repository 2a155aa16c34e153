import { z } from "zod";
import { OUTPUT_MODES } from "#core/vocabulary";
import { resolvedModelsSchema } from "#llm";
import { id, jsonObject, time, usageSchema } from "../fields/schema";

/** The Artifact of the API, without its content. The first properties are the paper's (MARE, II-C), the rest is its provenance. */
export const artifactSchema = z
  .strictObject({
    object: z.literal("artifact"),
    id: id("art"),
    run_id: id("run"),
    kind: z.string(),
    subject: z
      .string()
      .describe("Distinguishes artifacts of one kind: a stakeholder, an entity type. Empty where there is only one."),
    version: z.int().describe("1 for the first of its kind and subject in the run."),
    role: z.string().describe("The role of the workflow that made it, or `human`."),
    caused_by: z.string().describe("The action that made it."),
    sent_from: z.string(),
    send_to: z.array(z.string()),
    inputs: z.array(id("art")).describe("Artifacts that it was made from."),
    generation: z.int().describe("Raised by a retry with `from_stage`."),
    iteration: z.int(),
    stage: z.string(),
    step: z.string().describe("Stable name of the step: `stage/action#key`."),
    media_type: z.string(),
    size: z.int().describe("Bytes."),
    sha256: z.string().describe("Of the content, in hex; quoted, it is the ETag of `…/content`."),
    model: z.string().nullable().describe("`<provider>/<model>`, or `mock`; null when no model made it."),
    output_mode: z
      .enum([...OUTPUT_MODES, "markdown"])
      .nullable()
      .describe("How structured output was asked for."),
    parameters: jsonObject
      .nullable()
      .describe("The parameters that were sent with the request whose answer was used; null when no model was asked."),
    dropped_parameters: jsonObject
      .nullable()
      .describe("Parameters that were requested but not sent, because the model or its API does not support them."),
    response_model: z
      .string()
      .nullable()
      .describe("The model named in the provider's response, often a dated version. Null if the response names none."),
    prompt_hash: z.string().nullable(),
    repairs: z.int().describe("Repair rounds of the answer that was used: 0 or 1."),
    tries: z
      .int()
      .describe(
        "How many times the model was asked anew, with another seed, until an answer was usable; 1 when the first one was.",
      ),
    usage: usageSchema,
    duration_ms: z.int(),
    created_at: time,
  })
  .meta({ id: "Artifact" });
export type PresentedArtifact = z.infer<typeof artifactSchema>;

export const artifactWithContentSchema = z
  .strictObject({
    ...artifactSchema.shape,
    content: z.unknown().describe("JSON for `application/json`, else a string."),
  })
  .meta({ id: "ArtifactWithContent" });
export type ArtifactWithContent = z.infer<typeof artifactWithContentSchema>;

/** Steps that share action, role and prompt. */
const manifestActionSchema = z
  .strictObject({
    action: z.string(),
    role: z.string(),
    prompt_hash: z.string().nullable().describe("null when no model was asked: a person's words, a drawing."),
    code_versions: z.array(z.string()).describe("Several when the run outlived a deployment."),
    models: z.array(z.string()),
    output_modes: z.array(z.string()),
    response_models: z.array(z.string()).describe("As the provider's responses name them."),
    parameters: z
      .array(jsonObject)
      .describe("As they were sent. Without seeds, which differ by step; each artifact has its own."),
    dropped_parameters: z
      .array(jsonObject)
      .describe("Requested but not sent, because the model or its API does not support them."),
    steps: z.int(),
    repairs: z.int(),
    tries: z.int().describe("Of all its steps together; as many as `steps` when every first answer was usable."),
    artifacts: z.array(id("art")),
  })
  .meta({ id: "ManifestAction" });
export type ManifestAction = z.infer<typeof manifestActionSchema>;

/** Usage of the steps of one action. */
const actionUsageSchema = z
  .strictObject({ action: z.string(), steps: z.int(), usage: usageSchema })
  .meta({ id: "ActionUsage" });

/** Usage of the steps that one model answered; with fallback models, a role has several. */
const modelUsageSchema = z
  .strictObject({ model: z.string(), steps: z.int(), usage: usageSchema })
  .meta({ id: "ModelUsage" });

export const manifestSchema = z
  .strictObject({
    object: z.literal("manifest"),
    run_id: id("run"),
    workflow: z.string(),
    workflow_version: z.int(),
    code_version: z
      .string()
      .describe(
        "Of the code that did the last step; the running version's before the first step, or where none was stored.",
      ),
    models: resolvedModelsSchema,
    actions: z.array(manifestActionSchema),
    notes: z
      .array(z.string())
      .describe("Where the run differs from the request, such as a temperature that the model does not support."),
    usage_by_action: z
      .array(actionUsageSchema)
      .describe(
        "Of actions that asked a model, in the order of their first steps; steps without an artifact are not counted.",
      ),
    usage_by_model: z.array(modelUsageSchema).describe("The same by the model that answered."),
  })
  .meta({ id: "Manifest" });
export type Manifest = z.infer<typeof manifestSchema>;
