import type { KeyRow } from "#services/keys/authenticate";
import type { PresentedRun } from "#services/runs/schema";
import type { Services } from "#services/services";
import { operate, type Send } from "../in-process/operations";
import { startable } from "../in-process/runs";
import { textFieldOf } from "./card";
import { newContext, type SentMessage } from "./message";
import { A2aError } from "./protocol";
import type { Message } from "#services/webhooks/a2a/shapes";
import { CONTEXT, dataPart } from "#services/webhooks/a2a/task-parts";

/**
 * Starts the run that a message asks for: its data is the body of `POST /v1/runs`, its text the input of the skill.
 * @returns a message when the caller must first say which skill it wants
 */
export async function startTask(
  { send, services, key }: { send: Send; services: Services; key: KeyRow },
  message: SentMessage,
): Promise<{ run: PresentedRun } | { message: Message }> {
  const { data, skill } = message;
  const workflow = data?.workflow ?? skill;
  if (workflow === null || workflow === undefined) return { message: askForSkill(services, key, message) };
  const body = {
    ...data,
    workflow,
    ...withText(services, String(workflow), message),
    metadata: { ...(data?.metadata as object), [CONTEXT]: message.context ?? newContext(message) },
  };
  return { run: await operate(send, { method: "POST", path: "/v1/runs", body, idempotency_key: message.key }) };
}

/** The input of the data, completed by the text. */
function withText({ workflows }: Services, name: string, { data, text }: SentMessage): { input?: object } {
  if (!text || !Object.hasOwn(workflows, name)) return {};
  const field = textFieldOf(workflows[name]!);
  if (!field) throw new A2aError("content_type_not_supported", `The skill ${name} takes a data part, and no text.`);
  return { input: { [field]: text, ...(data?.input as object) } };
}

function askForSkill(services: Services, key: KeyRow, message: SentMessage): Message {
  const skills = startable(services, key).map((id) => ({ id, summary: services.workflows[id]!.summary }));
  const text =
    "Which method shall it be? Send the message again with a skill: in the data part as `workflow`, or as `skill` in the metadata.";
  return {
    messageId: `${message.key}-skills`,
    role: "ROLE_AGENT",
    contextId: message.context ?? newContext(message),
    parts: [{ text }, dataPart({ skills })],
  };
}
