import type { Mode, RunStatus } from "../vocabulary";
import type { Contents, StoredContent } from "./contents";
import { type IdempotencyStore, isOvertaken, type Settlement } from "./idempotency";
import { type Admitted, admission } from "./queue";
import {
  type ArtifactRow,
  type InteractionRow,
  type Page,
  type RunRow,
  type StageRow,
  toPage,
  type Trouble,
} from "./rows";

export const ALIVE = "phase IN ('queued', 'running')";
const ENDED = "phase IN ('completed', 'failed', 'canceled')";
/** What every write of an instance requires: the run is at its epoch (?2) and has not ended. */
export const MINE = `id = ?1 AND epoch = ?2 AND ${ALIVE}`;

export interface NewRun {
  id: string;
  tenant_id: string;
  workflow: string;
  workflow_version: number;
  mode: Mode;
  input: unknown;
  options: unknown;
  models: unknown;
  limits: unknown;
  metadata: unknown;
  test: unknown;
  origin: string;
  webhook: { endpoint_id: string; url: string; events: readonly string[]; sealed_secret: string } | null;
}

export interface RunFilter {
  workflow?: string;
  status?: RunStatus;
  mode?: string;
  created_after?: number;
  created_before?: number;
  metadata?: Record<string, string>;
}

/** The run's pause and the time it was active, as its instance finds them with each write. */
export interface RunClock {
  /** Number of the pause in force, 0 when there is none. */
  pause: number;
  active_ms: number;
  active_since: number | null;
}

export interface Reservation {
  calls: number;
  tokens: number;
  cost_usd: number;
}

/** A webhook endpoint that takes events of a run; `events` is JSON. */
export interface Listener {
  id: string;
  events: string;
}

/** Calls that were cut off count as made; how many tokens they took nobody knows. */
const RELEASE =
  "llm_calls = llm_calls + reserved_calls, reserved_calls = 0, reserved_tokens = 0, reserved_cost_usd = 0";

/** A run that should get on, and of which it was not said yet that it does not. */
const MAY_STALL = `${ALIVE} AND paused = 0 AND open_interactions = 0 AND stalled_at IS NULL AND queued_at IS NULL`;

/** The clock of the triggers. It stands still within a statement, so what the statement returns is what they then write. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** Who listens to the run ?1 of a tenant. Two searches, for an OR would read every run's own endpoint of the tenant. */
const listeners = (tenant: string) =>
  ["IS NULL", "= ?1"]
    .map(
      (of) =>
        `SELECT id, events FROM webhook_endpoints WHERE status = 'enabled' AND tenant_id = ${tenant} AND run_id ${of}`,
    )
    .join(" UNION ALL ");

export const listenersOf = (db: D1Database, run: { id: string; tenant_id: string }): D1PreparedStatement =>
  db.prepare(listeners("?2")).bind(run.id, run.tenant_id);

