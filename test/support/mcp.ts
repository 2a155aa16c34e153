import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/cfworker-provider.js";
import { createMcpHandler, McpServer as ModernMcpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** The validator of the Worker's client: under vitest there is no ajv for the server either. */
const jsonSchemaValidator = new CfWorkerJsonSchemaValidator();

export interface PlayedMcpServer extends AsyncDisposable {
  /** Its endpoint. A request to `…/mcp?deaf` is never answered, one to `…/mcp?moved` is redirected to another host; `…/mcp?odd` lists tools with unusual schemas. */
  url: string;
  /** The received requests, oldest first. */
  seen: { method: string; rpc: string | null; headers: IncomingMessage["headers"] }[];
  /** Open sessions. */
  sessions: Map<string, unknown>;
}

/** A real MCP server of the SDK on loopback, with tools that succeed, fail, are slow, or return too much. */
export async function startMcp(): Promise<PlayedMcpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const seen: PlayedMcpServer["seen"] = [];

  const server = createServer(async (request, response) => {
    let raw = "";
    for await (const chunk of request) raw += chunk;
    const body: unknown = raw ? JSON.parse(raw) : undefined;
    seen.push({
      method: request.method!,
      rpc: (body as { method?: string })?.method ?? null,
      headers: request.headers,
    });
    if (request.url!.endsWith("?deaf")) return;
    if (request.url!.endsWith("?moved"))
      return void response.writeHead(307, { location: "http://127.0.0.1:9/mcp" }).end();
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    const transport = known ?? (await newSession(request.url!.endsWith("?odd") ? oddTools() : tools()));
    await transport.handleRequest(request, response, body);
  });

  async function newSession(session: McpServer) {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await session.connect(transport);
    return transport;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    sessions,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function tools(): McpServer {
  const server = new McpServer({ name: "played", version: "1" }, { jsonSchemaValidator });
  const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });
  server.registerTool(
    "add",
    {
      description: "Adds two numbers.",
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
    },
    ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool("long.winded", { description: "Says very much." }, () => text("x".repeat(50_000)));
  server.registerTool("flood", { description: "Says more than anyone can take." }, () => text("x".repeat(6_000_000)));
  server.registerTool("fail", { description: "Fails." }, () => ({ ...text("the shelf is empty"), isError: true }));
  server.registerTool("slow", { description: "Takes its time." }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    return text("at last");
  });
  server.registerTool("who_asks", { description: "Tells the authorization of the caller." }, ({ requestInfo }) =>
    text(String(requestInfo?.headers.authorization ?? "nobody")),
  );
  server.registerTool("picture", { description: "Draws." }, () => ({
    content: [{ type: "image" as const, data: "aGk=", mimeType: "image/png" }],
  }));
  return server;
}

/** Tools like those of servers in other languages: one with a minimal schema, one with a huge schema. */
function oddTools(): McpServer {
  const played = new McpServer({ name: "odd", version: "1" }, { capabilities: { tools: {} }, jsonSchemaValidator });
  const endless = { type: "object" as const, properties: { x: { type: "string", description: "y".repeat(70_000) } } };
  played.server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      { name: "bare", inputSchema: { type: "object" as const } },
      { name: "endless", inputSchema: endless },
    ],
  }));
  return played;
}

/** A server of the official package that speaks MCP 2026-07-28 alone. It checks the headers of each request against the body. */
export async function startModernMcp(): Promise<Pick<PlayedMcpServer, "url" | "seen"> & AsyncDisposable> {
  const handler = createMcpHandler(modernTools, { legacy: "reject" });
  const seen: PlayedMcpServer["seen"] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = "GET", headers } = request;
    seen.push({ method, rpc: JSON.parse(body.toString() || "{}").method ?? null, headers });
    const answer = await handler.fetch(
      new Request("http://localhost/mcp", {
        method,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
        ...(body.length > 0 && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    async [Symbol.asyncDispose]() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function modernTools(): ModernMcpServer {
  const server = new ModernMcpServer({ name: "modern", version: "1" });
  const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });
  server.registerTool(
    "add",
    { description: "Adds two numbers.", inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => text(String(a + b)),
  );
  const inHeader = (name: string) => z.string().meta({ "x-mcp-header": name });
  const place = z.object({ row: inHeader("Row") });
  server.registerTool(
    "look",
    { description: "Looks at a shelf.", inputSchema: z.object({ shelf: inHeader("Shelf"), place: place.optional() }) },
    (given) => text(`seen: ${given.shelf}`),
  );
  server.registerTool("fail", { description: "Fails." }, () => ({ ...text("the shelf is empty"), isError: true }));
  return server;
}
