import { z } from "zod";
import { idPattern } from "#core/ids";
import type { PresentedRunEntry } from "#services/runs/schema";
import { operate, Refusal, type Send } from "../in-process/operations";
import { parse, readRun } from "../in-process/runs";
import type { State, Task } from "#services/webhooks/a2a/shapes";
import { CONTEXT, contextOf, STATES } from "#services/webhooks/a2a/task-parts";
import { aboutRun, readTask, statusOf } from "./tasks";

const states = Object.values(STATES) as State[];

const schema = z.looseObject({
  contextId: z.string().optional(),
  status: z.enum(["TASK_STATE_UNSPECIFIED", "TASK_STATE_REJECTED", "TASK_STATE_AUTH_REQUIRED", ...states]).nullish(),
  pageSize: z.int().min(1).max(100).nullish(),
  pageToken: z.string().optional(),
  historyLength: z.int().min(0).nullish(),
  statusTimestampAfter: z.iso.datetime().nullish(),
  includeArtifacts: z.boolean().nullish(),
});

/** Each task with artifacts costs requests of its own. */
const MOST_WITH_ARTIFACTS = 10;

/**
 * A page of the caller's tasks, newest first. A page may have fewer tasks than asked for, even none, while `nextPageToken` is not empty: state and
 * time are compared here.
 */
export async function listTasks(send: Send, origin: string, params: unknown) {
  const { contextId, status, pageToken, historyLength, statusTimestampAfter, includeArtifacts, ...rest } = parse(
    schema,
    params,
  );
  const detailed = includeArtifacts === true || (historyLength ?? 0) > 0;
  const pageSize = Math.min(rest.pageSize ?? 50, detailed ? MOST_WITH_ARTIFACTS : 100);
  const query = new URLSearchParams({ limit: String(pageSize) });
  if (pageToken) query.set("cursor", pageToken);
  if (contextId) query.set(`metadata[${CONTEXT}]`, contextId);
  const page = await operate(send, { method: "GET", path: `/v1/runs?${query}` });
  const runs = [...(page.data as PresentedRunEntry[]), ...(pageToken ? [] : await ownContext(send, contextId))];
  const asked = runs.filter(
    (run) =>
      (!status || status === "TASK_STATE_UNSPECIFIED" || STATES[run.status] === status) &&
      (!statusTimestampAfter || Date.parse(run.updated_at) >= Date.parse(statusTimestampAfter)),
  );
  const wanted = { history: historyLength ?? 0, artifacts: includeArtifacts ?? false };
  const tasks: Task[] = [];
  for (const run of asked)
    tasks.push(detailed ? await readTask(send, origin, run.id, wanted) : await entryOf(send, run));
  const nextPageToken: string = page.next_cursor ?? "";
  // Nothing counts all runs of a tenant: more than this page are there when another page is.
  return { tasks, nextPageToken, pageSize, totalSize: tasks.length + (nextPageToken ? 1 : 0) };
}

const entryOf = async (send: Send, run: PresentedRunEntry): Promise<Task> => ({
  id: run.id,
  contextId: contextOf(run),
  status: await statusOf(send, run),
  metadata: aboutRun(run),
});

/** A run that A2A has not started is the first task of the context with its id. */
async function ownContext(send: Send, contextId: string | undefined): Promise<PresentedRunEntry[]> {
  if (!contextId || !idPattern("run").test(contextId)) return [];
  try {
    const run = await readRun(send, contextId);
    return contextOf(run) === contextId && !run.metadata[CONTEXT] ? [run] : [];
  } catch (error) {
    if (error instanceof Refusal && error.problem.code === "not_found") return [];
    throw error;
  }
}
