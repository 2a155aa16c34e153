import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createMcpHandler,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isLegacyRequest,
  type JSONRPCNotification,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerCapabilities,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import { z } from "zod";
import { isTooDeep, MAX_JSON_DEPTH } from "#services/fields/json-depth";
import type { AppContext } from "../http/context";
import { type Dispatch, OperationError, type Send, sender } from "../in-process/operations";
import { idOf } from "../in-process/rpc";
import { startable } from "../in-process/runs";
import { asProtocolError, type McpRequest } from "./protocol";
import { getPrompt, listPrompts } from "./prompts";
import { listResources, readResource, RESOURCE_TEMPLATES } from "./resources";
import { startedBy, startTools } from "./start-tools";
import { changesOf, findSubscribed, withUris } from "./subscriptions";
import { cancelTask, getTask, TASKS, updateTask } from "./tasks";
import { callTool, fixedTools, FIXED_TOOLS, refusedResult, startRun } from "./tools";

const INFO = { name: "parley", title: "Parley", version: "1" };

const INSTRUCTIONS =
  "Parley runs published multi-agent methods as durable runs. start_<workflow> returns at once; get_run shows status and output; a run that is input_required asks questions (list_questions, answer_question). Artifacts are resources: parley://runs/{run_id}/artifacts.";

/** Versions before 2026-07-28, newest first. Earlier ones have batches, or another transport. */
const LEGACY_VERSIONS = ["2025-11-25", "2025-06-18"];

/** How long a client of 2026-07-28 may keep a result. */
const CACHE_HINTS = {
  "server/discover": { ttlMs: 3_600_000 },
  "tools/list": { ttlMs: 300_000 },
  "prompts/list": { ttlMs: 300_000 },
  "resources/templates/list": { ttlMs: 3_600_000 },
};

/** We check arguments ourselves. The package's default compiles code, which Workers forbid. */
const jsonSchemaValidator = new CfWorkerJsonSchemaValidator();

/** A request, with all that its method needs. */
interface Call {
  c: AppContext;
  send: Send;
  request: McpRequest;
}

/** What clients of one era of the protocol can do here. */
interface Era {
  capabilities: ServerCapabilities;
  /** The methods that the package leaves to us. */
  methods: Readonly<Record<string, (call: Call) => object | Promise<object>>>;
}

/** Clients of before 2026 initialize first. What they can do is not remembered, so they are asked nothing. */
const LEGACY: Era = {
  capabilities: { tools: {}, resources: {}, prompts: {} },
  methods: {
    "tools/list": ({ c }) => ({ tools: [...startTools(c.var.services, c.var.key), ...fixedTools()] }),
    "tools/call": toolCall,
    "resources/list": ({ send, request }) => listResources(send, request.params),
    "resources/templates/list": () => ({ resourceTemplates: RESOURCE_TEMPLATES }),
    "resources/read": ({ send, request }) => readResource(send, request.params),
    "prompts/list": ({ c }) => ({ prompts: listPrompts(c.var.services, startable(c.var.services, c.var.key)) }),
    "prompts/get": ({ c, request }) => getPrompt(c.var.services, startable(c.var.services, c.var.key), request.params),
  },
};

const MODERN: Era = {
  capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, extensions: { [TASKS]: {} } },
  methods: {
    ...LEGACY.methods,
    "tasks/get": ({ send, request }) => getTask(send, request),
    "tasks/update": ({ send, request }) => updateTask(send, request),
    "tasks/cancel": ({ send, request }) => cancelTask(send, request),
  },
};

