/** A message to a task answers a question that it has asked. */
import { Problem } from "#core/errors";
import type { PresentedInteraction } from "#services/interactions/schema";
import { operate, OperationError, refuse, type Send } from "../in-process/operations";
import { answerQuestion, readRun } from "../in-process/runs";
import type { SentMessage } from "./message";
import { A2aError, asA2aError } from "./protocol";
import { contextOf } from "#services/webhooks/a2a/task-parts";
import { isTerminal } from "./tasks";

type Answer = Record<string, unknown>;

/** Codes of answers that came too late. */
const CLOSED: readonly string[] = [
  "already_answered",
  "interaction_expired",
  "interaction_withdrawn",
  "interaction_canceled",
  "wrong_state",
];

/** @throws A2aError | OperationError */
export async function answerTask(send: Send, task: string, message: SentMessage): Promise<void> {
  const run = await readRun(send, task);
  if (message.context !== null && message.context !== contextOf(run))
    throw new A2aError(
      "invalid_params",
      "The task belongs to another context. Leave `contextId` out, or give the task's.",
    );
  if (await wasGivenBefore(send, task, message)) return;
  if (isTerminal(run))
    throw new A2aError("unsupported_operation", `The task is ${run.status}: it takes no more messages. Start another.`);
  const interaction = await askedIn(send, task, message);
  await answerQuestion(send, interaction.id, answerOf(interaction, message), message.key).catch(refuseClosed);
}

/** The question that the message names, or the only open one. */
async function askedIn(send: Send, task: string, { data }: SentMessage): Promise<PresentedInteraction> {
  const open = await interactionsOf(send, task, "open");
  const named = data?.interaction_id;
  const found = named === undefined ? open.length === 1 && open[0] : open.find(({ id }) => id === named);
  if (found) return found;
  if (open.length === 0) throw new A2aError("unsupported_operation", "The task asks nothing now. Read it again.");
  const ids = open.map(({ id }) => id).join(", ");
  throw fieldError("interaction_id", `Say in the data part which question this answers: ${ids}.`);
}

/** The body that answers the question. A text answers a single question, or is the decision. */
function answerOf(interaction: PresentedInteraction, { data, text }: SentMessage): Answer {
  if (data) {
    const { interaction_id: _, ...answer } = data;
    return answer;
  }
  const said = textAnswer(interaction, text);
  if (said) return said;
  throw fieldError("answer", "Answer with a data part in the form of the question's `answer_schema`.");
}

function textAnswer({ kind, questions, answer_schema }: PresentedInteraction, text: string): Answer | null {
  if (kind === "clarification") return questions.length === 1 ? { answers: { [questions[0]!.id]: text } } : null;
  const { properties } = answer_schema as { properties?: { decision?: { enum?: string[] } } };
  return properties?.decision?.enum?.includes(text) ? { decision: text } : null;
}

/**
 * Whether this message has answered a question before: the idempotency key shows it. Without this, a repeated message would answer the question
 * that is open now.
 */
async function wasGivenBefore(send: Send, task: string, message: SentMessage): Promise<boolean> {
  for (const answered of await interactionsOf(send, task, "answered")) {
    const { interaction_id: named, ...data } = message.data ?? {};
    if (named !== undefined && named !== answered.id) continue;
    const answer = message.data ? data : textAnswer(answered, message.text);
    if (!answer || !isWithin(answer, answered.answer)) continue;
    const path = `/v1/interactions/${answered.id}/answer`;
    const reply = await send({ method: "POST", path, body: answer, idempotency_key: message.key });
    await reply.body?.cancel();
    if (reply.headers.get("Idempotency-Replayed") === "true" && reply.ok) return true;
  }
  return false;
}

/** Whether a recorded answer has all that was said; it also has defaults. */
function isWithin(said: unknown, recorded: unknown): boolean {
  if (typeof said !== "object" || said === null) return said === recorded;
  if (typeof recorded !== "object" || recorded === null) return false;
  return Object.entries(said).every(([name, value]) => isWithin(value, (recorded as Answer)[name]));
}

async function interactionsOf(send: Send, run_id: string, status: string): Promise<PresentedInteraction[]> {
  const query = new URLSearchParams({ run_id, status, limit: "100" });
  return (await operate(send, { method: "GET", path: `/v1/interactions?${query}` })).data;
}

function refuseClosed(error: unknown): never {
  if (error instanceof OperationError && CLOSED.includes(error.problem.code))
    throw asA2aError(error, "unsupported_operation");
  throw error;
}

const fieldError = (path: string, message: string): OperationError =>
  refuse(new Problem("validation_failed", message, [{ path, code: "required", message }]));
