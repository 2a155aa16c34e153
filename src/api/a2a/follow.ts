/** The events of a run, followed through the HTTP API, as the updates of its task. */
import type { PresentedEvent } from "#services/runs/event-schema";
import type { PresentedRun } from "#services/runs/schema";
import { eventsOf } from "../in-process/events";
import { operate, type Send } from "../in-process/operations";
import { readRun } from "../in-process/runs";
import type { StreamResponse } from "./shapes";
import { aboutRun, artifactOf, contextOf, isAtRest, isTerminal, outputOf, statusOf, taskOf } from "./tasks";

/** When a stream ends: with the task, or already when the task waits for an answer. */
export type Until = "terminal" | "at_rest";

type Item = StreamResponse | "heartbeat";

/**
 * The task, then its updates. Ends early as our streams of events do, after ten minutes: the caller subscribes again.
 * @throws Refusal, also later when the key has become invalid
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
    for (const artifact of events.flatMap(madeIn)) {
      if (shown.has(artifact)) continue;
      shown.add(artifact);
      yield artifactUpdate(run, await readArtifact(send, origin, id, artifact));
    }
    if (!events.some(({ type }) => type !== "run.artifact_created")) continue;
    const before = markOf(run);
    run = await readRun(send, id);
    if (isTerminal(run)) for (const output of outputOf(run)) yield artifactUpdate(run, output);
    if (markOf(run) !== before) yield await statusUpdate(send, run);
    if (ends(run)) return;
  }
}

const madeIn = (event: PresentedEvent): string[] =>
  event.type === "run.artifact_created" ? [event.data.artifact_id] : [];

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

const artifactUpdate = (run: PresentedRun, artifact: ReturnType<typeof artifactOf>): StreamResponse => ({
  artifactUpdate: { taskId: run.id, contextId: contextOf(run), artifact, append: false, lastChunk: true },
});

const readArtifact = async (send: Send, origin: string, run: string, id: string) =>
  artifactOf(origin, await operate(send, { method: "GET", path: `/v1/runs/${run}/artifacts/${id}` }));