/** Answers a POST of an MCP client, whose key has been checked. @param dispatch sends a request to our own HTTP API */
export async function serveMcp(c: AppContext, dispatch: Dispatch): Promise<Response> {
  const body: unknown = await c.req.json().catch(() => undefined);
  try {
    if (body === undefined) throw new ProtocolError(ProtocolErrorCode.ParseError, "The body cannot be parsed as JSON.");
    if (isTooDeep(body)) {
      const message = `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
    }
    if (!isJSONRPCRequest(body) && !isJSONRPCNotification(body)) {
      const message =
        "The body is not one JSON-RPC request or notification. Batches, and answers to requests of a server, are not taken here.";
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
    }
    return await serveMessage(c, sender(c, dispatch), body);
  } catch (thrown) {
    const error = thrown instanceof OperationError ? asProtocolError(thrown) : thrown;
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message, data } = error;
    const unreadable = code === ProtocolErrorCode.ParseError || code === ProtocolErrorCode.InvalidRequest;
    return c.json({ jsonrpc: "2.0", id: idOf(body), error: { code, message, data } }, unreadable ? 400 : 200);
  }
}

/** @throws what a method throws, unless it is an error of the protocol */
async function serveMessage(
  c: AppContext,
  send: Send,
  message: JSONRPCRequest | JSONRPCNotification,
): Promise<Response> {
  const legacy = await isLegacyRequest(c.req.raw, message);
  const { capabilities, methods } = legacy ? LEGACY : MODERN;
  const server = new Server(INFO, {
    capabilities,
    instructions: INSTRUCTIONS,
    supportedProtocolVersions: LEGACY_VERSIONS,
    cacheHints: CACHE_HINTS,
    jsonSchemaValidator,
  });
  const failures: unknown[] = [];
  const answer = async (method: string, params: object, ctx: ServerContext): Promise<Result> => {
    try {
      return (await methods[method]!({ c, send, request: requestOf(params, ctx) })) as Result;
    } catch (error) {
      if (error instanceof OperationError) throw asProtocolError(error);
      if (!(error instanceof ProtocolError)) failures.push(error);
      throw error;
    }
  };
  for (const method of Object.keys(methods).filter((name) => name !== "tools/call"))
    server.setRequestHandler(method, { params: z.looseObject({}) }, (params, ctx) => answer(method, params, ctx));
  // `setRequestHandler` completes each result of this method as that of a tool, and ours may be a task.
  if (message.method === "tools/call")
    server.fallbackRequestHandler = ({ method, params = {} }, ctx) => answer(method, params, ctx);
  const response = await (legacy ? serveLegacy(c, server, message) : serveModern(c, send, server, message));
  if (failures.length > 0) throw failures[0];
  return response;
}

async function serveLegacy(c: AppContext, server: Server, parsedBody: object): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  // The package refuses a client that does not accept streams, though its answer is none.
  const headers = new Headers(c.req.raw.headers);
  headers.set("Accept", "application/json, text/event-stream");
  return transport.handleRequest(new Request(c.req.url, { method: "POST", headers }), { parsedBody });
}

async function serveModern(
  c: AppContext,
  send: Send,
  server: Server,
  message: JSONRPCRequest | JSONRPCNotification,
): Promise<Response> {
  if (message.method !== "subscriptions/listen")
    return createMcpHandler(() => server, { legacy: "reject" }).fetch(c.req.raw, { parsedBody: message });
  const subscribed = await findSubscribed(send, message.params);
  const bus = changesOf(c, send, subscribed, () => handler.close());
  const handler = createMcpHandler(() => server, { legacy: "reject", bus });
  return handler.fetch(c.req.raw, { parsedBody: withUris(message, subscribed) });
}

const requestOf = (params: object, { mcpReq: { envelope, inputResponses } }: ServerContext): McpRequest => ({
  params: params as Record<string, unknown>,
  capabilities: (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {},
  responses: inputResponses,
});

/** A refusal becomes a result, so that the model reads what was wrong and calls again. */
async function toolCall({ c, send, request }: Call): Promise<object> {
  const { name } = request.params;
  const workflow = startedBy(c.var.services, String(name));
  try {
    const outcome = workflow ? await startRun(send, workflow, request) : await callTool(send, String(name), request);
    if (outcome) return outcome;
  } catch (error) {
    if (error instanceof OperationError) return refusedResult(error);
    throw error;
  }
  const names = [...startable(c.var.services, c.var.key).map((one) => `start_${one}`), ...FIXED_TOOLS];
  const message = `There is no tool "${String(name)}"; there is ${names.join(", ")}.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
