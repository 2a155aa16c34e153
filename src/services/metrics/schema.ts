import { z } from "zod";
import { type Quota, QUOTAS } from "#core/quotas";
import { modeSchema, runStatusSchema, time, usageSchema } from "../fields/schema";

const quotaUsage = z.strictObject({ used: z.int(), limit: z.int() });
const quotas = Object.fromEntries(
  Object.entries(QUOTAS).map(([name, { counts }]) => [name, quotaUsage.describe(`${counts}.`)]),
) as Record<Quota, typeof quotaUsage>;

/** Counts of what a tenant has stored; what was deleted is no longer counted. */
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
          ...usageSchema.shape,
        }),
      )
      .describe("One entry for each workflow, mode and status that has runs."),
    corpora: z
      .array(
        z.strictObject({
          mode: modeSchema,
          corpora: z.int(),
          llm_calls: z.int(),
          input_tokens: z.int(),
          cost_usd: usageSchema.shape.cost_usd,
        }),
      )
      .describe("The usage of embedding passages and of searches by `POST …/search`, for each mode."),
    stalled_runs: z.int(),
    open_interactions: z.int(),
    oldest_queued_since: time
      .nullable()
      .describe("Since when the run that has been queued longest waits to begin; null when no run is queued."),
    webhook_deliveries: z.strictObject({ pending: z.int(), failed: z.int() }),
    quotas: z
      .strictObject(quotas)
      .describe("What the tenant uses and may use, in both modes together; the operator raises a limit."),
  })
  .meta({ id: "Metrics" });
export type Metrics = z.infer<typeof metricsSchema>;
