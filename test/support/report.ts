/** What a failed wait says of a run: enough to find out which part did not move. */
import { env } from "cloudflare:workers";
import type { SeenCall } from "./model";

const bindings = env as unknown as Env & { TEST_MODEL_URL: string };

const rowsOf = async (sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> =>
  (
    await bindings.DB.prepare(sql)
      .bind(...values)
      .all<Record<string, unknown>>()
  ).results;

/** What the platform says of the instance that executes a run. */
async function instanceOf(run: unknown, epoch: unknown): Promise<string> {
  try {
    const { status, error } = await (await bindings.RUNS.get(`${String(run)}-e${String(epoch)}`)).status();
    return error ? `${status}: ${JSON.stringify(error)}` : status;
  } catch (error) {
    return String(error);
  }
}

/** The calls of a run that the model's endpoint has seen and not answered. */
async function openCallsOf(run: unknown): Promise<string[]> {
  const calls = (await (await fetch(`${bindings.TEST_MODEL_URL}/calls?run=${String(run)}`)).json()) as SeenCall[];
  const open = calls.filter(({ ended_at }) => ended_at === null);
  return [`  calls: ${calls.length}, not answered: ${open.map(({ step }) => step).join(", ") || "none"}`];
}

/** Whether the committer of a run's tenant answers: one that does not would hold up all runs of the tenant. */
async function committerOf(run: string): Promise<string> {
  const [row] = await rowsOf("SELECT tenant_id FROM runs WHERE id = ?", run);
  const stub = bindings.COMMITTERS.get(bindings.COMMITTERS.idFromName(String(row?.tenant_id)));
  const late = new Promise<string>((resolve) => setTimeout(() => resolve("no answer in 3 s"), 3000));
  return `committer: ${await Promise.race([stub.commit([{ sql: "SELECT 1", values: [] }]).then(JSON.stringify), late])}`;
}

/** One run: columns of its row that are set, its instance, its model calls and its last events. */
async function lines(id: unknown): Promise<string[]> {
  const [row] = await rowsOf(
    `SELECT id, workflow, mode, parent_id, child_key, phase, status, epoch, generation, paused, stage, llm_calls, reserved_calls,
       open_interactions, awaits_children, heartbeat_at, nudged_at, queued_at, active_since, created_at, started_at, finished_at, last_failure,
       outages, stalled_because, error FROM runs WHERE id = ?`,
    id,
  );
  if (!row) return [`${String(id)}: no such run`];
  const now = Date.now();
  const shown = Object.entries(row).flatMap(([name, value]) => {
    if (value === null || value === 0 || value === "{}") return [];
    const isTime = /_at$|_since$/.test(name) && typeof value === "number";
    return [`${name} ${isTime ? `${now - value} ms ago` : String(value)}`];
  });
  const events = await rowsOf(
    "SELECT seq, type, created_at, data FROM events WHERE run_id = ? ORDER BY seq DESC LIMIT 8",
    id,
  );
  return [
    shown.join(", "),
    `  instance: ${await instanceOf(row.id, row.epoch)}`,
    ...(await openCallsOf(row.id)),
    ...events
      .toReversed()
      .map(({ seq, type, created_at, data }) =>
        `  ${now - Number(created_at)} ms ago: ${String(seq)} ${String(type)} ${String(data)}`.slice(0, 300),
      ),
  ];
}

/** The state of a run and of its children, for the message of a test that waited in vain. Times are in milliseconds before now. */
export async function reportOf(id: string): Promise<string> {
  try {
    const children = await rowsOf("SELECT id FROM runs WHERE parent_id = ? ORDER BY id LIMIT 20", id);
    const pass = await rowsOf("SELECT * FROM maintenance_pass");
    const all = await Promise.all([id, ...children.map((child) => child.id)].map(lines));
    return [...all.flat(), await committerOf(id), `maintenance: ${JSON.stringify(pass)}, now ${Date.now()}`].join("\n");
  } catch (error) {
    return `the run's state cannot be read: ${String(error)}`;
  }
}
