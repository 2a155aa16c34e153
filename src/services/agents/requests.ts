import { z } from "zod";
import { areUnique } from "../fields/are-unique";
import { providerModel } from "../fields/provider-model";
import { refineWith } from "../fields/refine-with";
import type { Providers } from "#llm";
import { TOOL_NAMES } from "#agents/tools/tool-names";
import { urlRefusal, type TextPolicy } from "#core/outbound/url-policy";

/** The bodies of requests that create and change agents. */

/** The configuration that a request is checked against; null: only its form is checked, as for the API document. */
export type RequestPolicy = { providers: Providers | null; url_policy: TextPolicy } | null;

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} .,&'()/+-]*$/u;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Headers that HTTP or the MCP protocol sets. */
const RESERVED_HEADERS =
  /^(host|connection|content-length|content-type|transfer-encoding|upgrade|accept|mcp-.*|last-event-id)$/i;

const line = (max: number) => z.string().trim().min(1).max(max);

const headersSchema = z
  .record(
    z
      .string()
      .regex(HEADER_NAME, "This is not a valid header name.")
      .refine((name) => !RESERVED_HEADERS.test(name), "The protocol sets this header."),
    z.string().regex(/^[\x20-\x7e]{0,4000}$/, "Use printable ASCII, 4,000 characters at most."),
  )
  .refine((headers) => Object.keys(headers).length <= 10, "At most 10 headers.");

/** Of all MCP servers of an agent, names included: a run reads up to 500 agents at once. */
const MAX_HEADER_CHARACTERS = 16_000;

const headerCharacters = (servers: readonly { headers?: Record<string, string> | undefined }[]): number =>
  servers.reduce(
    (sum, { headers }) =>
      sum +
      Object.entries(headers ?? {})
        .flat()
        .join("").length,
    0,
  );

const mcpServerSchema = (policy: RequestPolicy) =>
  z.strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, "Use up to 32 lower-case letters, digits, `-` and `_`.")
      .describe("The prefix of its tools' names."),
    url: refineWith(
      z.string().max(2000),
      (url) => (policy ? urlRefusal(url, policy.url_policy) : null),
      "url_refused",
    ).describe("Its streamable HTTP endpoint: https, and a public host."),
    headers: headersSchema
      .optional()
      .describe(
        "Sent with every request; stored encrypted, never shown. When a change omits them, the server of this name and URL keeps its headers.",
      ),
  });

const fields = (policy: RequestPolicy) => ({
  // A refinement, because JSON Schema has no flag for letters of every script.
  name: line(64)
    .refine(
      (name) => NAME.test(name),
      "Start with a letter or digit; after it, spaces and . , & ' ( ) / + - are allowed too.",
    )
    .describe("The name that plans and programs call it by; unique in the registry, compared without case."),
  description: line(500).describe("Its purpose, in one sentence."),
  capabilities: z.array(line(200)).min(1).max(20).describe("One capability per entry."),
  when_to_use: line(1000).describe("For which tasks a planner should choose it, and for which not."),
  input: line(1000).describe("The input that it needs."),
  output: line(1000).describe("The output that it returns."),
  instructions: line(20_000).describe("Its system prompt."),
  tools: z.array(z.enum(TOOL_NAMES)).max(TOOL_NAMES.length).refine(areUnique, "Name each tool once."),
  mcp_servers: z
    .array(mcpServerSchema(policy))
    .max(5)
    .refine((servers) => areUnique(servers.map(({ name }) => name)), "Give each server a different name.")
    .refine(
      (servers) => headerCharacters(servers) <= MAX_HEADER_CHARACTERS,
      `The headers of all servers have at most ${MAX_HEADER_CHARACTERS} characters together.`,
    )
    .describe(
      `Remote MCP servers whose tools it may call; each call opens its own session. Their headers have at most ${MAX_HEADER_CHARACTERS} characters together.`,
    ),
  model: providerModel(policy && policy.providers)
    .nullable()
    .describe("`<provider>/<model>`; null for the model of the run's role `agent`."),
});

/** The body of `POST /v1/agents`. */
export function createAgentSchema(policy: RequestPolicy) {
  const { tools, mcp_servers, model, ...required } = fields(policy);
  return z.strictObject({
    ...required,
    tools: tools.default([]),
    mcp_servers: mcp_servers.default([]),
    model: model.default(null),
  });
}

/** The body of `PATCH /v1/agents/{id}`: each given field replaces the stored one. */
export const updateAgentSchema = (policy: RequestPolicy) =>
  z
    .strictObject(fields(policy))
    .partial()
    .refine((change) => Object.keys(change).length > 0, "Give at least one field to change.");
