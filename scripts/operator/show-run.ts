import type { Database, Row } from "../lib/database.ts";
import { sqlValue } from "../lib/sql.ts";
import { table } from "../lib/terminal.ts";

/**
 * What an operator asks about a run that makes no progress, as lines of text. Texts of people and models are left out.
 * @returns null: there is no such run
 */
export async function showRun(db: Database, id: string): Promise<string | null> {
  const of = sqlValue(id);
  const [run] = await db.query(
    `SELECT r.*, t.name AS tenant, (SELECT COUNT(*) FROM runs c WHERE c.parent_id = r.id AND c.phase IN ('queued', 'running')) AS children
     FROM runs r JOIN tenants t ON t.id = r.tenant_id WHERE r.id = ${of}`,
  );
  if (!run) return null;
  const [step] = await db.query(
    `SELECT step, model, created_at FROM artifacts WHERE run_id = ${of} ORDER BY created_at DESC, id DESC LIMIT 1`,
  );
  const questions = await db.query(
    `SELECT id, kind, stage, assignee_name, created_at, expires_at FROM interactions
     WHERE run_id = ${of} AND status = 'open' ORDER BY id`,
  );
  return [facts(run, step, await instanceOf(db, run)), ...failing(run), ...open(questions)].join("\n");
}

function facts(run: Row, step: Row | undefined, instance: string): string {
  const failure = run.last_failure === null ? null : JSON.parse(run.last_failure);
  const error = run.error === null ? null : JSON.parse(run.error);
  const lines: [string, string | null][] = [
    ["run", run.id],
    ["tenant", `${run.tenant} (${run.tenant_id}), ${run.mode}`],
    ["workflow", `${run.workflow} ${run.workflow_version}`],
    [
      "status",
      `${run.status}${run.stalled_at === null || run.finished_at !== null ? "" : `, stalled since ${time(run.stalled_at)}`}`,
    ],
    ["created", time(run.created_at)],
    ["queued since", run.phase === "queued" && run.queued_at !== null ? time(run.queued_at) : null],
    ["ended", run.finished_at === null ? null : time(run.finished_at)],
    ["error", error && error.code],
    ["stage", run.stage],
    [
      "last step",
      step ? `${step.step}, ${time(step.created_at)}${step.model === null ? "" : `, ${step.model}`}` : "none",
    ],
    ["last failure", failure ? `${failure.code} in ${failure.step}, ${time(failure.at)}` : "none"],
    ["children under way", run.children > 0 ? String(run.children) : null],
    ["last heartbeat", time(run.heartbeat_at)],
    ["instance", instance],
    ["calls, cost", `${run.llm_calls}, ${run.cost_usd === null ? "no price known" : `$${run.cost_usd.toFixed(4)}`}`],
  ];
  return lines
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.padEnd(20)}${value}`)
    .join("\n");
}

/** The Workflow instance of the run's epoch; the Node host records its state in the same database. */
async function instanceOf(db: Database, { id, epoch }: Row): Promise<string> {
  const name = `${id}-e${epoch}`;
  const [hasRecord] = await db.query("SELECT 1 FROM sqlite_master WHERE name = '_cf_instances'");
  if (!hasRecord) return `${name} (its state: \`wrangler workflows instances describe parley-runs ${name}\`)`;
  const [instance] = await db.query(`SELECT status FROM _cf_instances WHERE id = ${sqlValue(name)}`);
  return `${name} (${instance?.status ?? "missing"})`;
}

function failing({ outages }: Row): string[] {
  const rows = Object.values<Record<string, string>>(JSON.parse(outages));
  if (rows.length === 0) return [];
  const cells = rows.map(({ model = "", code = "", since = "", next_attempt_at = "" }) => [
    model,
    code,
    minute(since),
    minute(next_attempt_at),
  ]);
  return ["\nModels that fail", table(["model", "because", "since", "asked again"], cells)];
}

function open(questions: Row[]): string[] {
  if (questions.length === 0) return ["\nNo open questions."];
  const cells = questions.map((row) => [
    row.id,
    row.kind,
    row.stage,
    row.assignee_name ?? "",
    time(row.created_at),
    time(row.expires_at),
  ]);
  return ["\nOpen questions", table(["question", "kind", "stage", "for", "asked", "expires"], cells)];
}

const time = (ms: number) => minute(new Date(ms).toISOString());
const minute = (text: string) => text.slice(0, 16).replace("T", " ");
