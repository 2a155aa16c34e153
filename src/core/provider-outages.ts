import { z } from "zod";
import { time } from "./duration";

/** Failures of a provider that may pass by themselves, in the words that users read. */
export const PROVIDER_FAILURE_CODES = {
  provider_unreachable: "It cannot be reached.",
  provider_timeout: "It does not answer in time.",
  provider_rate_limited: "It is overloaded, or limits the requests.",
  provider_unavailable: "It answers with errors of its own.",
} as const;
export type ProviderFailureCode = keyof typeof PROVIDER_FAILURE_CODES;

/** A model whose provider fails, as a run has found. Runs and events show it as it is stored. */
export const failingProviderSchema = z
  .strictObject({
    provider: z.string(),
    model: z.string().describe("`<provider>/<model>`"),
    code: z.enum(Object.keys(PROVIDER_FAILURE_CODES) as ProviderFailureCode[]).describe("Of the latest failure."),
    reason: z.string().describe("The same in words."),
    since: time,
    next_attempt_at: time,
  })
  .meta({ id: "FailingProvider" });
export type ProviderOutage = z.infer<typeof failingProviderSchema>;

/** Reads the outages of a run's row, by model. */
export const parseOutages = (stored: string): Record<string, ProviderOutage> => JSON.parse(stored);
