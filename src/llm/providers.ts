import { z } from "zod";
import { ConfigurationError, configurationError, readAll } from "#core/configuration";
import { capabilitiesSchema, isOpenAi } from "./capabilities";
import { DEFAULT_OPENAI_MODEL } from "./default-model";
import { type ModelParameters, modelParametersSchema } from "./model-parameters";
import { APIS, type Api, type Capabilities, type Price, type ProviderLimits } from "./types";

/** Configured facts of one model; the others are assumed, then learnt. */
export interface ModelInfo extends Partial<Capabilities> {
  price?: Price;
  /** Sent where the role states none. */
  reasoning_effort?: ModelParameters["reasoning_effort"];
  verbosity?: ModelParameters["verbosity"];
}

/** An OpenAI-compatible endpoint. */
export interface Provider {
  name: string;
  base_url: string;
  /** null: requests carry no `Authorization`. */
  api_key: string | null;
  default_model: string | null;
  embedding_model: string | null;
  /** The API by which its models are asked; `auto`: the one that each model turns out to want. */
  api: Api | "auto";
  models: ReadonlyMap<string, ModelInfo>;
  /** null: unlimited. */
  limits: ProviderLimits | null;
}

export interface Providers {
  byName: ReadonlyMap<string, Provider>;
  /**
   * `<provider>/<model>` for requests that name none: of the first provider with a default, where `openai` comes first; else, where there is
   * OpenAI itself, `DEFAULT_OPENAI_MODEL`.
   */
  default_model: string | null;
  /** The same for embeddings. */
  embedding_model: string | null;
}

const baseUrl = z
  .url({ abort: true, protocol: /^https?$/, error: "must be an http or https URL, like https://api.example.com/v1" })
  .refine((url) => new URL(url).username === "", "must not hold a user name or password; give the key apart");
const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces; omit it when none is needed");
const bound = z.int().positive();
const dollars = z.number().nonnegative();

const entrySchema = z.strictObject({
  base_url: baseUrl.optional(),
  api_key: apiKey.optional(),
  api_key_env: z.string().min(1).optional(),
  default_model: z.string().min(1).optional(),
  embedding_model: z.string().min(1).optional(),
  max_concurrency: bound.optional(),
  requests_per_minute: bound.optional(),
  tokens_per_minute: bound.optional(),
  api: z.enum([...APIS, "auto"]).default("auto"),
  models: z
    .record(
      z.string().min(1),
      capabilitiesSchema.partial().extend({
        reasoning_effort: modelParametersSchema.shape.reasoning_effort.optional(),
        verbosity: modelParametersSchema.shape.verbosity.optional(),
        price: z
          .strictObject({
            input: dollars,
            cached_input: dollars.optional(),
            output: dollars,
            reasoning: dollars.optional(),
          })
          .optional(),
      }),
    )
    .default({}),
});
type Entry = z.infer<typeof entrySchema>;

const entriesSchema = z.record(
  z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "provider names are lower-case letters, digits, - and _"),
  entrySchema,
);

const OPENAI_URL = "https://api.openai.com/v1";

/** The variables that configure providers, besides those that an `api_key_env` names. */
export const PROVIDER_VARIABLES = [
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "OPENAI_MODEL",
  "OPENAI_EMBEDDING_MODEL",
  "OPENAI_MAX_CONCURRENCY",
  "OPENAI_REQUESTS_PER_MINUTE",
  "OPENAI_TOKENS_PER_MINUTE",
  "PROVIDERS",
] as const;
type ProviderVariable = (typeof PROVIDER_VARIABLES)[number];

/**
 * Reads the provider table from `PROVIDER_VARIABLES`.
 * @param vars the environment; other variables are read only if an `api_key_env` names them
 * @throws ConfigurationError
 */
export function parseProviders(vars: Record<string, unknown>): Providers {
  let entries: Record<string, Entry> = {};
  // Errors of OpenAI's variables are reported together with those of PROVIDERS.
  readAll<unknown>([() => (entries = readEntries(vars)), () => builtInProvider(vars, undefined)]);
  const { openai, ...others } = entries;
  const configured = Object.entries(others).map(
    ([name, entry]) =>
      () =>
        configuredProvider(name, entry, vars),
  );
  const providers = readAll([() => builtInProvider(vars, openai), ...configured]).filter(
    (provider) => provider !== null,
  );
  const first = (kind: "default_model" | "embedding_model") => {
    const provider = providers.find((candidate) => candidate[kind] !== null);
    return provider ? `${provider.name}/${provider[kind]}` : null;
  };
  return {
    byName: new Map(providers.map((provider) => [provider.name, provider])),
    default_model: first("default_model") ?? standardModel(providers),
    embedding_model: first("embedding_model"),
  };
}

