import { notHeld } from "./held-tenants";
import type { RunArchives } from "./archive/archives";
import { batch, type Done, type Returning, returning } from "./batch";
import type { ContentStore } from "./contents";
import type { QuotaStore } from "./quotas";
import { firstRow, type NewRun } from "./new-run";
import type { ArtifactRow, RunRow } from "./rows";
import { NOT_ENDED, NOW, OWNED, RELEASE, requeued } from "./run-state";
import type { Owner } from "#core/owner";

/** A run to start for a parent. */
export interface NewChild {
  /** Its name within the group. */
  key: string;
  run: NewRun;
  /** Equal for runs that can stand for each other; null: none can stand for it. */
  reuse_key: string | null;
}

/** Where a parent's children belong: one step of one generation starts one group. */
export interface ChildGroup {
  /** The parent, at its epoch. */
  run_id: string;
  epoch: number;
  /** `<step>@<generation>` */
  name: string;
}

/** A child that has ended. */
export type EndedChild = Pick<RunRow, "id" | "phase" | "error" | "epoch"> & { key: string };

/** A run whose instance waits for its children. */
export type AwaitingParent = Pick<RunRow, "id" | "epoch" | "child_waits">;

/** A run that reads what its children made. */
export type Parent = Owner & { run_id: string };

/** Outputs and usage of ended children. */
export type ChildOutcome = Pick<
  RunRow,
  | "id"
  | "workflow_version"
  | "output"
  | "active_ms"
  | "llm_calls"
  | "input_tokens"
  | "cached_input_tokens"
  | "output_tokens"
  | "reasoning_tokens"
  | "cost_usd"
> & { key: string };

/** Whether the parent (?1) of an owner (?2, ?3) may read run `r`: a child, or a child of another run of the owner that can stand for one. */
const READABLE = "r.tenant_id = ?2 AND r.mode = ?3 AND (r.parent_id = ?1 OR r.reuse_key IS NOT NULL)";

const IN_GROUP = "parent_id = ?1 AND child_group = ?2";

/** Child runs: a run starts others, and waits until they have ended. */
export class ChildStore {
  constructor(
    private readonly db: D1Database,
    private readonly contents: ContentStore,
    private readonly archives: RunArchives,
    private readonly quotas: QuotaStore,
  ) {}

  /** How many children of the group are stored, and how many of these have not ended. One query, whatever their number. */
  async progress({ run_id, name }: ChildGroup): Promise<{ stored: number; alive: number }> {
    const row = await this.db
      .prepare(`SELECT COUNT(*) AS stored, COALESCE(SUM(${NOT_ENDED}), 0) AS alive FROM runs WHERE ${IN_GROUP}`)
      .bind(run_id, name)
      .first<{ stored: number; alive: number }>();
    return row!;
  }

  /** Keys of the stored children of a group. */
  async keys({ run_id, name }: ChildGroup): Promise<Set<string>> {
    const { results } = await this.db
      .prepare(`SELECT child_key FROM runs WHERE ${IN_GROUP}`)
      .bind(run_id, name)
      .all<{ child_key: string }>();
    return new Set(results.map(({ child_key }) => child_key));
  }

  /**
   * Writes children into the queue, paused while their parent is. One that is stored already, or whose parent has ended or moved to another epoch, is left out.
   * @param slots how many children of the parent may be under way at once
   * @param children at most a hundred: they are one batch
   * @throws QuotaExceededError
   */
  async create(group: ChildGroup, slots: number, children: readonly NewChild[]): Promise<void> {
    const now = Date.now();
    const tenant = children[0]?.run.tenant_id;
    if (tenant === undefined) return;
    const written = await Promise.all(children.map((child) => this.insert(group, child, now)));
    const needs = { stored_bytes: written.reduce((sum, { bytes }) => sum + bytes, 0) };
    const tree = this.db
      .prepare(
        `INSERT INTO run_trees (run_id, tenant_id, slots) SELECT id, tenant_id, ?3 FROM runs WHERE ${OWNED}
         ON CONFLICT (run_id) DO UPDATE SET slots = excluded.slots`,
      )
      .bind(group.run_id, group.epoch, slots);
    await this.quotas.batch(tenant, needs, { tree, runs: written.flatMap((one) => one.statements) });
  }

