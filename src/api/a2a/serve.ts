import { streamSSE } from "hono/streaming";
import { z } from "zod";
import { log } from "#core/log";
import { isTooDeep, MAX_JSON_DEPTH } from "#services/fields/json-depth";
import type { AppContext } from "../http/context";
import { aboutRequest } from "../http/middleware/log";
import { ownBase } from "../http/middleware/own-origin";
import { type Dispatch, operate, OperationError, type Send, sender } from "../in-process/operations";
import { idOf, type RpcId } from "../in-process/rpc";
import { parse, readRun } from "../in-process/runs";
import { answerTask } from "./answer";
import { extendedCard } from "./card";
import { followTask, type Until, waitAtRest } from "./follow";
import { listTasks } from "./list";
import { readSentMessage, type SentMessage } from "./message";
import { A2aError, asA2aError, errorObject, readRequest } from "./protocol";
import type { Message, StreamResponse } from "#services/webhooks/a2a/shapes";
import { addConfig, createConfig, deleteConfig, getConfig, listConfigs } from "./push";
import { startTask } from "./start";
import { isTerminal, readTask } from "./tasks";

/** A request, with all that its method needs. */
interface Call {
  c: AppContext;
  send: Send;
  origin: string;
  params: Record<string, unknown>;
}

type Updates = AsyncIterable<StreamResponse | "heartbeat">;

const METHODS: Readonly<Record<string, (call: Call) => object | Promise<object>>> = {
  SendMessage: sendMessage,
  GetTask: ({ send, origin, params }) => {
    const { id, historyLength } = parse(getSchema, params);
    return readTask(send, origin, id, { history: historyLength ?? 0 });
  },
  ListTasks: ({ send, origin, params }) => listTasks(send, origin, params),
  CancelTask: cancelTask,
  GetExtendedAgentCard: ({ c, origin }) => extendedCard(c.var.services, origin, c.var.key),
  CreateTaskPushNotificationConfig: ({ send, params }) => createConfig(send, params),
  GetTaskPushNotificationConfig: ({ send, params }) => getConfig(send, params),
  ListTaskPushNotificationConfigs: ({ send, params }) => listConfigs(send, params),
  DeleteTaskPushNotificationConfig: ({ send, params }) => deleteConfig(send, params),
};

/** Methods that answer with a stream. What they refuse before it begins is one error. */
const STREAMING: Readonly<Record<string, (call: Call) => Promise<Updates>>> = {
  SendStreamingMessage: async (call) => {
    const { outcome } = await executeMessage(call);
    return "message" in outcome ? only(outcome) : begun(follow(call, outcome.task, "at_rest"));
  },
  SubscribeToTask: async (call) => {
    const { id } = parse(taskSchema, call.params);
    const run = await readRun(call.send, id);
    if (isTerminal(run))
      throw new A2aError("unsupported_operation", `The task is ${run.status}: read it with GetTask.`);
    return begun(follow(call, id, "terminal"));
  },
};

const taskSchema = z.looseObject({ id: z.string().min(1) });
const getSchema = taskSchema.extend({ historyLength: z.int().min(0).nullish() });

const follow = ({ send, origin }: Call, task: string, until: Until) => followTask(send, origin, task, until);

/** Answers a POST of an A2A client, whose key has been checked. @param dispatch sends a request to our own HTTP API */
export async function serveA2a(c: AppContext, dispatch: Dispatch): Promise<Response> {
  let id: RpcId = null;
  try {
    const body = await readBody(c);
    id = idOf(body);
    const request = readRequest(body, c.req.header("A2A-Version") ?? c.req.query("A2A-Version"));
    const { method, params } = request;
    const call: Call = { c, send: sender(c, dispatch), origin: ownBase(c), params };
    if (Object.hasOwn(STREAMING, method)) return stream(c, id, await STREAMING[method]!(call));
    if (!Object.hasOwn(METHODS, method))
      throw new A2aError("method_not_found", `There is no method ${method.slice(0, 100)} here.`);
    return c.json({ jsonrpc: "2.0", id, result: await METHODS[method]!(call) });
  } catch (thrown) {
    const error = thrown instanceof OperationError ? asA2aError(thrown) : thrown;
    if (!(error instanceof A2aError)) throw error;
    if (error.retry_after !== null) c.header("Retry-After", error.retry_after);
    return c.json({ jsonrpc: "2.0", id, error: errorObject(error) }, error.status);
  }
}

async function readBody(c: AppContext): Promise<unknown> {
  let body: unknown;
  try {
    body = await c.req.json();
  } catch {
    throw new A2aError("parse_error", "The body cannot be parsed as JSON.");
  }
  if (isTooDeep(body))
    throw new A2aError("invalid_request", `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`);
  return body;
}

/** Starts the task of a message, or answers its question, and adds the push notifications that it asks for. */
async function executeMessage({ c, send, params }: Call): Promise<{
  message: SentMessage;
  outcome: { task: string } | { message: Message };
}> {
  const message = readSentMessage(params);
  if (message.task !== null) await answerTask(send, message.task, message);
  const taken =
    message.task === null ? await startTask({ send, services: c.var.services, key: c.var.key }, message) : null;
  if (taken && "message" in taken) return { message, outcome: taken };
  const task = taken ? taken.run.id : message.task!;
  if (message.push) await addConfig(send, task, message.push, message.key);
  return { message, outcome: { task } };
}

/** Waits, unless asked not to, until the task has ended or requires an answer; ten minutes at most. */
async function sendMessage(call: Call): Promise<object> {
  const { message, outcome } = await executeMessage(call);
  if ("message" in outcome) return outcome;
  const { send, origin } = call;
  if (!message.returns_immediately) await waitAtRest(send, outcome.task);
  return { task: await readTask(send, origin, outcome.task, { history: message.history }) };
}

async function cancelTask({ send, origin, params }: Call): Promise<object> {
  const { id } = parse(taskSchema, params);
  try {
    await operate(send, { method: "POST", path: `/v1/runs/${encodeURIComponent(id)}/cancel` });
  } catch (error) {
    if (error instanceof OperationError && error.problem.code === "wrong_state")
      throw asA2aError(error, "task_not_cancelable");
    throw error;
  }
  return readTask(send, origin, id);
}

async function* only(response: StreamResponse): AsyncGenerator<StreamResponse> {
  yield response;
}

/** Reads the first update, so that a refusal is not part of the stream. */
async function begun(updates: AsyncGenerator<StreamResponse | "heartbeat">): Promise<Updates> {
  const first = await updates.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* updates;
  })();
}

function stream(c: AppContext, id: RpcId, updates: Updates): Response {
  return streamSSE(c, async (sse) => {
    const write = (answer: object) => sse.writeSSE({ data: JSON.stringify({ jsonrpc: "2.0", id, ...answer }) });
    try {
      for await (const update of updates) {
        if (sse.aborted) return;
        if (update === "heartbeat") await sse.write(": still here\n\n");
        else await write({ result: update });
      }
    } catch (error) {
      if (error instanceof OperationError) await write({ error: errorObject(asA2aError(error)) });
      else log.error("a stream of a task was cut off", { ...aboutRequest(c), error }); // the client subscribes again
    }
  });
}
