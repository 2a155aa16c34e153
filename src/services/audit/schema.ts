import { z } from "zod";
import { AUDIT_ACTORS, AUDIT_OUTCOMES } from "#core/vocabulary";
import { id, modeSchema, time } from "../fields/schema";

export const auditEntrySchema = z
  .strictObject({
    object: z.literal("audit_entry"),
    id: id("aud"),
    created_at: time,
    actor: z
      .enum(AUDIT_ACTORS)
      .describe(
        "`key`: an API key; `interaction`: a person at a callback URL, without a key; `operator`: the operator of the deployment.",
      ),
    actor_id: z.string().nullable().describe("Of the key, or of the interaction."),
    mode: modeSchema,
    action: z.string().describe("The operation, by its `operationId` in this document.").meta({ example: "createRun" }),
    object_type: z
      .string()
      .nullable()
      .describe(
        "`run`, `interaction`, `agent`, `corpus`, `document`, `upload`, `dataset`, `webhook_endpoint`, `delivery`, `key`, `provider` (by its name) or `tenant`.",
      ),
    object_id: z.string().nullable().describe("What was made or changed; it may be deleted by now."),
    request_id: z.string().nullable().describe("`X-Request-Id` of the answer."),
    outcome: z.enum(AUDIT_OUTCOMES).describe("`refused`: the key has no right to it (403)."),
  })
  .meta({ id: "AuditEntry" });
export type PresentedEntry = z.infer<typeof auditEntrySchema>;
