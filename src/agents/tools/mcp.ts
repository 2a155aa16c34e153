import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult, Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import type { jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import type { McpServer } from "../profile";
import { refuseCall, type UrlPolicy } from "#core/outbound/url-policy";
import { sleep } from "#core/retry";
import { Unavailable } from "#core/unavailable";
import type { McpConnection } from "./mcp-connection";
import { statelessConnection } from "./mcp-stateless";
import { type Tool, ToolError } from "./tool";

/** Maximum of tools of one server; more do not help a model. */
const MOST_TOOLS = 64;
const LONGEST_DESCRIPTION = 1000;
/** Maximum of all schemas of a server, as JSON; tools beyond it are offered without their schema. Characters. */
const MOST_SCHEMAS = 60_000;
/** Maximum that a server may send in one session. Bytes. */
const LARGEST_SESSION = 4 * 1024 * 1024;
/** Timeout for terminating a session. Milliseconds. */
const TERMINATION_MS = 2000;
/** How a server answers `initialize` that does not know it: HTTP 400, or an error of JSON-RPC (no such method, request, parameters, version). */
const HANDSHAKE_REFUSED = new Set<unknown>([400, -32601, -32600, -32602, -32022]);

export interface McpEnvironment {
  url_policy: UrlPolicy;
  settings: { timeout_ms: number };
  headers(server: McpServer): Promise<Record<string, string>>;
}

/** Data with which every connection to a server begins. */
interface Access {
  server: McpServer;
  environment: McpEnvironment;
  headers: Record<string, string>;
}

/** Connects to a server, runs `use`, and ends the connection. */
type Connect = <T>(
  access: Access,
  outer: AbortSignal,
  use: (connection: McpConnection, signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/**
 * The tools of a remote MCP server, named `<server>__<tool>`. Each call has its own session, so that none stays open when the run ends; a
 * stateful server sees a new client each time. A server that fails is replaced by a tool that says why.
 * @throws Unavailable when the headers cannot be read at the moment
 */
export async function mcpTools(server: McpServer, environment: McpEnvironment): Promise<Tool[]> {
  try {
    const access = { server, environment, headers: await environment.headers(server) };
    const signal = AbortSignal.timeout(environment.settings.timeout_ms);
    const { remote, connect } = await discover(access, signal);
    const shown = schemasOf(remote);
    return remote.map((tool, at) => ({
      name: nameOf(server, tool),
      description: (tool.description ?? tool.title ?? tool.name).slice(0, LONGEST_DESCRIPTION),
      parameters: shown[at]!,
      foreign: true,
      call: (args, abort) => callTool(access, connect, tool, args, abort),
    }));
  } catch (error) {
    if (error instanceof Unavailable) throw error; // storage is waited for
    return [unavailable(server, reasonOf(error))];
  }
}

/** The server's tools, and how to connect to it. A server that refuses the handshake of older versions may speak 2026-07-28 alone. */
async function discover(access: Access, signal: AbortSignal): Promise<{ remote: RemoteTool[]; connect: Connect }> {
  try {
    return { remote: await withSession(access, signal, listTools), connect: withSession };
  } catch (error) {
    if (!HANDSHAKE_REFUSED.has((error as { code?: unknown }).code)) throw error;
    const remote = await withoutSession(access, signal, listTools).catch(() => Promise.reject(error));
    return { remote, connect: withoutSession };
  }
}

async function listTools(connection: McpConnection, signal: AbortSignal): Promise<RemoteTool[]> {
  const tools: RemoteTool[] = [];
  for (let cursor: string | undefined; tools.length < MOST_TOOLS;) {
    const page = await connection.listTools(cursor, signal);
    tools.push(...page.tools);
    if (!page.nextCursor || page.nextCursor === cursor) break;
    cursor = page.nextCursor;
  }
  return tools.slice(0, MOST_TOOLS);
}

async function callTool(
  access: Access,
  connect: Connect,
  tool: RemoteTool,
  args: unknown,
  signal: AbortSignal,
): Promise<string> {
  try {
    const result = await connect(access, signal, (connection, bound) =>
      connection.callTool(tool, args as Record<string, unknown>, bound),
    );
    const text = textOf(result);
    if (result.isError) throw new ToolError(text);
    return text;
  } catch (error) {
    throw error instanceof ToolError
      ? error
      : new ToolError(`The MCP server ${access.server.name} failed: ${reasonOf(error)}`);
  }
}

/** The client checks results of tools that it has listed in the same session. Ours lists in one session and calls in others. */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => () => {
    throw new Error("A session that lists tools calls none.");
  },
};

/** @throws ToolError for a URL that may not be called */
async function checkUrl({ server, environment }: Access, signal: AbortSignal): Promise<void> {
  const refused = await refuseCall(server.url, environment.url_policy, signal);
  if (refused) throw new ToolError(`Its URL was not called. ${refused}`);
}

/** By MCP 2026-07-28, which has no sessions. */
const withoutSession: Connect = async (access, outer, use) => {
  await checkUrl(access, outer);
  const signal = AbortSignal.any([outer, AbortSignal.timeout(access.environment.settings.timeout_ms)]);
  return use(statelessConnection(access.server.url, access.headers, boundedFetch(signal)), signal);
};

/** In a new session of MCP before 2026. An error of the connection ends the session at once and is the error thrown. */
const withSession: Connect = async (access, outer, use) => {
  await checkUrl(access, outer);
  const { server, environment, headers } = access;
  const timeout = environment.settings.timeout_ms;
  const broken = new AbortController();
  const signal = AbortSignal.any([outer, broken.signal]);
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers },
    fetch: boundedFetch(signal),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
    },
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
  transport.onerror = (error) => broken.abort(error);
  const client = new Client({ name: "parley", version: "1" }, { jsonSchemaValidator: NO_VALIDATOR });
  try {
    await client.connect(transport, { signal, timeout });
    const connection = {
      listTools: (cursor?: string) => client.listTools({ cursor }, { signal }),
      callTool: ({ name }: RemoteTool, args: Record<string, unknown>) =>
        client.callTool({ name, arguments: args }, undefined, { signal, timeout }) as Promise<CallToolResult>,
    };
    return await use(connection as McpConnection, signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    await Promise.race([transport.terminateSession().catch(() => {}), sleep(TERMINATION_MS)]);
    await client.close();
  }
};

/** A `fetch` that follows no redirects, limits what a session may send, and opens no event stream, which would have no reader. */
function boundedFetch(signal: AbortSignal): typeof globalThis.fetch {
  let left = LARGEST_SESSION;
  return async (input, init) => {
    const method = init?.method ?? "GET";
    if (method === "GET") return new Response(null, { status: 405 });
    // A session is terminated even after its timeout.
    const bound =
      method === "DELETE"
        ? AbortSignal.timeout(TERMINATION_MS)
        : AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]);
    const response = await fetch(input as string, { ...init, redirect: "manual", signal: bound } as RequestInit);
    if (!response.body) return response;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          left -= chunk.byteLength;
          if (left < 0) controller.error(new ToolError(`It said more than ${LARGEST_SESSION / 1024 / 1024} MiB.`));
          else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, response);
  };
}