  private async insert(
    { run_id, epoch, name }: ChildGroup,
    { key, run, reuse_key }: NewChild,
    now: number,
  ): Promise<{ statements: D1PreparedStatement[]; bytes: number }> {
    const place = `${run.tenant_id}/${run.id}`;
    const input = await this.contents.put(`${place}/input`, JSON.stringify(run.input));
    const options = await this.contents.put(`${place}/options`, JSON.stringify(run.options));
    const { status: _, ...first } = firstRow(run, { input, options }, now);
    const columns = { ...first, parent_id: run_id, child_group: name, child_key: key, reuse_key };
    const names = Object.keys(columns);
    const isPaused = "(SELECT paused FROM runs WHERE id = ?1)";
    const value = (column: string, index: number) =>
      column === "paused" || column === "pauses" ? isPaused : `?${index + 3}`;
    const insert = this.db
      .prepare(
        `INSERT INTO runs (${names.join(", ")}) SELECT ${names.map(value).join(", ")}
         WHERE EXISTS (SELECT 1 FROM runs WHERE ${OWNED}) ON CONFLICT (parent_id, child_group, child_key) WHERE parent_id IS NOT NULL DO NOTHING`,
      )
      .bind(run_id, epoch, ...Object.values(columns));
    const notOrphan = [input, options].flatMap(({ content_key }) =>
      content_key
        ? this.db
            .prepare("DELETE FROM orphans WHERE key = ?1 AND EXISTS (SELECT 1 FROM runs WHERE id = ?2)")
            .bind(content_key, run.id)
        : [],
    );
    return { statements: [insert, ...notOrphan], bytes: first.stored_bytes };
  }

  /**
   * Marks the parent as waiting while any child of the group has not ended; the number of the wait is the name of the event that ends it.
   * Null: all have ended, or the parent is not at this epoch.
   */
  async await({ run_id, epoch, name }: ChildGroup): Promise<number | null> {
    return this.db
      .prepare(
        `UPDATE runs SET awaits_children = 1, child_waits = child_waits + 1, heartbeat_at = ?4 WHERE ${OWNED}
         AND EXISTS (SELECT 1 FROM runs c WHERE c.parent_id = ?1 AND c.child_group = ?3 AND c.${NOT_ENDED}) RETURNING child_waits`,
      )
      .bind(run_id, epoch, name, Date.now())
      .first<number>("child_waits");
  }

  /** The children of a group that have ended, by key. */
  async ended({ run_id, name }: ChildGroup): Promise<EndedChild[]> {
    const { results } = await this.db
      .prepare(
        `SELECT id, child_key AS key, phase, error, epoch FROM runs WHERE ${IN_GROUP} AND NOT (${NOT_ENDED}) ORDER BY child_key`,
      )
      .bind(run_id, name)
      .all<EndedChild>();
    return results;
  }

  /** Queues failed children again, except those that met a limit or were queued so `most` times already. Returns how many. */
  async retryFailed({ run_id, epoch, name }: ChildGroup, most: number): Promise<number> {
    const { meta } = await this.db
      .prepare(
        `UPDATE runs SET ${requeued("?4")}, child_retries = child_retries + 1
         WHERE ${IN_GROUP} AND phase = 'failed' AND child_retries < ?3
         AND error ->> 'code' NOT IN ('budget_exceeded', 'parent_budget_exceeded')
         AND EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND epoch = ?5 AND ${NOT_ENDED})`,
      )
      .bind(run_id, name, most, Date.now(), epoch)
      .run();
    return meta.changes;
  }

  /** Output, times and usage of these runs, as far as the parent may read them, in the order of the ids. Outputs are JSON. */
  async outcomes(parent: Parent, ids: readonly string[]): Promise<ChildOutcome[]> {
    const { results } = await this.db
      .prepare(
        `SELECT r.id, r.child_key AS key, r.workflow_version, r.output, r.active_ms, r.llm_calls, r.input_tokens, r.cached_input_tokens,
           r.output_tokens, r.reasoning_tokens, r.cost_usd
         FROM json_each(?4) wanted JOIN runs r ON r.id = wanted.value AND ${READABLE} ORDER BY wanted.key`,
      )
      .bind(parent.run_id, parent.tenant_id, parent.mode, JSON.stringify(ids))
      .all<ChildOutcome>();
    return results;
  }

  /** These artifacts, as far as they belong to runs that the parent may read. */
  async artifacts(parent: Parent, wanted: readonly { run_id: string; artifact_id: string }[]): Promise<ArtifactRow[]> {
    const ids = wanted.map(({ artifact_id }) => artifact_id);
    const runs = [...new Set(wanted.map(({ run_id }) => run_id))];
    const select = <Row>(sql: string, values: readonly string[]): Returning<Row> =>
      this.db.prepare(sql).bind(parent.run_id, parent.tenant_id, parent.mode, JSON.stringify(values));
    const { stored, archived } = await batch(this.db, {
      stored: select<ArtifactRow>(
        `SELECT a.* FROM json_each(?4) wanted JOIN artifacts a ON a.id = wanted.value JOIN runs r ON r.id = a.run_id AND ${READABLE}
         WHERE r.archive_key IS NULL`,
        ids,
      ),
      archived: select<{ id: string; archive_key: string }>(
        `SELECT r.id, r.archive_key FROM json_each(?4) wanted JOIN runs r ON r.id = wanted.value AND ${READABLE}
         WHERE r.archive_key IS NOT NULL`,
        runs,
      ),
    });
    const others = await this.archives.ofAll(archived.rows, ({ artifacts }) =>
      artifacts.filter(({ id }) => ids.includes(id)),
    );
    return [...stored.rows, ...others];
  }

