import { z } from "zod";
import { duration } from "./duration";
import { LLM_FAULTS } from "./vocabulary";

/** The settings of a run that both the API shows and the engine obeys. */

export const limitsSchema = z
  .strictObject({
    max_llm_calls: z
      .int()
      .min(1)
      .max(100_000)
      .nullable()
      .describe(
        "Requests to models, repairs and failed ones included, except attempts while the run waits for a model that fails.",
      ),
    max_tokens: z.int().min(1).max(1_000_000_000).nullable().describe("Input and output tokens together."),
    max_cost_usd: z.number().positive().nullable().describe("Needs a price for every model of the run."),
    timeout: duration("1m", "365d")
      .nullable()
      .describe(
        "Time spent neither waiting for input, nor paused, nor in a provider's queue, nor waiting for one that fails, such as 90m or 2d.",
      ),
    provider_wait: duration("1s", "1d").describe(
      "How long the run waits for a model provider that cannot be reached, is overloaded or answers with errors of its own; then it fails as `provider_unavailable`.",
    ),
  })
  .meta({ id: "Limits", description: "A run that would exceed one of them fails; null is no limit." });
export type Limits = z.output<typeof limitsSchema>;

/** Of a run whose request names none. */
export const DEFAULT_LIMITS: Limits = {
  max_llm_calls: null,
  max_tokens: null,
  max_cost_usd: null,
  timeout: null,
  provider_wait: "15m",
};

/** Reads a run's stored limits. */
export const parseLimits = (stored: string): Limits => JSON.parse(stored);

/** Steers the mock model; `script` is by action. */
export const testSettingsSchema = z
  .strictObject({
    script: z.record(z.string(), z.array(z.string())).optional(),
    faults: z.strictObject({ llm: z.array(z.enum(LLM_FAULTS)).optional() }).optional(),
    latency_ms: z.int().optional(),
  })
  .meta({ id: "TestSettings" });
export type TestSettings = z.infer<typeof testSettingsSchema>;
