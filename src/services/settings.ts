import { z } from "zod";
import { readVariables } from "#core/configuration";
import { LOG_LEVELS, type LogSettings } from "#core/log";
import { type OtlpSettings, readOtlpSettings } from "./otlp-settings";
import { type PaperSettings, readPaperSettings } from "#retrieval/papers/paper-settings";
import { readToolSettings, type ToolSettings } from "#agents/tools/tool-settings";
import type { UrlPolicy } from "#core/outbound/url-policy";

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
  /** Resolves the hosts of URLs from callers before each request: DNS over HTTPS, JSON. */
  RESOLVER_URL: z
    .url({ protocol: /^https?$/, error: "must be the URL of a DNS-over-HTTPS resolver that answers in JSON" })
    .default("https://cloudflare-dns.com/dns-query"),
  /** Requests that one API key, or one callback URL, may make within a minute; 0 lifts the limit. */
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(0).default(6000),
  /** Interval of the keeper; a lower one recovers sooner in local development, a higher one costs less. */
  KEEPER_INTERVAL_MS: milliseconds(10_000),
  /** The keeper wakes a run that has given no sign of life for this long. */
  NUDGE_AFTER_MS: milliseconds(60_000),
  /** A run that has given no sign of life for this long is reported as stalled. */
  STALLED_AFTER_MS: milliseconds(15 * 60_000),
  /** Timeout of one request to a model. */
  LLM_TIMEOUT_MS: milliseconds(180_000),
  /** Runs of a tenant that may be active at once, unless its row has another number; others are queued. */
  MAX_CONCURRENT_RUNS: count(100),
  /** Runs that ended longer ago are deleted; unset, runs are never deleted. */
  RETENTION_DAYS: z.coerce.number("must be a number of days").positive("must be a number of days").optional(),
  /** Entries below this level are not logged. */
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  /** Whether the log may hold prompts, answers and texts of errors. */
  LOG_CONTENT: flag,
});

export interface Settings {
  version: string;
  secret: string;
  public_url: string | null;
  url_policy: UrlPolicy;
  rate_limit_per_minute: number;
  keeper_interval_ms: number;
  nudge_after_ms: number;
  stalled_after_ms: number;
  llm_timeout_ms: number;
  max_concurrent_runs: number;
  /** Milliseconds that a run is kept after its end; null: no limit. */
  retention_ms: number | null;
  log: LogSettings;
  /** null: traces are not exported. */
  otlp: OtlpSettings | null;
  tools: ToolSettings;
  papers: PaperSettings;
}

/** Parses all variables. @throws Error that names the variable and the fault */
export function readSettings(env: Record<string, unknown>): Settings {
  const settings = readVariables(settingsSchema, env);
  return {
    version: settings.VERSION,
    secret: settings.PARLEY_SECRET,
    public_url: settings.PUBLIC_URL ?? null,
    url_policy: { allow_private: settings.ALLOW_PRIVATE_URLS, resolver_url: settings.RESOLVER_URL },
    rate_limit_per_minute: settings.RATE_LIMIT_PER_MINUTE,
    keeper_interval_ms: settings.KEEPER_INTERVAL_MS,
    nudge_after_ms: settings.NUDGE_AFTER_MS,
    stalled_after_ms: settings.STALLED_AFTER_MS,
    llm_timeout_ms: settings.LLM_TIMEOUT_MS,
    max_concurrent_runs: settings.MAX_CONCURRENT_RUNS,
    retention_ms: settings.RETENTION_DAYS === undefined ? null : settings.RETENTION_DAYS * 24 * 60 * 60_000,
    log: { level: settings.LOG_LEVEL, content: settings.LOG_CONTENT, code_version: settings.VERSION },
    otlp: readOtlpSettings(env),
    tools: readToolSettings(env),
    papers: readPaperSettings(env),
  };
}