  /** By key, the newest completed child of the owner's runs with that key. */
  async reusable({ tenant_id, mode }: Owner, keys: readonly string[]): Promise<Map<string, string>> {
    const { results } = await this.db
      .prepare(
        `SELECT wanted.value AS key, MAX(r.id) AS id FROM json_each(?3) wanted
         JOIN runs r ON r.tenant_id = ?1 AND r.mode = ?2 AND r.reuse_key = wanted.value AND r.phase = 'completed'
         WHERE NOT EXISTS (SELECT 1 FROM removed_parents p WHERE p.id = r.parent_id) GROUP BY wanted.value`,
      )
      .bind(tenant_id, mode, JSON.stringify(keys))
      .all<{ key: string; id: string }>();
    return new Map(results.map(({ key, id }) => [key, id]));
  }

  /** The parent, when its instance waits and all its children have ended; else null. */
  async awaitingParent(parent: string): Promise<AwaitingParent | null> {
    return this.db.prepare(`${AWAITING} AND r.id = ?1`).bind(parent).first<AwaitingParent>();
  }

  /** Parents whose instances wait although all their children have ended: a wake-up may have been lost. */
  async awaitingParents(limit: number): Promise<AwaitingParent[]> {
    return (await this.db.prepare(`${AWAITING} LIMIT ?1`).bind(limit).all<AwaitingParent>()).results;
  }

  /** Children of removed parents. */
  async ofRemovedParents(limit: number): Promise<RunRow[]> {
    const { results } = await this.db
      .prepare(`SELECT * FROM runs WHERE parent_id IN (SELECT id FROM removed_parents) AND ${notHeld()} LIMIT ?`)
      .bind(limit)
      .all<RunRow>();
    return results;
  }

  /** Deletes the notes of removed parents that have no children any more. */
  async forgetRemovedParents(): Promise<void> {
    await this.db
      .prepare(
        `DELETE FROM removed_parents WHERE ${notHeld()} AND NOT EXISTS (SELECT 1 FROM runs WHERE parent_id = removed_parents.id)`,
      )
      .run();
  }
}

/** SQL: runs r that wait for children although none of these is alive. */
export const AWAITING = `SELECT r.id, r.epoch, r.child_waits FROM runs r WHERE r.awaits_children = 1 AND r.${NOT_ENDED}
  AND NOT EXISTS (SELECT 1 FROM runs c WHERE c.parent_id = r.id AND c.${NOT_ENDED})`;

/**
 * Queues the failed and canceled children of a retried parent (?1) again, in groups whose results it has not yet. Groups of an earlier
 * generation stay as they ended: `from_stage` starts them anew.
 */
export const requeueChildren = (db: D1Database, parent: string): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE runs SET ${requeued("?2")} WHERE parent_id = ?1 AND phase IN ('failed', 'canceled') AND archive_key IS NULL
       AND EXISTS (SELECT 1 FROM runs p WHERE p.id = ?1 AND p.${NOT_ENDED} AND runs.child_group GLOB '*@' || p.generation)
       AND NOT EXISTS (SELECT 1 FROM artifacts WHERE run_id = ?1 AND step || '@' || generation = runs.child_group)`,
    )
    .bind(parent, Date.now());

/** A canceled child, with its interactions that were open. */
export type CanceledChild = Pick<RunRow, "id" | "epoch" | "paused" | "pauses"> & { interactions: string[] };

/** The children that `cancelChildren` has canceled. */
export const canceledChildren = ({
  childQuestions,
  children,
}: {
  childQuestions: Done<{ id: string; run_id: string }>;
  children: Done<Omit<CanceledChild, "interactions">>;
}): CanceledChild[] =>
  children.rows.map((child) => ({
    ...child,
    interactions: childQuestions.rows.flatMap((row) => (row.run_id === child.id ? row.id : [])),
  }));

/**
 * Cancels the open questions and the children of a parent, if a condition holds. Both statements return rows.
 * @param condition SQL over the parent ?1, the time ?2 and `values` from ?3 on
 */
export const cancelChildren = (
  db: D1Database,
  { parent, condition, values, now }: { parent: string; condition: string; values: readonly unknown[]; now: number },
) => ({
  childQuestions: returning<{ id: string; run_id: string }>(
    db
      .prepare(
        `UPDATE interactions SET status = 'canceled', settled_at = ?2 WHERE status = 'open'
         AND run_id IN (SELECT id FROM runs WHERE parent_id = ?1 AND ${NOT_ENDED}) AND ${condition} RETURNING id, run_id, epoch`,
      )
      .bind(parent, now, ...values),
  ),
  children: returning<Omit<CanceledChild, "interactions">>(
    db
      .prepare(
        `UPDATE runs SET phase = 'canceled', epoch = epoch + 1, finished_at = ?2, updated_at = ${NOW}, ${RELEASE}
         WHERE parent_id = ?1 AND ${NOT_ENDED} AND ${condition} RETURNING id, epoch, paused, pauses`,
      )
      .bind(parent, now, ...values),
  ),
});