/** The model of a deployment that names none and has OpenAI itself. */
const standardModel = (providers: readonly Provider[]): string | null =>
  providers.some(({ name, base_url }) => name === "openai" && isOpenAi(base_url))
    ? `openai/${DEFAULT_OPENAI_MODEL}`
    : null;

function builtInProvider(vars: Record<string, unknown>, entry: Entry | undefined): Provider | null {
  for (const field of ["base_url", "api_key", "api_key_env"] as const) {
    if (entry?.[field] !== undefined) {
      throw configurationError(
        `PROVIDERS.openai.${field}`,
        "is given by OPENAI_BASE_URL or OPENAI_API_KEY; choose another name for another endpoint",
      );
    }
  }
  const key = ownText(vars, "OPENAI_API_KEY");
  const url = ownText(vars, "OPENAI_BASE_URL");
  if (key === null && url === null) return null;
  return {
    name: "openai",
    base_url: checked(baseUrl, url ?? OPENAI_URL, "OPENAI_BASE_URL"),
    api_key: key === null ? null : checked(apiKey, key, "OPENAI_API_KEY"),
    default_model: ownText(vars, "OPENAI_MODEL") ?? entry?.default_model ?? null,
    embedding_model: ownText(vars, "OPENAI_EMBEDDING_MODEL") ?? entry?.embedding_model ?? null,
    api: entry?.api ?? "auto",
    models: new Map(Object.entries(entry?.models ?? {})),
    limits: limitsOf({
      max_concurrency: boundFrom(vars, "OPENAI_MAX_CONCURRENCY") ?? entry?.max_concurrency,
      requests_per_minute: boundFrom(vars, "OPENAI_REQUESTS_PER_MINUTE") ?? entry?.requests_per_minute,
      tokens_per_minute: boundFrom(vars, "OPENAI_TOKENS_PER_MINUTE") ?? entry?.tokens_per_minute,
    }),
  };
}

function configuredProvider(name: string, entry: Entry, vars: Record<string, unknown>): Provider {
  const path = `PROVIDERS.${name}`;
  if (entry.base_url === undefined) throw configurationError(`${path}.base_url`, "is missing");
  if (entry.api_key !== undefined && entry.api_key_env !== undefined) {
    throw configurationError(path, "has both api_key and api_key_env; give one of them");
  }
  return {
    name,
    base_url: entry.base_url,
    api_key: entry.api_key_env === undefined ? (entry.api_key ?? null) : keyFrom(vars, entry.api_key_env, path),
    default_model: entry.default_model ?? null,
    embedding_model: entry.embedding_model ?? null,
    api: entry.api,
    models: new Map(Object.entries(entry.models)),
    limits: limitsOf(entry),
  };
}

function limitsOf({
  max_concurrency = null,
  requests_per_minute = null,
  tokens_per_minute = null,
}: {
  [limit in keyof ProviderLimits]?: number | null | undefined;
}): ProviderLimits | null {
  const limits = { max_concurrency, requests_per_minute, tokens_per_minute };
  return Object.values(limits).some((limit) => limit !== null) ? limits : null;
}

function boundFrom(vars: Record<string, unknown>, name: ProviderVariable): number | undefined {
  const value = text(vars, name);
  return value === null ? undefined : checked(bound, Number(value), name);
}

function keyFrom(vars: Record<string, unknown>, variable: string, path: string): string {
  const key = text(vars, variable);
  if (key === null) throw configurationError(`${path}.api_key_env`, `names ${variable}, which is not set`);
  return checked(apiKey, key, variable);
}

/** `PROVIDERS`: JSON text, or the object that wrangler makes from a table under `[vars]`. */
function readEntries(vars: Record<string, unknown>): Record<string, Entry> {
  const configured = typeof vars.PROVIDERS === "object" ? vars.PROVIDERS : ownText(vars, "PROVIDERS");
  if (configured === null) return {};
  return checked(entriesSchema, typeof configured === "string" ? parseJson(configured) : configured, "PROVIDERS");
}

/** The parser's message may quote the text with its keys, so only the position is passed on. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const position = /at position \d+( \(line \d+ column \d+\))?/.exec(String(error))?.[0];
    throw configurationError("PROVIDERS", `is not valid JSON${position ? ` (${position})` : ""}`);
  }
}

const ownText = (vars: Record<string, unknown>, name: ProviderVariable) => text(vars, name);

/** A variable's text; null when unset or empty. */
function text(vars: Record<string, unknown>, name: string): string | null {
  const value = vars[name] ?? "";
  if (typeof value !== "string") throw configurationError(name, "must be text");
  return value.trim() || null;
}

function checked<T>(schema: z.ZodType<T>, value: unknown, variable: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(
    parsed.error.issues.flatMap((issue) => {
      // The issues of a record's key are nested; the key itself is the path's last part.
      const reason = issue.code === "invalid_key" ? issue.issues[0]!.message : issue.message;
      return configurationError([variable, ...issue.path].join("."), reason).errors;
    }),
  );
}
