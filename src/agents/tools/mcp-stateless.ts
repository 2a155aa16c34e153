import { z } from "zod";
import type { CallToolResult, Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import type { McpConnection } from "./mcp-connection";

/** MCP since this version has no handshake and no session: each request says which client sends it. */
const VERSION = "2026-07-28";
const META = "io.modelcontextprotocol";

const toolsPage = z.object({
  tools: z.array(
    z.looseObject({ name: z.string(), inputSchema: z.looseObject({ properties: z.looseObject({}).optional() }) }),
  ),
  nextCursor: z.string().optional(),
});
const toolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  isError: z.boolean().optional(),
});
const answerSchema = z.looseObject({
  result: z.looseObject({ resultType: z.string().optional() }).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

interface ObjectSchema {
  properties?: Record<string, unknown> | undefined;
}

/** A server that speaks MCP 2026-07-28. @param send bounds the answer and its time */
export function statelessConnection(
  url: string,
  headers: Record<string, string>,
  send: typeof globalThis.fetch,
): McpConnection {
  async function request(method: string, params: object, more: Record<string, string>, signal: AbortSignal) {
    const _meta = {
      [`${META}/protocolVersion`]: VERSION,
      [`${META}/clientInfo`]: { name: "parley", version: "1" },
      [`${META}/clientCapabilities`]: {},
    };
    const response = await send(url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        "mcp-method": method,
        ...more,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
      signal,
    });
    return resultOf(response);
  }
  return {
    listTools: async (cursor, signal) => {
      const page = toolsPage.parse(await request("tools/list", cursor === undefined ? {} : { cursor }, {}, signal));
      return page as { tools: RemoteTool[]; nextCursor?: string };
    },
    callTool: async (tool, args, signal) => {
      const more = { "mcp-name": headerValue(tool.name), ...argumentHeaders(tool.inputSchema, args) };
      const result = await request("tools/call", { name: tool.name, arguments: args }, more, signal);
      return toolResult.parse(result) as CallToolResult;
    },
  };
}

/** The result in an answer: one JSON document, or the last message of a stream of events. @throws Error in the server's words */
async function resultOf(response: Response): Promise<object> {
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const messages = isStream ? dataOf(text) : [text];
  const { result, error } = answerOf(messages.at(-1) ?? "", response.status);
  if (error) throw new Error(error.message);
  if (!result) throw new Error("It answered without a result.");
  if (result.resultType === "input_required") throw new Error("It asks for input, which an agent cannot give.");
  return result;
}

function answerOf(text: string, status: number): z.infer<typeof answerSchema> {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`It answered ${status}, and nothing of MCP.`);
  }
}

/** The data of server-sent events. */
const dataOf = (text: string): string[] =>
  text
    .split(/\r?\n\r?\n/)
    .map((event) => event.split(/\r?\n/).filter((line) => line.startsWith("data:")))
    .map((lines) => lines.map((line) => line.slice("data:".length).trimStart()).join("\n"))
    .filter((data) => data !== "");

/** Arguments that the tool's schema wants repeated in headers (`x-mcp-header`), those of nested objects too. */
function argumentHeaders({ properties = {} }: ObjectSchema, args: Record<string, unknown>): Record<string, string> {
  const headers = Object.entries(properties).map(([name, schema]): Record<string, string> => {
    const { "x-mcp-header": header, ...inner } = schema as { "x-mcp-header"?: unknown } & ObjectSchema;
    const value = args[name];
    if (typeof value === "object" && value !== null) return argumentHeaders(inner, value as Record<string, unknown>);
    if (typeof header !== "string" || value === undefined || value === null) return {};
    return { [`mcp-param-${header}`]: headerValue(String(value)) };
  });
  return Object.assign({}, ...headers);
}

/** Text as a header's value; in Base64 where a header could not hold it. */
const headerValue = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?")
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`;
