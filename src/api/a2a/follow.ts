/** The events of a run, followed through the HTTP API, as the updates of its task. */
import type { PresentedEvent } from "#services/runs/event-schema";
import type { PresentedRun } from "#services/runs/schema";
import { eventsOf } from "../in-process/events";
import type { Send } from "../in-process/operations";
import { readRun } from "../in-process/runs";
import type { Artifact, StreamResponse } from "#services/webhooks/a2a/shapes";
import { artifactOfEvent, contextOf } from "#services/webhooks/a2a/task-parts";
import { aboutRun, artifactsOf, isAtRest, isTerminal, statusOf, taskOf } from "./tasks";

/** When a stream ends: with the task, or already when the task waits for an answer. */
export type Until = "terminal" | "at_rest";

type Item = StreamResponse | "heartbeat";

/**
 * The task, then its updates. Ends early as our streams of events do, after ten minutes: the caller subscribes again.
 * @throws OperationError, also later when the key has become invalid
 */
export async function* followTask(send: Send, origin: string, id: string, until: Until): AsyncGenerator<Item> {
  const ends = until === "terminal" ? isTerminal : isAtRest;
  let run = await readRun(send, id);
  const task = await taskOf(send, origin, run);
  yield { task };
  if (ends(run)) return;
  const shown = new Set(task.artifacts?.map(({ artifactId }) => artifactId));
  // From the beginning, so that no event between the task and the stream is missed: the task shows the effect of the earlier ones.
  for await (const events of eventsOf(send, id)) {
    if (events.length === 0) yield "heartbeat";
    for (const artifact of events.flatMap((event) => madeIn(origin, event))) {
      if (shown.has(artifact.artifactId)) continue;
      shown.add(artifact.artifactId);
      yield artifactUpdate(run, artifact);
    }
    if (!events.some(({ type }) => type !== "run.artifact_created")) continue;
    const before = markOf(run);
    run = await readRun(send, id);
    // The run may be ahead of the events read so far: of a run at its end, the artifacts come from the task.
    for (const artifact of ends(run) ? await artifactsOf(send, origin, run) : [])
      if (!shown.has(artifact.artifactId)) yield artifactUpdate(run, artifact);
    if (markOf(run) !== before) yield await statusUpdate(send, run);
    if (ends(run)) return;
  }
}

/** Waits until a task has ended or requires an answer, as long as a stream of events is open. @throws OperationError */
export async function waitAtRest(send: Send, id: string): Promise<void> {
  if (isAtRest(await readRun(send, id))) return;
  for await (const events of eventsOf(send, id)) {
    const last = events.at(-1);
    // Earlier events come first: the run may have gone on since.
    if (last && isAtRest(last.data) && isAtRest(await readRun(send, id))) return;
  }
}

const madeIn = (origin: string, event: PresentedEvent): Artifact[] =>
  event.type === "run.artifact_created" ? [artifactOfEvent(origin, event)] : [];

/** What a status update is about: a run with another mark has something to tell. */
const markOf = ({ status, stage, interactions }: PresentedRun): string => [status, stage, ...interactions].join(" ");

const statusUpdate = async (send: Send, run: PresentedRun): Promise<StreamResponse> => ({
  statusUpdate: {
    taskId: run.id,
    contextId: contextOf(run),
    status: await statusOf(send, run),
    metadata: aboutRun(run),
  },
});

const artifactUpdate = (run: PresentedRun, artifact: Artifact): StreamResponse => ({
  artifactUpdate: { taskId: run.id, contextId: contextOf(run), artifact, append: false, lastChunk: true },
});