export class RunStore {
  constructor(
    private readonly db: D1Database,
    private readonly contents: Contents,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /**
   * Writes the run, its first event and its own webhook in one batch, and reads who listens to it.
   * @param cap how many runs of the tenant go at once; `admitted` are those of its runs that are to be started now
   * @param settle what is stored in that batch as the answer to the request that creates it
   * @returns null when the key of that request is another's by now: nothing was written
   */
  async create(
    run: NewRun,
    cap: number,
    settle?: (row: RunRow) => Settlement,
  ): Promise<{ row: RunRow; listeners: Listener[]; admitted: Admitted[] } | null> {
    const now = Date.now();
    const input = await this.contents.put(`${run.tenant_id}/${run.id}/input`, JSON.stringify(run.input));
    const row = firstRow(run, input, now);
    const { status: _, ...columns } = row;
    const names = Object.keys(columns);
    const insert = this.db
      .prepare(`INSERT INTO runs (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
      .bind(...Object.values(columns));
    const endpoint = run.webhook
      ? [
          this.db
            .prepare(
              "INSERT INTO webhook_endpoints (id, tenant_id, run_id, url, events, secret, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?7, ?7)",
            )
            .bind(
              run.webhook.endpoint_id,
              run.tenant_id,
              run.id,
              run.webhook.url,
              JSON.stringify(run.webhook.events),
              run.webhook.sealed_secret,
              now,
            ),
        ]
      : [];
    const forget = input.content_key
      ? [this.db.prepare("DELETE FROM orphans WHERE key = ?").bind(input.content_key)]
      : [];
    const settled = settle ? await this.idempotency.settling(settle(row)) : [];
    const next = admission(this.db, run.tenant_id, cap);
    try {
      const all = [...settled, ...endpoint, insert, ...forget, listenersOf(this.db, run), next];
      const [heard, admitted] = (await this.db.batch<any>(all)).slice(-2).map(({ results }) => results);
      return { row, listeners: heard!, admitted: admitted! };
    } catch (error) {
      if (isOvertaken(error)) return null;
      throw error;
    }
  }

  async get(tenant: string, id: string): Promise<RunRow | null> {
    return this.db.prepare("SELECT * FROM runs WHERE id = ? AND tenant_id = ?").bind(id, tenant).first<RunRow>();
  }

  async input(run: Pick<RunRow, "input" | "input_key">): Promise<unknown> {
    return JSON.parse(await this.contents.get({ content: run.input, content_key: run.input_key }));
  }

  /** Newest first; `after` is the id to continue behind. */
  async list(tenant: string, filter: RunFilter, limit: number, after: string | null): Promise<Page<RunRow>> {
    const where = ["tenant_id = ?"];
    const values: unknown[] = [tenant];
    const add = (condition: string, ...value: unknown[]) => (where.push(condition), values.push(...value));
    if (after) add("id < ?", after);
    if (filter.workflow) add("workflow = ?", filter.workflow);
    if (filter.status) add("status = ?", filter.status);
    if (filter.mode) add("mode = ?", filter.mode);
    if (filter.created_after !== undefined) add("created_at > ?", filter.created_after);
    if (filter.created_before !== undefined) add("created_at < ?", filter.created_before);
    for (const [key, value] of Object.entries(filter.metadata ?? {}))
      add("metadata ->> ? = ?", `$.${JSON.stringify(key)}`, value);
    const { results } = await this.db
      .prepare(`SELECT * FROM runs WHERE ${where.join(" AND ")} ORDER BY id DESC LIMIT ?`)
      .bind(...values, limit + 1)
      .all<RunRow>();
    return toPage(results, limit, (row) => row.id);
  }

  /** Every stay of a run in a stage. */
  async stages(run: string): Promise<StageRow[]> {
    const { results } = await this.db.prepare("SELECT * FROM stages WHERE run_id = ?").bind(run).all<StageRow>();
    return results;
  }

  /** The stages that runs have entered, in the order in which they first did; of each its newest generation's latest iteration. */
  async stagesOf(runs: readonly string[]): Promise<StageEntry[]> {
    const { results } = await this.db
      .prepare(
        `SELECT run_id, stage, generation, completed_at IS NOT NULL AS completed FROM (
           SELECT *, MIN(started_at) OVER (PARTITION BY run_id, stage) AS first_at,
             ROW_NUMBER() OVER (PARTITION BY run_id, stage ORDER BY generation DESC, iteration DESC) AS age
           FROM stages WHERE run_id IN (SELECT value FROM json_each(?)))
         WHERE age = 1 ORDER BY first_at, completed_at NULLS LAST`,
      )
      .bind(JSON.stringify(runs))
      .all<StageEntry>();
    return results;
  }

  /** Bases of the callback URLs of runs, by id. */
  async origins(runs: readonly string[]): Promise<Map<string, string>> {
    const { results } = await this.db
      .prepare("SELECT id, origin FROM runs WHERE id IN (SELECT value FROM json_each(?))")
      .bind(JSON.stringify(runs))
      .all<{ id: string; origin: string }>();
    return new Map(results.map((row) => [row.id, row.origin]));
  }

  /** Pauses or resumes; null when the run has ended or is in that state already. */
  async setPaused(tenant: string, id: string, paused: boolean): Promise<RunRow | null> {
    return this.db
      .prepare(
        `UPDATE runs SET paused = ?3, pauses = pauses + ?3, heartbeat_at = ?4, updated_at = ${NOW}
         WHERE id = ?1 AND tenant_id = ?2 AND paused <> ?3 AND ${ALIVE} RETURNING *`,
      )
      .bind(id, tenant, paused ? 1 : 0, Date.now())
      .first<RunRow>();
  }

  /** Ends a run at the caller's wish, with its open interactions; null when it had ended. Returns the run as it is now. */
  async cancel(tenant: string, id: string): Promise<{ run: RunRow; interactions: string[] } | null> {
    const now = Date.now();
    const [interactions, runs] = await this.db.batch<RunRow & { id: string }>([
      this.db
        .prepare(
          `UPDATE interactions SET status = 'canceled', settled_at = ?3 WHERE run_id = ?1 AND status = 'open'
           AND EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND tenant_id = ?2 AND ${ALIVE}) RETURNING id`,
        )
        .bind(id, tenant, now),
      this.db
        .prepare(
          `UPDATE runs SET phase = 'canceled', epoch = epoch + 1, finished_at = ?3, updated_at = ${NOW}
           WHERE id = ?1 AND tenant_id = ?2 AND ${ALIVE} RETURNING *`,
        )
        .bind(id, tenant, now),
    ]);
    const run = runs!.results[0];
    return run ? { run, interactions: interactions!.results.map((row) => row.id) } : null;
  }

  /** Takes up a failed or canceled run, which queues again; null in any other state. */
  async retry(
    tenant: string,
    id: string,
    change: { from_stage: string | null; limits: unknown; workflow_version: number },
  ): Promise<RunRow | null> {
    return this.db
      .prepare(
        `UPDATE runs SET phase = 'queued', queued_at = ?3, epoch = epoch + 1, paused = 0, output = NULL, error = NULL, finished_at = NULL, heartbeat_at = ?3,
           updated_at = ${NOW}, ${RELEASE}, stalled_at = NULL, limits = COALESCE(?5, limits), workflow_version = ?6, generation = generation + (?4 IS NOT NULL),
           generations = iif(?4 IS NULL, generations, json_set(generations, '$.' || json_quote(?4), generation + 1))
         WHERE id = ?1 AND tenant_id = ?2 AND phase IN ('failed', 'canceled') RETURNING *`,
      )
      .bind(
        id,
        tenant,
        Date.now(),
        change.from_stage,
        change.limits === null ? null : JSON.stringify(change.limits),
        change.workflow_version,
      )
      .first<RunRow>();
  }

  /** Runs of a tenant, whatever their state. */
  async ofTenant(tenant: string, limit: number): Promise<RunRow[]> {
    const { results } = await this.db
      .prepare("SELECT * FROM runs WHERE tenant_id = ? ORDER BY id LIMIT ?")
      .bind(tenant, limit)
      .all<RunRow>();
    return results;
  }

  /** Runs that ended before `before`, the oldest end first. */
  async endedBefore(before: number, limit: number): Promise<RunRow[]> {
    const { results } = await this.db
      .prepare(`SELECT * FROM runs WHERE ${ENDED} AND finished_at < ? ORDER BY finished_at LIMIT ?`)
      .bind(before, limit)
      .all<RunRow>();
    return results;
  }

  /** When the run ended that ended first of all; null when none has. */
  async firstEnd(): Promise<number | null> {
    const row = await this.db
      .prepare(`SELECT MIN(finished_at) AS at FROM runs WHERE ${ENDED}`)
      .first<{ at: number | null }>();
    return row?.at ?? null;
  }

  /** Removes a finished run with every row, and notes its objects as orphans, due at once. False when it has not ended. */
  async remove(run: RunRow): Promise<boolean> {
    const ended = `EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND ${ENDED})`;
    const below = (table: string) =>
      this.db.prepare(`DELETE FROM ${table} WHERE run_id = ?1 AND ${ended}`).bind(run.id);
    const results = await this.db.batch([
      this.db
        .prepare(`INSERT OR REPLACE INTO orphans (key, due_at) SELECT ?2, ?3 WHERE ${ended}`)
        .bind(run.id, objectsOf(run), Date.now()),
      // The run's own evidence: the keeper removes what stands in the pool.
      this.db.prepare(`UPDATE pools SET removed_at = ?2 WHERE id = ?1 AND ${ended}`).bind(run.id, Date.now()),
      this.db
        .prepare(
          `DELETE FROM delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE run_id = ?1) AND ${ended}`,
        )
        .bind(run.id),
      ...this.idempotency.forgetRun(run, ended),
      ...["deliveries", "webhook_endpoints", "interactions", "artifacts", "stages", "events", "run_ends"].map(below),
      this.db.prepare(`DELETE FROM runs WHERE id = ?1 AND ${ENDED}`).bind(run.id),
    ]);
    return results.at(-1)!.meta.changes > 0;
  }

  /** Removes the objects of a run that was removed. */
  async removeObjects(run: RunRow): Promise<void> {
    await this.contents.removeOrphan(objectsOf(run));
  }

  // What an instance does

  /** Marks the run as started, and reads it and who listens to it; null when the instance is not the run's any more. */
  async begin(id: string, epoch: number): Promise<{ row: RunRow; listeners: Listener[] } | null> {
    const [runs, listening] = await this.db.batch<any>([
      this.db
        .prepare(
          `UPDATE runs SET phase = 'running', started_at = COALESCE(started_at, ?3), heartbeat_at = ?3 WHERE ${MINE} RETURNING *`,
        )
        .bind(id, epoch, Date.now()),
      this.db.prepare(listeners("(SELECT tenant_id FROM runs WHERE id = ?1)")).bind(id),
    ]);
    const row = runs!.results[0] as RunRow | undefined;
    return row ? { row, listeners: listening!.results } : null;
  }

  /** The run's row for its instance; null when it is not the instance's any more. */
  async mine(id: string, epoch: number): Promise<RunRow | null> {
    return this.db.prepare(`SELECT * FROM runs WHERE ${MINE}`).bind(id, epoch).first<RunRow>();
  }

  /**
   * The run's pause and clock for its instance, which gives a sign of life; null when it is not the instance's any more.
   * @param quiet how long nothing more will be heard of the run, in milliseconds
   */
  async clock(id: string, epoch: number, quiet: number): Promise<RunClock | null> {
    return this.db
      .prepare(
        `UPDATE runs SET heartbeat_at = ?3, stalled_at = NULL WHERE ${MINE} RETURNING paused * pauses AS pause, active_ms, active_since`,
      )
      .bind(id, epoch, Date.now() + quiet)
      .first<RunClock>();
  }

  /** Sets a reservation aside when the run's limits allow it. `share` is how much of the tightest limit is then taken, 0 to 1. */
  async reserve(id: string, epoch: number, want: Reservation): Promise<{ share: number } | "exceeded" | "gone"> {
    const row = await this.db
      .prepare(
        `UPDATE runs SET reserved_calls = reserved_calls + ?3, reserved_tokens = reserved_tokens + ?4, reserved_cost_usd = reserved_cost_usd + ?5
         WHERE ${MINE}
           AND (limits ->> '$.max_llm_calls' IS NULL OR llm_calls + reserved_calls + ?3 <= limits ->> '$.max_llm_calls')
           AND (limits ->> '$.max_tokens' IS NULL OR input_tokens + output_tokens + reserved_tokens + ?4 <= limits ->> '$.max_tokens')
           AND (limits ->> '$.max_cost_usd' IS NULL OR COALESCE(cost_usd, 0) + reserved_cost_usd + ?5 <= limits ->> '$.max_cost_usd')
         RETURNING MAX(
           COALESCE(1.0 * (llm_calls + reserved_calls) / (limits ->> '$.max_llm_calls'), 0),
           COALESCE(1.0 * (input_tokens + output_tokens + reserved_tokens) / (limits ->> '$.max_tokens'), 0),
           COALESCE((COALESCE(cost_usd, 0) + reserved_cost_usd) / (limits ->> '$.max_cost_usd'), 0)) AS share`,
      )
      .bind(id, epoch, want.calls, want.tokens, want.cost_usd)
      .first<{ share: number }>();
    if (row) return row;
    return (await this.mine(id, epoch)) ? "exceeded" : "gone";
  }

  /**
   * Settles reservations of calls that ended in no artifact, and counts what they used.
   * @param quiet how long nothing more will be heard of the run, in milliseconds
   */
  async spend(id: string, epoch: number, used: SpentUsage, released: Reservation, quiet: number): Promise<void> {
    await this.db
      .prepare(
        `UPDATE runs SET llm_calls = llm_calls + ?3, input_tokens = input_tokens + ?4, cached_input_tokens = cached_input_tokens + ?5,
           output_tokens = output_tokens + ?6, cost_usd = CASE WHEN ?7 IS NULL THEN cost_usd ELSE COALESCE(cost_usd, 0) + ?7 END,
           reserved_calls = reserved_calls - ?8, reserved_tokens = reserved_tokens - ?9, reserved_cost_usd = reserved_cost_usd - ?10,
           heartbeat_at = ?11
         WHERE ${MINE}`,
      )
      .bind(
        id,
        epoch,
        used.llm_calls,
        used.input_tokens,
        used.cached_input_tokens,
        used.output_tokens,
        used.cost_usd,
        released.calls,
        released.tokens,
        released.cost_usd,
        Date.now() + quiet,
      )
      .run();
  }

  /** Notes why an act is not done yet. No sign of life: a run whose acts keep failing gets no further. */
  async noteTrouble(id: string, epoch: number, trouble: Trouble): Promise<void> {
    await this.db.prepare(`UPDATE runs SET trouble = ?3 WHERE ${MINE}`).bind(id, epoch, JSON.stringify(trouble)).run();
  }

  /** Warns once that a limit is nearly reached; each run gets at most one such event an epoch. */
  async warnOfBudget(id: string, epoch: number): Promise<void> {
    await this.db
      .prepare(`UPDATE runs SET budget_warned = epoch WHERE ${MINE} AND budget_warned < epoch`)
      .bind(id, epoch)
      .run();
  }

  /**
   * Leaves one stage and enters the next; both may be repeated. With `remember`, reads in the same round trip what the stage has
   * stored, and notes that the instance knows how its interactions ended. `run` is null when it is not the instance's any more.
   */
  async enterStage(
    id: string,
    epoch: number,
    left: StageKey | null,
    entered: StageKey,
    remember: boolean,
  ): Promise<StageMemory> {
    const mine = this.db
      .prepare(`SELECT llm_calls, paused * pauses AS pause, active_ms, active_since FROM runs WHERE ${MINE}`)
      .bind(id, epoch);
    const stored = (table: string) =>
      this.db
        .prepare(`SELECT * FROM ${table} WHERE run_id = ?1 AND stage = ?2 AND generation = ?3`)
        .bind(id, entered.stage, entered.generation);
    // Nothing is in flight when a stage is entered again: what is still reserved was for calls that a crash or a cancel cut off.
    const release = this.db.prepare(`UPDATE runs SET ${RELEASE} WHERE ${MINE}`).bind(id, epoch);
    const acknowledge = this.db
      .prepare(
        `UPDATE interactions SET acknowledged = 1 WHERE run_id = ?1 AND epoch = ?2 AND status <> 'open' AND acknowledged = 0`,
      )
      .bind(id, epoch);
    const [runs, artifacts, interactions] = await this.db.batch<any>([
      mine,
      ...(remember ? [stored("artifacts"), stored("interactions"), acknowledge, release] : []),
      ...(left ? [this.leave(id, epoch, left)] : []),
      this.enter(id, epoch, entered),
    ]);
    return {
      run: (runs!.results[0] as StageMemory["run"] | undefined) ?? null,
      artifacts: remember ? (artifacts!.results as ArtifactRow[]) : [],
      interactions: remember ? (interactions!.results as InteractionRow[]) : [],
    };
  }

  private enter(id: string, epoch: number, { stage, iteration, generation }: StageKey) {
    return this.db
      .prepare(
        `INSERT INTO stages (run_id, stage, iteration, generation, started_at)
         SELECT id, ?3, ?4, ?5, ?6 FROM runs WHERE ${MINE} ON CONFLICT DO NOTHING`,
      )
      .bind(id, epoch, stage, iteration, generation, Date.now());
  }

  private leave(id: string, epoch: number, { stage, iteration, generation }: StageKey) {
    return this.db
      .prepare(
        `UPDATE stages SET completed_at = ?6 WHERE run_id = ?1 AND stage = ?3 AND iteration = ?4 AND generation = ?5 AND completed_at IS NULL
         AND EXISTS (SELECT 1 FROM runs WHERE ${MINE})`,
      )
      .bind(id, epoch, stage, iteration, generation, Date.now());
  }

  /** Writes the run's end, and with it the end of its last stage and of what is still open. */
  async end(
    id: string,
    epoch: number,
    end: { phase: "completed"; output: unknown } | { phase: "failed"; error: unknown },
    left: StageKey | null,
  ): Promise<void> {
    const now = Date.now();
    await this.db.batch([
      ...(left && end.phase === "completed" ? [this.leave(id, epoch, left)] : []),
      this.db
        .prepare(
          `UPDATE interactions SET status = 'canceled', settled_at = ?3 WHERE run_id = ?1 AND status = 'open' AND EXISTS (SELECT 1 FROM runs WHERE ${MINE})`,
        )
        .bind(id, epoch, now),
      this.db
        .prepare(`UPDATE runs SET phase = ?3, output = ?4, error = ?5, finished_at = ?6 WHERE ${MINE}`)
        .bind(
          id,
          epoch,
          end.phase,
          end.phase === "completed" ? JSON.stringify(end.output) : null,
          end.phase === "failed" ? JSON.stringify(end.error) : null,
          now,
        ),
    ]);
  }

  // What the keeper does

  /**
   * Runs that nobody has heard of since `before`, marked as nudged. Those that wait for a person or are paused are looked at too, by
   * `waitingBefore`: their instance may have died as well.
   */
  async stale(before: number, waitingBefore: number, limit: number): Promise<RunRow[]> {
    const { results } = await this.db
      .prepare(
        `UPDATE runs SET nudged_at = ?3 WHERE id IN (
           SELECT id FROM runs WHERE ${ALIVE} AND queued_at IS NULL
             AND MAX(heartbeat_at, nudged_at) < iif(phase = 'queued' OR (paused = 0 AND open_interactions = 0), ?1, ?2)
           ORDER BY nudged_at LIMIT ?4) RETURNING *`,
      )
      .bind(before, waitingBefore, Date.now(), limit)
      .all<RunRow>();
    return results;
  }

  /** Runs without a sign of life since `before` of which it was not said yet that they stall, with the newest of their artifacts. */
  async stalling(before: number, limit: number): Promise<StallingRun[]> {
    const { results } = await this.db
      .prepare(
        `SELECT r.*, a.act AS last_act, a.created_at AS last_act_at FROM runs r
         LEFT JOIN artifacts a ON a.id = (SELECT MAX(id) FROM artifacts WHERE run_id = r.id)
         WHERE heartbeat_at < ?1 AND ${MAY_STALL} ORDER BY r.heartbeat_at LIMIT ?2`,
      )
      .bind(before, limit)
      .all<StallingRun>();
    return results;
  }

  /** Says of a run, once, that it stalls, and why; not when it has given a sign of life meanwhile. */
  async markStalled(run: RunRow, because: unknown): Promise<void> {
    await this.db
      .prepare(
        `UPDATE runs SET stalled_at = ?3, stalled_because = ?4 WHERE id = ?1 AND heartbeat_at = ?2 AND ${MAY_STALL}`,
      )
      .bind(run.id, run.heartbeat_at, Date.now(), JSON.stringify(because))
      .run();
  }

  async anyAlive(): Promise<boolean> {
    return (await this.db.prepare(`SELECT 1 FROM runs WHERE ${ALIVE} LIMIT 1`).first()) !== null;
  }
}

/** A run that stands still, and what it did last. */
export interface StallingRun extends RunRow {
  last_act: string | null;
  last_act_at: number | null;
}

/** A run as it begins, in every column. */
const firstRow = (run: NewRun, input: StoredContent, now: number): RunRow => ({
  id: run.id,
  tenant_id: run.tenant_id,
  workflow: run.workflow,
  workflow_version: run.workflow_version,
  mode: run.mode,
  input: input.content,
  input_key: input.content_key,
  options: JSON.stringify(run.options),
  models: JSON.stringify(run.models),
  limits: JSON.stringify(run.limits),
  metadata: JSON.stringify(run.metadata),
  test: run.test === null ? null : JSON.stringify(run.test),
  origin: run.origin,
  phase: "queued",
  epoch: 1,
  generation: 1,
  generations: "{}",
  paused: 0,
  pauses: 0,
  open_interactions: 0,
  status: "queued",
  stage: null,
  steps_done: 0,
  llm_calls: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  cost_usd: null,
  reserved_calls: 0,
  reserved_tokens: 0,
  reserved_cost_usd: 0,
  active_ms: 0,
  active_since: null,
  budget_warned: 0,
  output: null,
  error: null,
  heartbeat_at: now,
  nudged_at: 0,
  stalled_at: null,
  queued_at: now,
  trouble: null,
  stalled_because: null,
  created_at: now,
  started_at: null,
  updated_at: now,
  finished_at: null,
});

/** Where a run's objects stand in R2. */
const objectsOf = (run: RunRow) => `${run.tenant_id}/${run.id}/`;

/** A stage as a run last entered it. */
export interface StageEntry {
  run_id: string;
  stage: string;
  generation: number;
  completed: 0 | 1;
}

export interface StageKey {
  stage: string;
  iteration: number;
  generation: number;
}

/** What D1 holds of a stage when it is entered. */
export interface StageMemory {
  run: (RunClock & { llm_calls: number }) | null;
  artifacts: ArtifactRow[];
  interactions: InteractionRow[];
}

export interface SpentUsage {
  llm_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
}
