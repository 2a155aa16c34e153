/** The parts of a run that a task of A2A shows. */
import type { RunEvent } from "#core/events";
import type { RunStatus } from "#core/vocabulary";
import type { PresentedInteraction } from "../../interactions/schema";
import type { Artifact, Message, Part, State } from "./shapes";

/** The entry of a run's metadata that holds the context of its task. */
export const CONTEXT = "a2a_context_id";

export const STATES = {
  queued: "TASK_STATE_SUBMITTED",
  running: "TASK_STATE_WORKING",
  paused: "TASK_STATE_WORKING",
  input_required: "TASK_STATE_INPUT_REQUIRED",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  canceled: "TASK_STATE_CANCELED",
} as const satisfies Record<RunStatus, State>;

export interface TaskRun {
  id: string;
  metadata: Record<string, string>;
}

/** A run that A2A has not started is a context of its own. */
export const contextOf = ({ id, metadata }: TaskRun): string => metadata[CONTEXT] ?? id;

/** The words of a question, then all that an answer needs to know. */
export const askingParts = (interaction: PresentedInteraction): Part[] => {
  const { id, run_id, kind, stage, prompt, questions, artifacts, answer_schema, callback_url, expires_at } =
    interaction;
  const text = [prompt, ...questions.map((question) => `- ${question.text}`)].join("\n");
  const data = { kind, stage, questions, artifacts, answer_schema, callback_url, expires_at };
  return [{ text }, dataPart({ interaction_id: id, run_id, ...data })];
};

export const dataPart = (data: unknown): Part => ({ data, mediaType: "application/json" });

export const agentMessage = (run: TaskRun, messageId: string, parts: Part[]): Message => ({
  messageId,
  role: "ROLE_AGENT",
  contextId: contextOf(run),
  taskId: run.id,
  parts,
});

/** Why a task failed: a sentence, and the problem. */
export const failureParts = (error: { detail: string }): Part[] => [{ text: error.detail }, dataPart(error)];

/** The artifact that an event tells of. */
export const artifactOfEvent = (
  origin: string,
  { run_id, data: { artifact_id, kind, version, stage, role } }: Extract<RunEvent, { type: "run.artifact_created" }>,
): Artifact => ({
  artifactId: artifact_id,
  name: kind,
  parts: [{ url: linkTo(origin, run_id, artifact_id) }],
  metadata: { kind, version, stage, role },
});

/** The content of an artifact is behind a link, for the same key: a task may have hundreds. @param origin of this host */
export const linkTo = (origin: string, run: string, artifact: string) =>
  `${origin}/v1/runs/${run}/artifacts/${artifact}/content`;
