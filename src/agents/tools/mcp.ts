import {
  type CallToolResult,
  Client,
  isInputRequiredResult,
  type PriorDiscovery,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Tool as RemoteTool,
} from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import type { McpServer } from "../profile";
import { callRefusal, type UrlPolicy } from "#core/outbound/url-policy";
import { sleep } from "#core/retry";
import { StorageUnavailableError } from "#core/unavailable";
import { type Tool, ToolError } from "./tool";

/** Maximum of tools of one server; more do not help a model. */
const MAX_TOOLS = 64;
const MAX_DESCRIPTION_LENGTH = 1000;
/** Maximum of all schemas of a server, as JSON; tools beyond it are offered without their schema. Characters. */
const MAX_SCHEMAS_LENGTH = 60_000;
/** Maximum that a server may send in one session. Bytes. */
const MAX_SESSION_BYTES = 4 * 1024 * 1024;
/** Timeout for terminating a session. Milliseconds. */
const TERMINATION_MS = 2000;
/** The package's default compiles code, which Workers forbid. */
const jsonSchemaValidator = new CfWorkerJsonSchemaValidator();

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
  /** What an earlier connection has found out about the server. */
  prior?: PriorDiscovery | undefined;
}

/**
 * The tools of a remote MCP server, named `<server>__<tool>`. Each call has its own session, so that none stays open when the run ends; a
 * stateful server sees a new client each time. A server that fails is replaced by a tool that says why.
 * @throws StorageUnavailableError when the headers cannot be read at the moment
 */
export async function mcpTools(server: McpServer, environment: McpEnvironment): Promise<Tool[]> {
  try {
    const access = { server, environment, headers: await environment.headers(server) };
    const { remote, prior } = await discover(access, AbortSignal.timeout(environment.settings.timeout_ms));
    const shown = schemasOf(remote);
    return remote.map((tool, at) => ({
      name: nameOf(server, tool),
      description: (tool.description ?? tool.title ?? tool.name).slice(0, MAX_DESCRIPTION_LENGTH),
      parameters: shown[at]!,
      foreign: true,
      call: (args, abort) => callTool({ ...access, prior }, tool, args, abort),
    }));
  } catch (error) {
    if (error instanceof StorageUnavailableError) throw error; // storage is waited for
    return [unavailable(server, reasonOf(error))];
  }
}

/** The server's tools, and what later connections need not ask: in which version of the protocol it speaks. */
async function discover(access: Access, signal: AbortSignal): Promise<{ remote: RemoteTool[]; prior: PriorDiscovery }> {
  const list = (prior?: PriorDiscovery) =>
    withClient({ ...access, prior }, signal, async (client, bound) => {
      const known = client.getDiscoverResult();
      return {
        remote: await listTools(client, bound),
        prior: known ? { kind: "modern" as const, discover: known } : { kind: "legacy" as const },
      };
    });
  return list().catch((error: unknown) => {
    // A server of before 2026 may fail at the question for its version.
    if (error instanceof SdkHttpError && error.status >= 500) return list({ kind: "legacy" });
    throw error;
  });
}

async function listTools(client: Client, signal: AbortSignal): Promise<RemoteTool[]> {
  const tools: RemoteTool[] = [];
  for (let cursor: string | undefined; tools.length < MAX_TOOLS;) {
    const page = await client.request({ method: "tools/list", params: { cursor } }, { signal });
    tools.push(...page.tools);
    if (!page.nextCursor || page.nextCursor === cursor) break;
    cursor = page.nextCursor;
  }
  return tools.slice(0, MAX_TOOLS);
}

async function callTool(access: Access, tool: RemoteTool, args: unknown, signal: AbortSignal): Promise<string> {
  try {
    // The definition names the arguments that belong in headers. Results are not checked: models read what there is.
    const toolDefinition = { ...tool, outputSchema: undefined };
    const params = { name: tool.name, arguments: args as Record<string, unknown> };
    const timeout = access.environment.settings.timeout_ms;
    const result: unknown = await withClient(access, signal, (client, bound) =>
      client.callTool(params, { signal: bound, timeout, toolDefinition, allowInputRequired: true }),
    );
    if (isInputRequiredResult(result)) throw new Error("It asks for input, which an agent cannot give.");
    const text = textOf(result as CallToolResult);
    if ((result as CallToolResult).isError) throw new ToolError(text);
    return text;
  } catch (error) {
    throw error instanceof ToolError
      ? error
      : new ToolError(`The MCP server ${access.server.name} failed: ${reasonOf(error)}`);
  }
}

/** Connects to a server, runs `use`, and ends the connection. An error of the connection ends it at once and is the error thrown. */
async function withClient<T>(
  { server, environment, headers, prior }: Access,
  outer: AbortSignal,
  use: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const refused = await callRefusal(server.url, environment.url_policy, outer);
  if (refused) throw new ToolError(`Its URL was not called. ${refused}`);
  const timeout = environment.settings.timeout_ms;
  const broken = new AbortController();
  const signal = AbortSignal.any([outer, broken.signal]);
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers, redirect: "manual" },
    fetch: boundedFetch(signal),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const client = new Client(
    { name: "parley", version: "1" },
    { versionNegotiation: { mode: "auto" }, jsonSchemaValidator },
  );
  try {
    await client.connect(transport, { signal, timeout, ...(prior && { prior }) });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client is no event target
    client.onerror = (error) => broken.abort(error);
    return await use(client, signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    await Promise.race([transport.terminateSession().catch(() => {}), sleep(TERMINATION_MS)]);
    await client.close();
  }
}

/** A `fetch` that follows no redirects, limits what a session may send, and opens no event stream, which would have no reader. */
function boundedFetch(signal: AbortSignal): typeof globalThis.fetch {
  let left = MAX_SESSION_BYTES;
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
          if (left < 0) controller.error(new ToolError(`It said more than ${MAX_SESSION_BYTES / 1024 / 1024} MiB.`));
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
  let left = MAX_SCHEMAS_LENGTH;
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
