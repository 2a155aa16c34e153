import { z } from "zod";
import { readToolSettings, type ToolSettings } from "./tools/settings";

/** Bindings of wrangler.toml, and the variables and secrets of a deployment. */
export interface Env {
  DB: D1Database;
  BUCKET: R2Bucket;
  RUNS: Workflow<InstanceParams>;
  KEEPER: DurableObjectNamespace<import("./keeper/keeper").Keeper>;
  WEBHOOKS: DurableObjectNamespace<import("./webhooks/sender").WebhookSender>;
  RATE_LIMITERS: DurableObjectNamespace<import("./rate-limits/limiter").RateLimiter>;
  PROVIDER_GATES: DurableObjectNamespace<import("./provider-gates/gate").ProviderGate>;
  ASSETS: Fetcher;
  [variable: string]: unknown;
}

/** What a Workflow instance is created with; everything else it reads from D1. */
export interface InstanceParams {
  run_id: string;
  epoch: number;
}

const flag = z
  .enum(["true", "false"])
  .default("false")
  .transform((text) => text === "true");
const count = (fallback: number) => z.coerce.number().int().positive().default(fallback);
const milliseconds = count;

const settingsSchema = z.object({
  VERSION: z.string().default("unknown"),
  PARLEY_SECRET: z
    .string({
      error: "is not set: give a random text of at least 32 characters (`npm run dev` and `npm run deploy` make one)",
    })
    .min(32, "must have at least 32 characters"),
  PUBLIC_URL: z.url("must be the URL that clients reach this API under").optional(),
  ALLOW_PRIVATE_URLS: flag,
  /** How often the keeper looks; lower makes local recovery quicker, higher costs less. */
  KEEPER_INTERVAL_MS: milliseconds(10_000),
  /** Without a sign of life for this long, a run is nudged. */
  NUDGE_AFTER_MS: milliseconds(60_000),
  /** Without a sign of life for this long, a run is said to stall. */
  STALLED_AFTER_MS: milliseconds(15 * 60_000),
  /** Bound of one request to a model. */
  LLM_TIMEOUT_MS: milliseconds(180_000),
  /** How many runs of a tenant go at once, unless its row says otherwise; the others wait in a queue. */
  MAX_CONCURRENT_RUNS: count(100),
  /** How many requests a key may make in a minute. */
  REQUESTS_PER_MINUTE: count(3000),
  /** How many requests in a minute one callback URL takes, and how many wrong ones an address may try. */
  CALLBACK_REQUESTS_PER_MINUTE: count(60),
});

export interface Settings {
  version: string;
  secret: string;
  public_url: string | null;
  allow_private_urls: boolean;
  keeper_interval_ms: number;
  nudge_after_ms: number;
  stalled_after_ms: number;
  llm_timeout_ms: number;
  max_concurrent_runs: number;
  requests_per_minute: number;
  callback_requests_per_minute: number;
  tools: ToolSettings;
}

/** Parses the variables, those of the tools too; fails with a sentence that names the variable and what is wrong. */
export function readSettings(env: Record<string, unknown>): Settings {
  const parsed = settingsSchema.safeParse(env);
  if (!parsed.success) {
    throw new Error(
      parsed.error.issues.map((issue) => `Configuration: ${issue.path.join(".")} ${issue.message}.`).join(" "),
    );
  }
  const settings = parsed.data;
  return {
    version: settings.VERSION,
    secret: settings.PARLEY_SECRET,
    public_url: settings.PUBLIC_URL ?? null,
    allow_private_urls: settings.ALLOW_PRIVATE_URLS,
    keeper_interval_ms: settings.KEEPER_INTERVAL_MS,
    nudge_after_ms: settings.NUDGE_AFTER_MS,
    stalled_after_ms: settings.STALLED_AFTER_MS,
    llm_timeout_ms: settings.LLM_TIMEOUT_MS,
    max_concurrent_runs: settings.MAX_CONCURRENT_RUNS,
    requests_per_minute: settings.REQUESTS_PER_MINUTE,
    callback_requests_per_minute: settings.CALLBACK_REQUESTS_PER_MINUTE,
    tools: readToolSettings(env),
  };
}
