import { z } from "@hono/zod-openapi";
import { RUNGS } from "#core/vocabulary";
import { id, time, usageSchema } from "./common";
import { resolvedModelsSchema } from "./run";

const metadata = {
  object: z.literal("artifact"),
  id: id("art"),
  run_id: id("run"),
  kind: z.string(),
  subject: z
    .string()
    .openapi({ description: "Which of several of a kind: a stakeholder, an entity type. Empty where there is one." }),
  version: z.int().openapi({ description: "1 for the first of its kind and subject in the run." }),
  role: z.string().openapi({ description: "Who made it: a role of the workflow, or `human`." }),
  caused_by: z.string().openapi({ description: "The action that made it." }),
  sent_from: z.string(),
  send_to: z.array(z.string()),
  inputs: z.array(id("art")).openapi({ description: "What it was made from." }),
  generation: z.int().openapi({ description: "Raised by a retry with `from_stage`." }),
  iteration: z.int(),
  stage: z.string(),
  act: z.string().openapi({ description: "Stable name of the act: `stage/action#key`." }),
  media_type: z.string(),
  size: z.int().openapi({ description: "Bytes." }),
  sha256: z.string().openapi({ description: "Of the content, in hex; quoted, it is the ETag of `…/content`." }),
  model: z
    .string()
    .nullable()
    .openapi({ description: "`<provider>/<model>`, or `rehearsal`; null when no model made it." }),
  rung: z
    .enum([...RUNGS, "markdown"])
    .nullable()
    .openapi({ description: "How structured output was asked for." }),
  parameters: z.record(z.string(), z.unknown()).nullable(),
  prompt_hash: z.string().nullable(),
  repairs: z.int(),
  usage: usageSchema,
  duration_ms: z.int(),
  created_at: time,
};

export const artifactSchema = z.strictObject(metadata).openapi("Artifact");

export const artifactWithContentSchema = z
  .strictObject({
    ...metadata,
    content: z.unknown().openapi({ description: "JSON for `application/json`, else a string." }),
  })
  .openapi("ArtifactWithContent");

export const manifestSchema = z
  .strictObject({
    object: z.literal("manifest"),
    run_id: id("run"),
    workflow: z.string(),
    workflow_version: z.int(),
    code_version: z.string().openapi({ description: "Of the code that did the last act." }),
    models: resolvedModelsSchema,
    actions: z.array(
      z
        .strictObject({
          action: z.string(),
          role: z.string(),
          prompt_hash: z.string().nullable().openapi({ description: "null when no model was asked." }),
          code_versions: z.array(z.string()).openapi({ description: "Several when the run outlived a deployment." }),
          models: z.array(z.string()),
          rungs: z.array(z.string()),
          parameters: z.array(z.record(z.string(), z.unknown())),
          acts: z.int(),
          repairs: z.int(),
          artifacts: z.array(id("art")),
        })
        .openapi("ManifestAction"),
    ),
  })
  .openapi("Manifest");
