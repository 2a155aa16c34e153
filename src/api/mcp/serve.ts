import type { AppContext } from "../http/context";
import { type Dispatch, Refusal, type Send, sender } from "../in-process/operations";
import { getPrompt, listPrompts } from "./prompts";
import {
  asRpcError,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  readMessage,
  RPC_CODES,
  RpcError,
  type RpcRequest,
  SERVER_INFO,
} from "./protocol";
import { listResources, readResource, RESOURCE_TEMPLATES } from "./resources";
import { idOf, type RpcId } from "../in-process/rpc";
import { startable } from "../in-process/runs";
import { startedBy, startTools } from "./start-tools";
import { listen } from "./subscriptions";
import { cancelTask, getTask, TASKS, updateTask } from "./tasks";
import { callTool, fixedTools, FIXED_TOOLS, refusedResult, startRun } from "./tools";

const INFO = { name: "parley", title: "Parley", version: "1" };

const INSTRUCTIONS =
  "Parley runs published multi-agent methods as durable runs. start_<workflow> returns at once; get_run shows status and output; a run that is input_required asks questions (list_questions, answer_question). Artifacts are resources: parley://runs/{run_id}/artifacts.";

/** How long a client may keep a result, by method. Milliseconds. */
const CACHED: Readonly<Record<string, number>> = {
  "server/discover": 3_600_000,
  "tools/list": 300_000,
  "prompts/list": 300_000,
  "resources/templates/list": 3_600_000,
  "resources/list": 0,
  "resources/read": 0,
};

/** A request, with all that its method needs. */
interface Call {
  c: AppContext;
  send: Send;
  request: RpcRequest;
}

const METHODS: Readonly<Record<string, (call: Call) => object | Promise<object>>> = {
  "tools/list": ({ c }) => ({ tools: [...startTools(c.var.services, c.var.key), ...fixedTools()] }),
  "tools/call": toolCall,
  "resources/list": ({ send, request }) => listResources(send, request.params),
  "resources/templates/list": () => ({ resourceTemplates: RESOURCE_TEMPLATES }),
  "resources/read": ({ send, request }) => readResource(send, request.params),
  "prompts/list": ({ c }) => ({ prompts: listPrompts(c.var.services, startable(c.var.services, c.var.key)) }),
  "prompts/get": ({ c, request }) => getPrompt(c.var.services, startable(c.var.services, c.var.key), request.params),
};

const LEGACY_METHODS: typeof METHODS = {
  ...METHODS,
  initialize: ({ request }) => ({
    protocolVersion:
      LEGACY_VERSIONS.find((version) => version === request.params.protocolVersion) ?? LEGACY_VERSIONS[0],
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: INFO,
    instructions: INSTRUCTIONS,
  }),
  ping: () => ({}),
};

const MODERN_METHODS: typeof METHODS = {
  ...METHODS,
  "server/discover": () => ({
    supportedVersions: [MODERN_VERSION],
    capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, extensions: { [TASKS]: {} } },
    instructions: INSTRUCTIONS,
  }),
  "tasks/get": ({ send, request }) => getTask(send, request),
  "tasks/update": ({ send, request }) => updateTask(send, request),
  "tasks/cancel": ({ send, request }) => cancelTask(send, request),
};

/** Answers a POST of an MCP client, whose key has been checked. @param dispatch sends a request to our own HTTP API */
export async function serveMcp(c: AppContext, dispatch: Dispatch) {
  let id: RpcId = null;
  try {
    const body = await readBody(c);
    id = idOf(body);
    const request = readMessage(body, c.req.raw.headers);
    if (!request) return c.body(null, 202);
    const send = sender(c, dispatch);
    if (request.era === "modern" && request.method === "subscriptions/listen") return await listen(c, send, request);
    const result = await resultOf({ c, send, request });
    return c.json({ jsonrpc: "2.0", id, result: framed(request, result) });
  } catch (thrown) {
    const error = thrown instanceof Refusal ? asRpcError(thrown) : thrown;
    if (!(error instanceof RpcError)) throw error;
    const { code, message, data, status } = error;
    return c.json(
      { jsonrpc: "2.0", id, error: { code: RPC_CODES[code], message, ...(data !== undefined && { data }) } },
      status,
    );
  }
}

async function readBody(c: AppContext): Promise<unknown> {
  try {
    return await c.req.json();
  } catch {
    throw new RpcError("parse_error", "The body cannot be parsed as JSON.", undefined, 400);
  }
}

function resultOf(call: Call): object | Promise<object> {
  const { method, era } = call.request;
  const methods = era === "modern" ? MODERN_METHODS : LEGACY_METHODS;
  const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!answer) {
    const message = `There is no method ${method} here.`;
    throw new RpcError("method_not_found", message, undefined, era === "modern" ? 404 : 200);
  }
  return answer(call);
}

/** A modern result says its type, its server, and how long it may be kept. */
function framed({ era, method }: RpcRequest, result: object): object {
  if (era === "legacy") return result;
  const ttlMs = CACHED[method];
  return {
    resultType: "complete",
    ...result,
    ...(ttlMs !== undefined && { ttlMs, cacheScope: "private" }),
    _meta: { [SERVER_INFO]: INFO },
  };
}

/** A refusal becomes a result, so that the model reads what was wrong and calls again. */
async function toolCall({ c, send, request }: Call): Promise<object> {
  const { name } = request.params;
  const workflow = startedBy(c.var.services, String(name));
  try {
    const outcome = workflow ? await startRun(send, workflow, request) : await callTool(send, String(name), request);
    if (outcome) return outcome;
  } catch (error) {
    if (error instanceof Refusal) return refusedResult(error);
    throw error;
  }
  const names = [...startable(c.var.services, c.var.key).map((one) => `start_${one}`), ...FIXED_TOOLS];
  throw new RpcError("invalid_params", `There is no tool "${String(name)}"; there is ${names.join(", ")}.`);
}
