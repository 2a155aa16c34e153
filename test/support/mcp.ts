import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { z } from "zod";

export interface PlayedMcpServer extends AsyncDisposable {
  /** Its endpoint. A request to `…/mcp?deaf` is never answered, one to `…/mcp?moved` is redirected to another host, one to `…/mcp?login` must log in; `…/mcp?odd` lists tools with unusual schemas;
   * `…/mcp?crash` fails at all that comes before `initialize`. */
  url: string;
  /** The received requests, oldest first. */
  seen: { method: string; rpc: string | null; headers: IncomingMessage["headers"] }[];
  /** Open sessions. */
  sessions: Map<string, unknown>;
}

/** A server on loopback. @param answer answers a request; null leaves it without an answer */
async function listen(answer: (request: Request) => Promise<Response | null>) {
  const seen: PlayedMcpServer["seen"] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = "GET", headers, url } = incoming;
    seen.push({ method, rpc: JSON.parse(body.toString() || "{}").method ?? null, headers });
    const response = await answer(
      new Request(new URL(url!, "http://localhost"), {
        method,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
        ...(body.length > 0 && { body }),
      }),
    );
    if (!response) return;
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const chunk of response.body ?? []) outgoing.write(chunk);
    outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A real MCP server of before 2026 on loopback, with tools that succeed, fail, are slow, or return too much. */
export async function startMcp(): Promise<PlayedMcpServer> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  async function newSession(session: McpServer) {
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await session.connect(transport);
    return transport;
  }

  const server = await listen(async (request) => {
    const { search } = new URL(request.url);
    if (search === "?deaf") return null;
    if (search === "?login") return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
    if (search === "?moved")
      return new Response(null, { status: 307, headers: { location: "http://127.0.0.1:9/mcp" } });
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
    const isFirst = !known && (await request.clone().text()).includes('"initialize"');
    if (search === "?crash" && !known && !isFirst) return new Response("a bug", { status: 500 });
    return (known ?? (await newSession(search === "?odd" ? oddTools() : tools()))).handleRequest(request);
  });
  return { ...server, sessions };
}

function tools(): McpServer {
  const server = new McpServer({ name: "mock", version: "1" });
  const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });
  server.registerTool(
    "add",
    {
      description: "Adds two numbers.",
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
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
  server.registerTool("who_asks", { description: "Tells the authorization of the caller." }, ({ http }) =>
    text(http?.req?.headers.get("authorization") ?? "nobody"),
  );
  server.registerTool("picture", { description: "Draws." }, () => ({
    content: [{ type: "image" as const, data: "aGk=", mimeType: "image/png" }],
  }));
  return server;
}

/** Tools like those of servers in other languages: one with a minimal schema, one with a huge schema. */
function oddTools(): McpServer {
  const ran = new McpServer({ name: "odd", version: "1" }, { capabilities: { tools: {} } });
  const endless = { type: "object" as const, properties: { x: { type: "string", description: "y".repeat(70_000) } } };
  ran.server.setRequestHandler("tools/list", () => ({
    tools: [
      { name: "bare", inputSchema: { type: "object" as const } },
      { name: "endless", inputSchema: endless },
    ],
  }));
  return ran;
}

/** A server that speaks MCP 2026-07-28 alone. It checks the headers of each request against the body. */
export async function startModernMcp(): Promise<Pick<PlayedMcpServer, "url" | "seen"> & AsyncDisposable> {
  const handler = createMcpHandler(modernTools, { legacy: "reject" });
  return listen((request) => handler.fetch(request));
}

function modernTools(): McpServer {
  const server = new McpServer({ name: "modern", version: "1" });
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
