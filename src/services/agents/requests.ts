import { z } from "zod";
import { refineWith } from "../fields/refine-with";
import type { Providers } from "#llm";
import { TOOL_NAMES } from "#agents/tools/tool-names";
import { refuseUrl, type UrlPolicy } from "#core/outbound/url-policy";

/** What clients send to create and change agents. */

/** What a request is judged by besides its form; null where only the form is of interest, as in the docs. */
export type RequestPolicy = { providers: Providers; url_policy: Pick<UrlPolicy, "allow_private"> } | null;

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} .,&'()/+-]*$/u;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Headers that belong to HTTP or to the protocol. */
const RESERVED_HEADERS =
  /^(host|connection|content-length|content-type|transfer-encoding|upgrade|accept|mcp-.*|last-event-id)$/i;

const line = (max: number) => z.string().trim().min(1).max(max);
const unique = <T>(key: (entry: T) => string) => ({
  check: (entries: T[]) => new Set(entries.map(key)).size === entries.length,
});

const headersSchema = z
  .record(
    z
      .string()
      .regex(HEADER_NAME, "This is not a name of a header.")
      .refine((name) => !RESERVED_HEADERS.test(name), "This header is set by the protocol."),
    z.string().regex(/^[\x20-\x7e]{0,4000}$/, "Use printable ASCII, 4,000 characters at most."),
  )
  .refine((headers) => Object.keys(headers).length <= 10, "At most 10 headers.");

const mcpServerSchema = (judges: RequestPolicy) =>
  z.strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, "Use up to 32 lower-case letters, digits, `-` and `_`.")
      .describe("Stands before the names of its tools."),
    url: refineWith(
      z.string().max(2000),
      (url) => (judges ? refuseUrl(url, judges.url_policy) : null),
      "url_refused",
    ).describe("Its streamable HTTP endpoint: https, and a public host."),
    headers: headersSchema
      .optional()
      .describe(
        "Sent with every request; kept encrypted, never shown. Left out in a change: those that the server of this name and URL has.",
      ),
  });

function refuseModel(model: string, judges: RequestPolicy): string | null {
  const provider = /^([^/]+)\/./s.exec(model)?.[1];
  if (provider === undefined) return `"${model}" is not of the form <provider>/<model>.`;
  if (!judges || judges.providers.byName.has(provider)) return null;
  const configured = [...judges.providers.byName.keys()].join(", ") || "none";
  return `There is no provider ${provider}. Those configured: ${configured}.`;
}

const fields = (judges: RequestPolicy) => ({
  // A refinement, because JSON Schema has no flag for letters of every script.
  name: line(64)
    .refine(
      (name) => NAME.test(name),
      "Begin with a letter or digit; then also spaces and . , & ' ( ) / + - are possible.",
    )
    .describe("What plans and programs call it by; unique in the registry, whatever the case."),
  description: line(500).describe("What it does, in a sentence."),
  capabilities: z.array(line(200)).min(1).max(20).describe("What it is able to do, one each."),
  when_to_use: line(1000).describe("For which tasks a planner should choose it, and for which not."),
  input: line(1000).describe("What to hand it."),
  output: line(1000).describe("What it gives back."),
  instructions: line(20_000).describe("Its system prompt."),
  tools: z
    .array(z.enum(TOOL_NAMES))
    .max(TOOL_NAMES.length)
    .refine(unique<string>((name) => name).check, "Name each tool once."),
  mcp_servers: z
    .array(mcpServerSchema(judges))
    .max(5)
    .refine(unique<{ name: string }>(({ name }) => name).check, "Give each server a name of its own.")
    .describe("Remote MCP servers whose tools it may call; each call is a session of its own."),
  model: refineWith(z.string().min(1).max(200), (model) => refuseModel(model, judges), "unknown_provider")
    .nullable()
    .describe("`<provider>/<model>`; null for that of the run's role `agent`."),
});

/** The body of `POST /v1/agents`. */
export function createAgentSchema(judges: RequestPolicy) {
  const { tools, mcp_servers, model, ...required } = fields(judges);
  return z.strictObject({
    ...required,
    tools: tools.default([]),
    mcp_servers: mcp_servers.default([]),
    model: model.default(null),
  });
}

/** The body of `PATCH /v1/agents/{id}`: what is given replaces what was. */
export const updateAgentSchema = (judges: RequestPolicy) =>
  z
    .strictObject(fields(judges))
    .partial()
    .refine((change) => Object.keys(change).length > 0, "Give at least one field to change.");