/** The text of a result; images and other media are only mentioned. */
function textOf({ content, structuredContent }: CallToolResult): string {
  const parts = content.map((part) => {
    if (part.type === "text") return part.text;
    if (part.type === "resource")
      return "text" in part.resource ? part.resource.text : `(a resource: ${part.resource.uri})`;
    if (part.type === "resource_link") return `(a resource: ${part.uri})`;
    return `(${part.type}: ${part.mimeType})`;
  });
  if (parts.length) return parts.join("\n");
  return structuredContent ? JSON.stringify(structuredContent) : "(no content)";
}

/** The schemas of the tools' arguments for models. Providers refuse an object schema without `properties`. */
function schemasOf(tools: RemoteTool[]): Record<string, unknown>[] {
  let left = MOST_SCHEMAS;
  return tools.map(({ inputSchema }) => {
    left -= JSON.stringify(inputSchema).length;
    const unknown = { type: "object", description: "Not shown: too large.", properties: {} };
    return left < 0 ? unknown : { ...inputSchema, properties: inputSchema.properties ?? {} };
  });
}

/** A name that models accept. Two tools may get the same name; `toolsFor` makes them distinct. */
const nameOf = (server: McpServer, tool: RemoteTool): string =>
  `${server.name}__${tool.name.replace(/[^a-zA-Z0-9_-]/g, "_")}`.slice(0, 60);

function unavailable(server: McpServer, reason: string): Tool {
  const message = `The tools of ${server.name} cannot be used now: ${reason}`;
  return {
    name: `${server.name}__unavailable`,
    description: `${message} Do not call this; do without, and say so where it matters.`,
    parameters: { type: "object", properties: {} },
    foreign: true, // the reason may be the server's own words
    call: async () => {
      throw new ToolError(message);
    },
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError"))
    return "it did not answer in time.";
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s+/g, " ").slice(0, 300);
}
