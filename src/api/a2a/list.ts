import { z } from "zod";
import { idPattern } from "#core/ids";
import { RUN_STATUSES, type RunStatus } from "#core/vocabulary";
import type { PresentedRunEntry } from "#services/runs/schema";
import { operate, OperationError, type Send } from "../in-process/operations";
import { parse, readRun } from "../in-process/runs";
import type { State, Task } from "#services/webhooks/a2a/shapes";
import { CONTEXT, contextOf, STATES } from "#services/webhooks/a2a/task-parts";
import { cursorBehind, placeOf, readChangeCursor } from "../http/change-cursor";
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
const MAX_WITH_ARTIFACTS = 10;

/** Tasks that are counted, at most. */
const MAX_COUNTED = 100;

/** What the caller asks for. */
interface ListRequest {
  send: Send;
  contextId: string | undefined;
  state: State | null;
  /** Milliseconds since the epoch; tasks that changed before are left out. */
  since: number;
}

/** A page of the caller's tasks: those that changed last first. @throws A2aError */
export async function listTasks(send: Send, origin: string, params: unknown) {
  const { contextId, status, statusTimestampAfter, ...rest } = parse(schema, params);
  const wanted = { history: rest.historyLength ?? 0, artifacts: rest.includeArtifacts ?? false };
  const detailed = wanted.artifacts || wanted.history > 0;
  const state = !status || status === "TASK_STATE_UNSPECIFIED" ? null : status;
  const since = statusTimestampAfter ? Date.parse(statusTimestampAfter) : 0;
  const pageSize = Math.min(rest.pageSize ?? 50, detailed ? MAX_WITH_ARTIFACTS : 100);
  const pageToken = rest.pageToken ?? "";
  const asked = { send, contextId, state, since };
  const { runs, more } = await changed(asked, pageSize, pageToken);
  // Nothing counts all runs of a tenant: a list that is longer than what is counted has one task more than that.
  const counted = pageToken || more ? await changed(asked, MAX_COUNTED, "") : { runs, more };
  const tasks: Task[] = [];
  for (const run of runs)
    tasks.push(detailed ? await readTask(send, origin, run.id, wanted) : await entryOf(send, run));
  const nextPageToken = more ? cursorBehind(runs.at(-1)!) : "";
  return { tasks, pageSize, nextPageToken, totalSize: counted.runs.length + Number(counted.more) };
}

/** The runs that changed last, at most so many, behind the page before; and whether there are more. */
async function changed(
  { send, contextId, state, since }: ListRequest,
  most: number,
  pageToken: string,
): Promise<{ runs: PresentedRunEntry[]; more: boolean }> {
  const statuses = state && RUN_STATUSES.filter((status) => STATES[status] === state);
  const lists = await Promise.all(
    (statuses ?? [undefined]).map((status) => listRuns(send, { contextId, status, limit: most, pageToken })),
  );
  const before = readChangeCursor(pageToken || undefined);
  const own = (await ownContext(send, contextId)).filter(
    (run) => (!state || STATES[run.status] === state) && (before === null || placeOf(run) < before),
  );
  // A page that ends early says nothing of the runs behind it.
  const ends = lists.flatMap(({ data, next_cursor }) => (next_cursor === null ? [] : [placeOf(data.at(-1)!)]));
  const known = [...lists.flatMap(({ data }) => data), ...own].filter(
    (run) => Date.parse(run.updated_at) >= since && ends.every((end) => placeOf(run) >= end),
  );
  known.sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  const runs = known.slice(0, most);
  const goesOn =
    known.length > most || ends.some((end) => end >= placeOf({ updated_at: new Date(since).toISOString(), id: "" }));
  return { runs, more: runs.length > 0 && goesOn };
}

function listRuns(
  send: Send,
  asked: { contextId: string | undefined; status: RunStatus | undefined; limit: number; pageToken: string },
): Promise<{ data: PresentedRunEntry[]; next_cursor: string | null }> {
  const { contextId, status, limit, pageToken } = asked;
  const query = new URLSearchParams({ order: "updated", limit: String(limit) });
  if (pageToken) query.set("cursor", pageToken);
  if (status) query.set("status", status);
  if (contextId) query.set(`metadata[${CONTEXT}]`, contextId);
  return operate(send, { method: "GET", path: `/v1/runs?${query}` });
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
    if (error instanceof OperationError && error.problem.code === "not_found") return [];
    throw error;
  }
}
