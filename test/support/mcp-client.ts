/** Clients of our MCP server, of the official packages. */
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createTaskSessionFromClient, type WithTasksOptions } from "@modelcontextprotocol/ext-tasks/client";

const MODERN = "2026-07-28";
const INFO = { name: "test", version: "1" };

export type Era = "modern" | "legacy";
export const ERAS: readonly Era[] = ["modern", "legacy"];

export interface McpClientOptions {
  /** Base of the server. */
  url: string;
  key: string;
  era?: Era;
  capabilities?: ClientCapabilities;
  fetch?: typeof fetch;
}

/** A connected client; `legacy` shakes hands as before 2026, `modern` speaks 2026-07-28 only. */
export async function connectMcp({ url, key, era = "modern", capabilities = {}, fetch: send }: McpClientOptions) {
  const client = new Client(INFO, {
    capabilities,
    versionNegotiation: { mode: era === "modern" ? { pin: MODERN } : "legacy" },
  });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    ...(send && { fetch: send }),
  });
  await client.connect(transport);
  return client;
}

/** A session of the tasks extension over a connected client. */
export async function connectTasks(options: McpClientOptions, asked: WithTasksOptions["onInputRequest"]) {
  const client = await connectMcp(options);
  return createTaskSessionFromClient(client, {
    endpointId: options.url,
    ...(asked && { onInputRequest: asked }),
    v2RequestFraming: {
      protocolVersion: MODERN,
      clientInfo: INFO,
      clientCapabilities: { ...options.capabilities } as any,
    },
    rawDispatch: async (request) => {
      const { status: _, ...answer } = await postMcp(options, request);
      return answer.error ? { kind: "error", error: answer.error } : { kind: "result", result: answer.result };
    },
  });
}

/** One modern request with the headers that repeat its body. */
export async function postMcp(
  { url, key, fetch: send = fetch }: McpClientOptions,
  request: any,
  headers: Record<string, string> = {},
): Promise<{ status: number; result?: any; error?: any }> {
  const { method, params = {} } = request;
  const named = params.taskId ?? params.name ?? params.uri;
  const response = await send(new URL("/mcp", url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": MODERN,
      "mcp-method": method,
      ...(typeof named === "string" && { "mcp-name": named }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...request }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

/** A modern request of a client that can do this. */
export const modern = (method: string, params: object = {}, capabilities: object = {}) => ({
  method,
  params: {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": MODERN,
      "io.modelcontextprotocol/clientInfo": INFO,
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    },
  },
});

export const KNOWS_TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
