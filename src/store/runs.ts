import { lastRunOf, recordOccurrence } from "./schedules";
import type { RunArchives } from "./archive/archives";
import { batch, type Returning, returning } from "./batch";
import { type ContentStore, INLINE_LIMIT } from "./contents";
import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import { type Listener, listenersOf } from "./listeners";
import { firstRow, type NewRun } from "./new-run";
import { type AdmittedRun, admissionStatement } from "./queue";
import { bytesOf, type QuotaStore } from "./quotas";
import { orBudgetReached } from "./budgets";
import { listRuns, type RunEntryRow, type RunFilter } from "./run-lists";
import { deleteEndpoints } from "./endpoint-removal";
import { type CanceledChild, canceledChildren, cancelChildren, requeueChildren } from "./children";
import type { RunRow } from "./rows";
import { NOT_ENDED, ENDED, NOW, RELEASE, requeued } from "./run-state";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

export type RunSummary = Pick<RunRow, "id" | "origin" | "title" | "excerpt" | "requested_by">;

/** A canceled run and its canceled children, each with the interactions that were open. */
export interface CanceledRun {
  run: RunRow;
  interactions: string[];
  children: CanceledChild[];
}

/** R2 prefix of a run's objects. */
const objectsOf = (run: RunRow) => `${run.tenant_id}/${run.id}/`;

/** The statement that reads the owner's run; the children of a run that is being removed count as gone. */
export const ownRun = (db: D1Database, { tenant_id, mode }: Owner, id: string): Returning<RunRow> =>
  db
    .prepare(
      "SELECT * FROM runs WHERE id = ? AND tenant_id = ? AND mode = ? AND NOT EXISTS (SELECT 1 FROM removed_parents p WHERE p.id = parent_id)",
    )
    .bind(id, tenant_id, mode);

/** Reads and writes of tenants on their runs. */
export class RunStore {
  constructor(
    private readonly db: D1Database,
    private readonly contents: ContentStore,
    private readonly archives: RunArchives,
    private readonly idempotency: IdempotencyStore,
    private readonly quotas: QuotaStore,
  ) {}

