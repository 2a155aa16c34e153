import { z } from "zod";
import { flag, readVariables, wholeNumber } from "#core/configuration";
import { duration, durationMs } from "#core/duration";
import { LOG_LEVELS, type LogSettings } from "#core/log";
import { DEFAULT_QUOTAS, type Quotas } from "#core/quotas";
import { parseQuotas } from "./quota-settings";
import { otlpVariables, type OtlpSettings, readOtlpSettings } from "./otlp-settings";
import { type PaperSettings, paperVariables, readPaperSettings } from "#retrieval/papers/paper-settings";
import { readToolSettings, type ToolSettings, toolVariables } from "#agents/tools/tool-settings";
import { type MailSettings, mailVariables, readMailSettings } from "./mail-settings";
import type { SecretKey } from "#core/secrets";
import { hostsIn, type UrlPolicy } from "#core/outbound/url-policy";
import { readSecretSettings, secretVariables } from "./secret-settings";

const count = (fallback: number) => wholeNumber(1).default(fallback);
const milliseconds = count;

const TENANT_PROVIDER_KEYS = ["off", "allowed", "required"] as const;

const PRIVATE_HOST = /^((\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/;

const serviceVariables = z.object({
  VERSION: z.string().default("unknown"),
  PUBLIC_URL: z
    .url({
      protocol: /^https?$/,
      abort: true,
      error: "must be the http or https URL under which clients reach this API",
    })
    .refine((url) => !/[?#@]/.test(url), "must have no user name, query or fragment: paths are added to it")
    .optional(),
  ALLOW_PRIVATE_URLS: flag,
  /** Hosts in private networks that URLs of callers may name, separated by commas. */
  ALLOW_PRIVATE_HOSTS: z
    .string()
    .default("")
    .transform((text) =>
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .refine((hosts) => hosts.every((host) => PRIVATE_HOST.test(host)), {
      error:
        "must list hosts like hooks.internal, 10.0.0.5:8080 or *.corp.example, without scheme and path, separated by commas",
    }),
  /** Resolves the hosts of URLs from callers before each request: DNS over HTTPS, JSON. */
  RESOLVER_URL: z
    .url({ protocol: /^https?$/, error: "must be the URL of a DNS-over-HTTPS resolver that answers in JSON" })
    .default("https://cloudflare-dns.com/dns-query"),
  /** Requests that one API key, or one callback URL, may make within a minute; 0 lifts the limit. */
  RATE_LIMIT_PER_MINUTE: wholeNumber(0).default(6000),
  /** Webhooks of one tenant that one host is sent within a minute; 0 lifts the limit. */
  WEBHOOKS_PER_MINUTE: wholeNumber(0).default(600),
  /** Webhooks of all tenants that one host is sent within a minute; 0 lifts the limit. */
  WEBHOOKS_PER_MINUTE_OF_ALL: wholeNumber(0).default(3000),
  /** Interval of the maintenance worker; a lower one recovers sooner in local development, a higher one costs less. */
  MAINTENANCE_INTERVAL_MS: milliseconds(10_000),
  /** The maintenance worker wakes a run that has sent no heartbeat for this long. */
  NUDGE_AFTER_MS: milliseconds(60_000),
  /** A run that has sent no heartbeat for this long is reported as stalled. */
  STALLED_AFTER_MS: milliseconds(15 * 60_000),
  /** Timeout of one request to a model. */
  LLM_TIMEOUT_MS: milliseconds(180_000),
  /**
   * Whether tenants use keys of their own for model providers: `off`; `allowed`: the host's key serves those that have brought none;
   * `required`: the host's key serves nobody.
   */
  TENANT_PROVIDER_KEYS: z
    .enum(TENANT_PROVIDER_KEYS, `must be one of ${TENANT_PROVIDER_KEYS.join(", ")}`)
    .default("allowed"),
  /** Runs of a tenant that may be active at once, unless its row has another number; others are queued. */
  MAX_CONCURRENT_RUNS: count(100),
  /** Limits of tenants in place of the defaults: JSON, such as {"stored_bytes": 5000000000, "corpora": 20}; `npm run operator` sets those of one tenant. */
  QUOTAS: z.string().default("{}").transform(parseQuotas),
  /** Runs that ended longer ago are deleted; unset, runs are never deleted. */
  RETENTION_DAYS: z.coerce.number("must be a number of days").positive("must be a number of days").optional(),
  /** Runs that ended longer ago move out of D1 into R2, from where the API reads them: such as `30d`; `never`. */
  ARCHIVE_AFTER: z
    .union([z.literal("never"), duration("1s", "3650d")], "must be a duration, such as 30d, or never")
    .default("30d"),
  /** Entries of the audit log are deleted after this time. */
  AUDIT_RETENTION_DAYS: z.coerce.number("must be a number of days").positive("must be a number of days").default(365),
  /** The bearer token of `GET /metrics`; unset, nothing is there. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,}$/, "must have at least 32 visible ASCII characters, without spaces")
    .optional(),
  /** Entries below this level are not logged. */
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  /** Whether the log may hold prompts, answers and texts of errors. */
  LOG_CONTENT: flag,
});

export interface Settings {
  version: string;
  /** The one in use first. */
  secrets: SecretKey[];
  mail: MailSettings;
  /** Without a slash at its end. */
  public_url: string | null;
  url_policy: UrlPolicy;
  rate_limit_per_minute: number;
  /** Webhooks that one host is sent within a minute, of one tenant and of all; 0: no limit. */
  webhook_rates: { of_tenant: number; of_all: number };
  maintenance_interval_ms: number;
  nudge_after_ms: number;
  stalled_after_ms: number;
  llm_timeout_ms: number;
  tenant_provider_keys: (typeof TENANT_PROVIDER_KEYS)[number];
  max_concurrent_runs: number;
  /** Limits of tenants for which the operator set no other. */
  quotas: Quotas;
  /** Milliseconds that a run is kept after its end; null: no limit. */
  retention_ms: number | null;
  /** Milliseconds from a run's end until it is archived; null: it never is. */
  archive_after_ms: number | null;
  /** Milliseconds that an entry of the audit log is kept. */
  audit_retention_ms: number;
  /** The bearer token of the deployment's metrics; null: they are off. */
  metrics_token: string | null;
  log: LogSettings;
  /** null: traces are not exported. */
  otlp: OtlpSettings | null;
  tools: ToolSettings;
  papers: PaperSettings;
}

/** Schemas of the variables behind `Settings`. */
export const SETTINGS_SCHEMAS = [
  serviceVariables,
  secretVariables,
  mailVariables,
  otlpVariables,
  toolVariables,
  paperVariables,
] as const;

/** The readers of the variables behind `Settings`; each throws a ConfigurationError. */
export const SETTINGS_READERS = [
  readServiceSettings,
  readSecretSettings,
  readMailSettings,
  readOtlpSettings,
  readToolSettings,
  readPaperSettings,
] as const;

/**
 * Parses all variables.
 * @throws ConfigurationError about the first group of variables that has an error
 */
export const readSettings = (vars: Record<string, unknown>): Settings => ({
  ...readServiceSettings(vars),
  secrets: readSecretSettings(vars),
  mail: readMailSettings(vars),
  otlp: readOtlpSettings(vars),
  tools: readToolSettings(vars),
  papers: readPaperSettings(vars),
});

/** Which URLs of callers may be called. @throws ConfigurationError */
export function readUrlPolicy(vars: Record<string, unknown>): UrlPolicy {
  const { PUBLIC_URL, ALLOW_PRIVATE_URLS, ALLOW_PRIVATE_HOSTS, RESOLVER_URL } = readVariables(
    serviceVariables.pick({
      PUBLIC_URL: true,
      ALLOW_PRIVATE_URLS: true,
      ALLOW_PRIVATE_HOSTS: true,
      RESOLVER_URL: true,
    }),
    vars,
  );
  return {
    allow_private: ALLOW_PRIVATE_URLS,
    private_hosts: ALLOW_PRIVATE_HOSTS,
    reserved_hosts: [...hostsIn({ ...vars, PUBLIC_URL: undefined })],
    resolver_url: RESOLVER_URL,
    own_host: PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL).host,
  };
}

/** What a tenant may use unless the operator set another limit for it. @throws ConfigurationError */
export function defaultLimits(vars: Record<string, unknown>): Pick<Settings, "max_concurrent_runs" | "quotas"> {
  const { MAX_CONCURRENT_RUNS, QUOTAS } = readVariables(
    serviceVariables.pick({ MAX_CONCURRENT_RUNS: true, QUOTAS: true }),
    vars,
  );
  return { max_concurrent_runs: MAX_CONCURRENT_RUNS, quotas: { ...DEFAULT_QUOTAS, ...QUOTAS } };
}

function readServiceSettings(
  vars: Record<string, unknown>,
): Omit<Settings, "secrets" | "mail" | "otlp" | "tools" | "papers"> {
  const variables = readVariables(serviceVariables, vars);
  return {
    version: variables.VERSION,
    public_url: variables.PUBLIC_URL?.replace(/\/+$/, "") ?? null,
    url_policy: readUrlPolicy(vars),
    rate_limit_per_minute: variables.RATE_LIMIT_PER_MINUTE,
    webhook_rates: { of_tenant: variables.WEBHOOKS_PER_MINUTE, of_all: variables.WEBHOOKS_PER_MINUTE_OF_ALL },
    maintenance_interval_ms: variables.MAINTENANCE_INTERVAL_MS,
    nudge_after_ms: variables.NUDGE_AFTER_MS,
    stalled_after_ms: variables.STALLED_AFTER_MS,
    llm_timeout_ms: variables.LLM_TIMEOUT_MS,
    tenant_provider_keys: variables.TENANT_PROVIDER_KEYS,
    ...defaultLimits(vars),
    retention_ms: variables.RETENTION_DAYS === undefined ? null : variables.RETENTION_DAYS * 24 * 60 * 60_000,
    archive_after_ms: variables.ARCHIVE_AFTER === "never" ? null : durationMs(variables.ARCHIVE_AFTER),
    audit_retention_ms: variables.AUDIT_RETENTION_DAYS * 24 * 60 * 60_000,
    metrics_token: variables.METRICS_TOKEN ?? null,
    log: { level: variables.LOG_LEVEL, content: variables.LOG_CONTENT, code_version: variables.VERSION },
  };
}
