import { z } from "zod";
import { configurationError, readVariables } from "#core/configuration";
import { TOOL_NAMES, type ToolName } from "./tool-names";

export const SEARCH_PROVIDERS = ["brave", "tavily"] as const;
export type SearchProvider = (typeof SEARCH_PROVIDERS)[number];

/** Configuration of agents' tools. */
export interface ToolSettings {
  /** Hosts that `http_request` may call: `api.example.com`, with a port unless it is the scheme's default, or `*.example.com`. */
  http_allow_list: readonly string[];
  /** null: no provider is configured, so no agent can search. */
  web_search: { provider: SearchProvider; api_key: string; url: string | null } | null;
  /** Timeout of one tool call, and of listing the tools of an MCP server. */
  timeout_ms: number;
}

const ENTRY = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/;

const key = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]*$/, "must be printable ASCII without spaces")
  .default("");

export const toolVariables = z.object({
  /** Hosts, separated by commas or spaces. */
  HTTP_ALLOW_LIST: z
    .string()
    .default("")
    .transform((text) =>
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .refine((hosts) => hosts.every((host) => ENTRY.test(host)), {
      error: "must list hosts like api.example.com or *.example.com, without scheme and path, separated by commas",
    }),
  BRAVE_SEARCH_API_KEY: key,
  TAVILY_API_KEY: key,
  /** Chooses when both have a key; Brave by default. */
  WEB_SEARCH_PROVIDER: z.enum(SEARCH_PROVIDERS, `must be one of ${SEARCH_PROVIDERS.join(", ")}`).optional(),
  /** Set to use a proxy for the provider's search endpoint. */
  WEB_SEARCH_URL: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
  TOOL_TIMEOUT_MS: z.coerce.number("must be a number of milliseconds").int().min(100).max(300_000).default(30_000),
});

/**
 * Reads the settings of the tools from the environment.
 * @throws as `readVariables`
 */
export function readToolSettings(vars: Record<string, unknown>): ToolSettings {
  const variables = readVariables(toolVariables, vars);
  const { HTTP_ALLOW_LIST, WEB_SEARCH_PROVIDER, WEB_SEARCH_URL, TOOL_TIMEOUT_MS, ...keys } = variables;
  const keyOf = { brave: keys.BRAVE_SEARCH_API_KEY, tavily: keys.TAVILY_API_KEY };
  const provider = WEB_SEARCH_PROVIDER ?? SEARCH_PROVIDERS.find((name) => keyOf[name] !== "");
  if (provider && keyOf[provider] === "") {
    throw configurationError("WEB_SEARCH_PROVIDER", `names ${provider}, which has no key`);
  }
  return {
    http_allow_list: HTTP_ALLOW_LIST,
    web_search: provider ? { provider, api_key: keyOf[provider], url: WEB_SEARCH_URL ?? null } : null,
    timeout_ms: TOOL_TIMEOUT_MS,
  };
}

/** Whether a tool is configured. */
export function isConfigured(tool: ToolName, settings: ToolSettings): boolean {
  if (tool === "http_request") return settings.http_allow_list.length > 0;
  if (tool === "web_search") return settings.web_search !== null;
  return true;
}

/** The configured tools among these names. */
export const configuredTools = (names: readonly string[], settings: ToolSettings): ToolName[] =>
  TOOL_NAMES.filter((name) => names.includes(name) && isConfigured(name, settings));