  /**
   * Writes the run, its first event and its own webhook in one batch; returns it with its listeners.
   * @param cap maximum of the tenant's concurrent runs; `admitted` are the runs to start now
   * @param complete makes what the batch stores under the key of the creating request
   * @throws QuotaExceededError; Problem `budget_reached`
   */
  async create(
    run: NewRun,
    cap: number,
    complete?: (row: RunRow) => RequestCompletion,
  ): Promise<{ row: RunRow; listeners: Listener[]; admitted: AdmittedRun[] }> {
    const now = Date.now();
    const place = `${run.tenant_id}/${run.id}`;
    const texts = { input: JSON.stringify(run.input), options: JSON.stringify(run.options) };
    const size = bytesOf(texts.input) + bytesOf(texts.options);
    // Before objects are written that a refused run would leave for the maintenance worker.
    if (size > INLINE_LIMIT) await this.quotas.assertRoom(run.tenant_id, { queued_runs: 1, stored_bytes: size });
    const input = await this.contents.put(`${place}/input`, texts.input);
    const options = await this.contents.put(`${place}/options`, texts.options);
    const row = firstRow(run, { input, options }, now);
    const { status: _, ...columns } = row;
    const names = Object.keys(columns);
    const insert = this.db
      .prepare(`INSERT INTO runs (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
      .bind(...Object.values(columns));
    const endpoint = run.webhook
      ? [
          this.db
            .prepare(
              "INSERT INTO webhook_endpoints (id, tenant_id, mode, run_id, url, events, secret, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?8, ?8)",
            )
            .bind(
              run.webhook.endpoint_id,
              run.tenant_id,
              run.mode,
              run.id,
              run.webhook.url,
              JSON.stringify(run.webhook.events),
              run.webhook.sealed_secret,
              now,
            ),
        ]
      : [];
    const notOrphan = [input, options].flatMap(({ content_key }) =>
      content_key ? [this.db.prepare("DELETE FROM orphans WHERE key = ?").bind(content_key)] : [],
    );
    const needs = { queued_runs: 1, stored_bytes: row.stored_bytes };
    const statements = {
      endpoint,
      insert: await this.idempotency.withCompletion(insert, complete?.(row)),
      datasets: this.readsDatasets(run),
      time: this.recordsOccurrence(run),
      notOrphan,
      listeners: listenersOf(this.db, run),
      admitted: returning<AdmittedRun>(admissionStatement(this.db, run.tenant_id, cap)),
    };
    const { listeners, admitted } = await orBudgetReached(this.quotas.batch(run.tenant_id, needs, statements));
    return { row, listeners: listeners.rows, admitted: admitted.rows };
  }

  private recordsOccurrence({ id: run_id, tenant_id, occurrence, last_of }: NewRun): D1PreparedStatement[] {
    if (last_of) return [lastRunOf(this.db, last_of, run_id)];
    if (!occurrence) return [];
    return recordOccurrence(this.db, { ...occurrence, tenant_id, run_id, outcome: "started" });
  }

  /** Notes which data sets a run reads. One that was deleted since the request was checked is left out: the run fails when it reads it. */
  private readsDatasets({ id, datasets = [] }: NewRun): D1PreparedStatement[] {
    if (datasets.length === 0) return [];
    return [
      this.db
        .prepare(
          "INSERT INTO run_datasets (run_id, dataset_id) SELECT ?1, id FROM datasets WHERE id IN (SELECT value FROM json_each(?2))",
        )
        .bind(id, JSON.stringify(datasets)),
    ];
  }

  async get(owner: Owner, id: string): Promise<RunRow | null> {
    return ownRun(this.db, owner, id).first<RunRow>();
  }

  async input(run: Pick<RunRow, "id" | "input" | "input_key" | "archive_key">): Promise<unknown> {
    const { input_key } = run;
    const input = run.input === null && input_key === null ? (await this.archives.ownTexts(run)).input : run.input;
    return JSON.parse(await this.contents.get({ content: input, content_key: input_key }));
  }

  async options(run: Pick<RunRow, "id" | "options" | "options_key" | "archive_key">): Promise<any> {
    const { options_key } = run;
    const isArchived = options_key === null && run.options === "";
    const options = isArchived ? (await this.archives.ownTexts(run)).options : run.options;
    return JSON.parse(
      await this.contents.get({ content: options_key === null ? options : null, content_key: options_key }),
    );
  }

  /** A page of runs, as `listRuns` says. */
  list(owner: Owner, filter: RunFilter, limit: number, after: string | null): Promise<Page<RunEntryRow>> {
    return listRuns(this.db, owner, filter, limit, after);
  }

  /** What an interaction shows of its run, and the base URL of its callback, by run id. */
  async summaries(runs: readonly string[]): Promise<Map<string, RunSummary>> {
    const { results } = await this.db
      .prepare("SELECT id, origin, title, excerpt, requested_by FROM runs WHERE id IN (SELECT value FROM json_each(?))")
      .bind(JSON.stringify(runs))
      .all<RunSummary>();
    return new Map(results.map((row) => [row.id, row]));
  }

  /** Pauses or resumes a run with its children; null when the run has ended or is in that state already. */
  async setPaused(
    { tenant_id, mode }: Owner,
    id: string,
    paused: boolean,
    completion?: RequestCompletion,
  ): Promise<{ run: RunRow; children: RunRow[] } | null> {
    const mayChange = `tenant_id = ?2 AND mode = ?3 AND paused <> ?4 AND ${NOT_ENDED}`;
    const update = (which: string): Returning<RunRow> =>
      this.db
        .prepare(
          `UPDATE runs SET paused = ?4, pauses = pauses + ?4, heartbeat_at = ?5, updated_at = ${NOW}
           WHERE ${which} AND ${mayChange} RETURNING *`,
        )
        .bind(id, tenant_id, mode, paused ? 1 : 0, Date.now());
    const { children, own } = await batch(this.db, {
      children: update(`parent_id = ?1 AND EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND ${mayChange})`),
      own: await this.idempotency.withCompletion(update("id = ?1"), completion),
    });
    const [run] = own.rows;
    return run ? { run, children: children.rows } : null;
  }

  /** Cancels a run, its children and their open interactions; returns the new row, or null when the run has ended already. */
  async cancel({ tenant_id, mode }: Owner, id: string, completion?: RequestCompletion): Promise<CanceledRun | null> {
    const now = Date.now();
    const isOurs = "EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND tenant_id = ?3 AND mode = ?4)";
    const cancel = this.db
      .prepare(
        `UPDATE runs SET phase = 'canceled', epoch = epoch + 1, finished_at = ?4, updated_at = ${NOW}, ${RELEASE}
         WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 AND ${NOT_ENDED} RETURNING *`,
      )
      .bind(id, tenant_id, mode, now);
    const done = await batch(this.db, {
      ...cancelChildren(this.db, { parent: id, condition: isOurs, values: [tenant_id, mode], now }),
      questions: returning<{ id: string }>(
        this.db
          .prepare(
            `UPDATE interactions SET status = 'canceled', settled_at = ?4 WHERE run_id = ?1 AND status = 'open'
             AND EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 AND ${NOT_ENDED}) RETURNING id`,
          )
          .bind(id, tenant_id, mode, now),
      ),
      run: await this.idempotency.withCompletion<RunRow>(cancel, completion),
    });
    const [run] = done.run.rows;
    if (!run) return null;
    const interactions = done.questions.rows.map((question) => question.id);
    return { run, interactions, children: canceledChildren(done) };
  }

  /**
   * Queues a failed or canceled run again, with its children that failed or were canceled; null in any other state.
   * @throws QuotaExceededError
   */
  async retry(
    { tenant_id, mode }: Owner,
    id: string,
    change: { from_stage: string | null; limits: unknown } & Pick<RunRow, "workflow_version">,
    completion?: RequestCompletion,
  ): Promise<RunRow | null> {
    const update = this.db
      .prepare(
        `UPDATE runs SET ${requeued("?3")}, limits = COALESCE(?5, limits), workflow_version = ?6, generation = generation + (?4 IS NOT NULL),
           generations = iif(?4 IS NULL, generations, json_set(generations, '$.' || json_quote(?4), generation + 1))
         WHERE id = ?1 AND tenant_id = ?2 AND mode = ?7 AND phase IN ('failed', 'canceled') AND archive_key IS NULL RETURNING *`,
      )
      .bind(
        id,
        tenant_id,
        Date.now(),
        change.from_stage,
        change.limits === null ? null : JSON.stringify(change.limits),
        change.workflow_version,
        mode,
      );
    const needs = { queued_runs: 1, stored_bytes: 1 };
    const { run } = await this.quotas.batch(tenant_id, needs, {
      run: await this.idempotency.withCompletion<RunRow>(update, completion),
      children: requeueChildren(this.db, id),
    });
    return run.rows[0] ?? null;
  }

  /** Usage of the owner's completed runs of a workflow among its latest 200 runs, without children. */
  async usageOfEarlier(
    { tenant_id, mode }: Owner,
    workflow: string,
    limit: number,
  ): Promise<{ llm_calls: number; input_tokens: number; output_tokens: number }[]> {
    const { results } = await this.db
      .prepare(
        `SELECT llm_calls, input_tokens, output_tokens FROM (
           SELECT phase, llm_calls, input_tokens, output_tokens FROM runs
           WHERE tenant_id = ? AND mode = ? AND workflow = ? AND parent_id IS NULL ORDER BY id DESC LIMIT 200
         ) WHERE phase = 'completed' AND llm_calls > 0 LIMIT ?`,
      )
      .bind(tenant_id, mode, workflow, limit)
      .all<{ llm_calls: number; input_tokens: number; output_tokens: number }>();
    return results;
  }

  /** Runs of a tenant in any state, of both modes. */
  async ofTenant(tenant: string, limit: number): Promise<RunRow[]> {
    const { results } = await this.db
      .prepare("SELECT * FROM runs WHERE tenant_id = ? ORDER BY mode, id LIMIT ?")
      .bind(tenant, limit)
      .all<RunRow>();
    return results;
  }

  /** Deletes a finished run with all its rows, and records its objects as orphans, due at once. False when it has not ended. */
  async remove(run: RunRow, completion?: RequestCompletion): Promise<boolean> {
    const ended = `EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND ${ENDED})`;
    const deleteFrom = (table: string) =>
      this.db.prepare(`DELETE FROM ${table} WHERE run_id = ?1 AND ${ended}`).bind(run.id);
    const { removed } = await batch(this.db, {
      orphans: this.db
        .prepare(`INSERT OR REPLACE INTO orphans (key, due_at) SELECT ?2, ?3 WHERE ${ended}`)
        .bind(run.id, objectsOf(run), Date.now()),
      // The run's own evidence: the maintenance worker deletes the content of the pool.
      pool: this.db.prepare(`UPDATE pools SET removed_at = ?2 WHERE id = ?1 AND ${ended}`).bind(run.id, Date.now()),
      attempts: this.db
        .prepare(
          `DELETE FROM delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE run_id = ?1) AND ${ended}`,
        )
        .bind(run.id),
      answers: this.idempotency.deleteOfRunStatements(run, ended),
      endpoints: Object.values(
        deleteEndpoints(
          this.db,
          `(SELECT id FROM webhook_endpoints WHERE tenant_id = ?2 AND run_id = ?1 AND ${ended})`,
          run.id,
          run.tenant_id,
        ),
      ),
      parent: this.db
        .prepare(
          `INSERT OR IGNORE INTO removed_parents (id, tenant_id) SELECT run_id, tenant_id FROM run_trees WHERE run_id = ?1 AND ${ended}`,
        )
        .bind(run.id),
      rows: [
        "deliveries",
        "interactions",
        "artifacts",
        "stages",
        "events",
        "run_ends",
        "run_trees",
        "run_datasets",
      ].map(deleteFrom),
      removed: await this.idempotency.withCompletion(
        this.db.prepare(`DELETE FROM runs WHERE id = ?1 AND ${ENDED}`).bind(run.id),
        completion,
      ),
    });
    return removed.changes > 0;
  }

  /** Deletes the objects of a deleted run. */
  async removeObjects(run: RunRow): Promise<void> {
    await this.contents.removeOrphan(objectsOf(run));
  }
}
