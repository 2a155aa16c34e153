import { z } from "@hono/zod-openapi";
import { time } from "#services/fields/schema";
import { modeSchema, runStatusSchema } from "#services/fields/schema";

export const metricsSchema = z
  .strictObject({
    object: z.literal("metrics"),
    taken_at: time,
    runs: z
      .array(
        z.strictObject({
          workflow: z.string(),
          mode: modeSchema,
          status: runStatusSchema,
          runs: z.int(),
          llm_calls: z.int(),
          input_tokens: z.int(),
          cached_input_tokens: z.int(),
          output_tokens: z.int(),
          cost_usd: z.number().nullable().openapi({ description: "null while no price is known." }),
        }),
      )
      .openapi({ description: "One entry for each workflow, mode and status of which there are runs." }),
    corpora: z
      .array(
        z.strictObject({
          mode: modeSchema,
          corpora: z.int(),
          llm_calls: z.int(),
          input_tokens: z.int(),
          cost_usd: z.number().nullable().openapi({ description: "null while no price is known." }),
        }),
      )
      .openapi({ description: "What embedding passages and searches by `POST …/search` have used, for each mode." }),
    stalled_runs: z.int(),
    open_interactions: z.int(),
    oldest_queued_since: time
      .nullable()
      .openapi({ description: "Since when the longest waiting run waits to begin; null when none does." }),
    webhook_deliveries: z.strictObject({ pending: z.int(), failed: z.int() }),
  })
  .openapi("Metrics");
