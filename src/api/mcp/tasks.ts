/** Runs as tasks of the extension `io.modelcontextprotocol/tasks`: a task's id is its run's, and the run's open questions are its input requests. */
import {
  type CallToolResult,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { DetailedTaskV2, TaskV2 } from "@modelcontextprotocol/ext-tasks/core/v2";
import { z } from "zod";
import type { PresentedRun } from "#services/runs/schema";
import { answerOf, inputRequestsOf } from "./elicitation";
import { operate, OperationError, type Send } from "../in-process/operations";
import type { McpRequest } from "./protocol";
import { answerQuestion, openQuestions, parse, readRun } from "../in-process/runs";

export const TASKS = "io.modelcontextprotocol/tasks";

/** How often a client should ask. Milliseconds. */
const POLL_INTERVAL = 2000;

export const knowsTasks = ({ extensions }: ClientCapabilities): boolean => Object.hasOwn(extensions ?? {}, TASKS);

const STATUS = {
  queued: "working",
  running: "working",
  paused: "working",
  input_required: "input_required",
  completed: "completed",
  // A task fails by an error of JSON-RPC only; a run that failed is a result that says so.
  failed: "completed",
  canceled: "cancelled",
} as const satisfies Record<PresentedRun["status"], TaskV2["status"]>;

export function taskOf(run: PresentedRun): TaskV2 {
  return {
    taskId: run.id,
    status: STATUS[run.status],
    statusMessage: messageOf(run),
    createdAt: run.created_at,
    lastUpdatedAt: run.updated_at,
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL,
  };
}

function messageOf({ status, stage, progress: { steps_done }, error }: PresentedRun): string {
  if (error) return `The run failed: ${error.detail}`;
  const at = stage === null ? "" : `, stage ${stage}`;
  const done = `${steps_done} ${steps_done === 1 ? "artifact" : "artifacts"} made`;
  const waits = status === "input_required" ? " It waits for an answer: see list_questions and answer_question." : "";
  return `The run is ${status}${at}; ${done}.${waits}`;
}

const taskIdSchema = z.looseObject({ taskId: z.string() });

export const resultOf = (run: PresentedRun): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(run) }],
  structuredContent: run as unknown as Record<string, unknown>,
  ...(run.status === "failed" && { isError: true }),
});

/** @throws ProtocolError when the client does not declare the extension, with what it would have to declare */
function assertKnowsTasks({ capabilities }: McpRequest): void {
  if (knowsTasks(capabilities)) return;
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    `The client does not declare the extension ${TASKS}.`,
  );
}

export async function getTask(send: Send, request: McpRequest): Promise<DetailedTaskV2> {
  assertKnowsTasks(request);
  const { taskId } = parse(taskIdSchema, request.params);
  const run = await readRun(send, taskId);
  const task = taskOf(run);
  switch (task.status) {
    case "completed":
      return { ...task, status: "completed", result: { resultType: "complete", ...resultOf(run) } as any };
    case "input_required":
      return {
        ...task,
        status: "input_required",
        inputRequests: inputRequestsOf(await openQuestions(send, taskId), request.capabilities) as any,
      };
    default:
      return task as DetailedTaskV2;
  }
}

/** Answers the questions that are still open; an answer to another one is ignored, as the extension asks. */
export async function updateTask(send: Send, request: McpRequest): Promise<object> {
  assertKnowsTasks(request);
  const { taskId } = parse(taskIdSchema, request.params);
  if (!request.responses)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The parameter `inputResponses` is missing.");
  await readRun(send, taskId);
  for (const interaction of await openQuestions(send, taskId)) {
    const body = answerOf(interaction, request.responses);
    if (body) await answerQuestion(send, interaction.id, body).catch(ignoreClosed);
  }
  return {};
}

export async function cancelTask(send: Send, request: McpRequest): Promise<object> {
  assertKnowsTasks(request);
  const { taskId } = parse(taskIdSchema, request.params);
  const path = `/v1/runs/${encodeURIComponent(taskId)}/cancel`;
  // A run that has ended stays as it is: the extension has no error for that.
  await operate(send, { method: "POST", path }).catch((error: unknown) => {
    if (!(error instanceof OperationError && error.problem.code === "wrong_state")) throw error;
  });
  return {};
}

/** Somebody else was faster, or the question has ended. */
function ignoreClosed(error: unknown): void {
  const codes: readonly string[] = [
    "already_answered",
    "interaction_expired",
    "interaction_withdrawn",
    "interaction_canceled",
  ];
  if (!(error instanceof OperationError && codes.includes(error.problem.code))) throw error;
}
