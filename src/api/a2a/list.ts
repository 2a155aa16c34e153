import { z } from "zod";
import { idPattern } from "#core/ids";
import type { PresentedRunEntry } from "#services/runs/schema";
import { operate, Refusal, type Send } from "../in-process/operations";
import { parse, readRun } from "../in-process/runs";
import type { State, Task } from "#services/webhooks/a2a/shapes";
import { CONTEXT, contextOf, STATES } from "#services/webhooks/a2a/task-parts";
import { A2aError } from "./protocol";
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

/** A list with at most so many runs is read at once, and ordered by the last change of its tasks. */
const MOST_ORDERED = 100;

/** Continues an ordered list behind a task that last changed at a time. */
const BEHIND = /^changed-(.+)-(run_\w+)$/;

interface Asked {
  send: Send;
  contextId: string | undefined;
  /** Whether a task has the state and the time that the caller asks for. */
  fits(run: PresentedRunEntry): boolean;
  pageSize: number;
  pageToken: string;
}

interface RunPage {
  runs: PresentedRunEntry[];
  nextPageToken: string;
  totalSize: number;
}

/** A page of the caller's tasks: those that changed last first; in a list of more than a hundred, those that started last. */
export async function listTasks(send: Send, origin: string, params: unknown) {
  const { contextId, status, statusTimestampAfter, ...rest } = parse(schema, params);
  const wanted = { history: rest.historyLength ?? 0, artifacts: rest.includeArtifacts ?? false };
  const detailed = wanted.artifacts || wanted.history > 0;
  const fits = (run: PresentedRunEntry) =>
    (!status || status === "TASK_STATE_UNSPECIFIED" || STATES[run.status] === status) &&
    (!statusTimestampAfter || Date.parse(run.updated_at) >= Date.parse(statusTimestampAfter));
  const pageSize = Math.min(rest.pageSize ?? 50, detailed ? MOST_WITH_ARTIFACTS : 100);
  const asked = { send, contextId, fits, pageSize, pageToken: rest.pageToken ?? "" };
  const { runs, ...page } = (await pageByChange(asked)) ?? (await pageByStart(asked));
  const tasks: Task[] = [];
  for (const run of runs)
    tasks.push(detailed ? await readTask(send, origin, run.id, wanted) : await entryOf(send, run));
  return { tasks, pageSize, ...page };
}

/** By the last change; null when the list is too long for that, or was so on its page before. @throws A2aError */
async function pageByChange({ send, contextId, fits, pageSize, pageToken }: Asked): Promise<RunPage | null> {
  const [behind, time, id] = BEHIND.exec(pageToken) ?? [];
  if (pageToken && !behind) return null;
  const { data, next_cursor } = await listRuns(send, contextId, MOST_ORDERED, "");
  if (next_cursor !== null && behind)
    throw new A2aError(
      "invalid_params",
      "The list has become long meanwhile, and is ordered by the start now: begin anew.",
    );
  if (next_cursor !== null) return null;
  const all = [...data, ...(await ownContext(send, contextId))].filter(fits).toSorted((a, b) => byChange(b, a));
  const rest = behind ? all.filter((run) => byChange(run, { updated_at: time!, id: id! }) < 0) : all;
  const runs = rest.slice(0, pageSize);
  const last = runs.at(-1);
  const nextPageToken = last && rest.length > runs.length ? `changed-${last.updated_at}-${last.id}` : "";
  return { runs, nextPageToken, totalSize: all.length };
}

type Changed = Pick<PresentedRunEntry, "updated_at" | "id">;
const byChange = (a: Changed, b: Changed) =>
  Date.parse(a.updated_at) - Date.parse(b.updated_at) || (a.id < b.id ? -1 : Number(a.id > b.id));

/** By the start. A page may have fewer tasks than asked for, even none, while `nextPageToken` is not empty: state and time are compared here. */
async function pageByStart({ send, contextId, fits, pageSize, pageToken }: Asked): Promise<RunPage> {
  const { data, next_cursor } = await listRuns(send, contextId, pageSize, pageToken);
  const runs = [...data, ...(pageToken ? [] : await ownContext(send, contextId))].filter(fits);
  // Nothing counts all runs of a tenant: more than this page are there when another page is.
  return { runs, nextPageToken: next_cursor ?? "", totalSize: runs.length + (next_cursor === null ? 0 : 1) };
}

function listRuns(
  send: Send,
  contextId: string | undefined,
  limit: number,
  cursor: string,
): Promise<{ data: PresentedRunEntry[]; next_cursor: string | null }> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (cursor) query.set("cursor", cursor);
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
    if (error instanceof Refusal && error.problem.code === "not_found") return [];
    throw error;
  }
}
