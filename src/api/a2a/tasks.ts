/** A run as a task: its id is the run's, and the run's open questions are what it requires. */
import type { PresentedInteraction } from "#services/interactions/schema";
import type { PresentedArtifact } from "#services/runs/artifact-schema";
import type { PresentedRun, PresentedRunEntry } from "#services/runs/schema";
import { operate, type Send } from "../in-process/operations";
import { openQuestions, readRun } from "../in-process/runs";
import type { Artifact, Message, Part, State, Task, TaskStatus } from "#services/webhooks/a2a/shapes";
import {
  agentMessage,
  askingParts,
  contextOf,
  dataPart,
  failureParts,
  linkTo,
  STATES,
} from "#services/webhooks/a2a/task-parts";

const TERMINAL: readonly State[] = ["TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED"];

export const isTerminal = ({ status }: Pick<PresentedRunEntry, "status">): boolean => TERMINAL.includes(STATES[status]);

/** Nothing happens before the caller acts, or ever. */
export const isAtRest = (run: Pick<PresentedRunEntry, "status">): boolean =>
  isTerminal(run) || run.status === "input_required";

interface Wanted {
  /** Latest questions and answers; 0 for none. */
  history: number;
  artifacts: boolean;
}

/** Reads a run with all that its task shows. @param origin of this host, for links */
export async function readTask(send: Send, origin: string, id: string, wanted: Partial<Wanted> = {}): Promise<Task> {
  return taskOf(send, origin, await readRun(send, id), wanted);
}

export async function taskOf(
  send: Send,
  origin: string,
  run: PresentedRun,
  { history = 0, artifacts = true }: Partial<Wanted> = {},
): Promise<Task> {
  return {
    id: run.id,
    contextId: contextOf(run),
    status: await statusOf(send, run),
    ...(artifacts && { artifacts: await artifactsOf(send, origin, run) }),
    ...(history > 0 && { history: await historyOf(send, run, history) }),
    metadata: aboutRun(run),
  };
}

export const aboutRun = ({ workflow, mode, stage, progress }: PresentedRunEntry) => ({
  workflow,
  mode,
  stage,
  artifacts_made: progress.steps_done,
});

export async function statusOf(send: Send, run: PresentedRunEntry): Promise<TaskStatus> {
  const parts = await partsOf(send, run);
  return {
    state: STATES[run.status],
    timestamp: run.updated_at,
    ...(parts.length > 0 && { message: agentMessage(run, run.interactions[0] ?? `${run.id}-${run.status}`, parts) }),
  };
}

/** What a person or an agent must know to continue: the questions, or the reason of the failure. */
async function partsOf(send: Send, run: PresentedRunEntry): Promise<Part[]> {
  if (run.error) return failureParts(run.error);
  if (run.status !== "input_required") return [];
  return (await openQuestions(send, run.id)).flatMap(askingParts);
}

/** Questions and their answers, oldest first. */
async function historyOf(send: Send, run: PresentedRunEntry, most: number): Promise<Message[]> {
  const query = new URLSearchParams({ run_id: run.id, status: "answered", limit: "100" });
  const { data } = await operate(send, { method: "GET", path: `/v1/interactions?${query}` });
  const messages = (data as PresentedInteraction[]).toReversed().flatMap((answered): Message[] => [
    agentMessage(run, answered.id, askingParts(answered)),
    {
      ...agentMessage(run, `${answered.id}-answer`, [dataPart({ interaction_id: answered.id, ...answered.answer })]),
      role: "ROLE_USER",
    },
  ]);
  return messages.slice(-most);
}

/** The output, when there is one, and the artifacts that the run has made, oldest first. */
export async function artifactsOf(send: Send, origin: string, run: PresentedRun): Promise<Artifact[]> {
  const made: Artifact[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query = new URLSearchParams({ limit: "100", ...(cursor && { cursor }) });
    const page = await operate(send, { method: "GET", path: `/v1/runs/${run.id}/artifacts?${query}` });
    made.push(...(page.data as PresentedArtifact[]).map((artifact) => artifactOf(origin, artifact)));
    cursor = page.next_cursor;
  }
  return [...made, ...outputOf(run)];
}

/** An artifact of a run. @param origin of this host, for the link to its content */
export const artifactOf = (
  origin: string,
  { id, run_id, kind, subject, version, stage, role, media_type }: PresentedArtifact,
): Artifact => ({
  artifactId: id,
  name: subject ? `${kind}: ${subject}` : kind,
  parts: [{ url: linkTo(origin, run_id, id), mediaType: media_type }],
  metadata: { kind, subject, version, stage, role },
});

/** The run's output is the artifact `output`, in the form that `GET /v1/workflows/{name}` describes. */
const outputOf = ({ output }: Pick<PresentedRun, "output">): Artifact[] =>
  output ? [{ artifactId: "output", name: "Output", parts: [dataPart(output)] }] : [];
