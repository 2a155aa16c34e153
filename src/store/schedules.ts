import { notHeld } from "./held-tenants";
import { boundedPage } from "./bounded-page";
import { batch } from "./batch";
import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import { toPage } from "./page";
import type { OccurrenceRow, RunRow, ScheduleRow } from "./rows";
import { NOT_ENDED } from "./run-state";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

const OWN = "id = ?1 AND tenant_id = ?2 AND mode = ?3";
/** Occurrences of a schedule that are kept. */
const KEPT = 200;

/** Columns of a schedule that callers change, and the next time where it begins anew. */
export type ScheduleChange = {
  [Name in "name" | "cron" | "time_zone" | "fields" | "overlap" | "catch_up" | "paused" | "next_at"]?:
    | ScheduleRow[Name]
    | undefined;
} & Pick<ScheduleRow, "updated_at">;

/** A recorded time of a schedule, and the next one. */
export interface RecordedOccurrence {
  schedule_id: string;
  tenant_id: string;
  due_at: number;
  outcome: OccurrenceRow["outcome"];
  run_id: string | null;
  reason: string | null;
  /** null: the expression names no later time. */
  next_at: number | null;
}

/**
 * Records a time of a schedule and moves the schedule on to its next; fails when the time is recorded already, or the schedule was paused, changed
 * or deleted meanwhile (`isRecordedAlready`), so that nothing else in the transaction is written either.
 */
export function recordOccurrence(db: D1Database, time: RecordedOccurrence): D1PreparedStatement[] {
  const { schedule_id, tenant_id, due_at, outcome, run_id, reason, next_at } = time;
  const now = Date.now();
  return [
    db
      .prepare(
        `INSERT INTO occurrences (schedule_id, due_at, tenant_id, outcome, run_id, reason, settled_at)
         VALUES (?1, (SELECT ?2 FROM schedules WHERE id = ?1 AND paused = 0 AND next_at <= ?2), ?3, ?4, ?5, ?6, ?7)`,
      )
      .bind(schedule_id, due_at, tenant_id, outcome, run_id, reason, now),
    db
      .prepare(
        `UPDATE schedules SET next_at = ?3, last_run_id = COALESCE(?4, last_run_id) WHERE id = ?1 AND next_at <= ?2`,
      )
      .bind(schedule_id, due_at, next_at, run_id),
    db
      .prepare(
        `DELETE FROM occurrences WHERE schedule_id = ?1 AND due_at <
           (SELECT due_at FROM occurrences WHERE schedule_id = ?1 ORDER BY due_at DESC LIMIT 1 OFFSET ${KEPT})`,
      )
      .bind(schedule_id),
  ];
}

/** A statement that makes a run the last one of its schedule. */
export const lastRunOf = (db: D1Database, schedule: string, run: string): D1PreparedStatement =>
  db.prepare("UPDATE schedules SET last_run_id = ?2 WHERE id = ?1").bind(schedule, run);

/** Whether a transaction failed because the time is recorded, or is no time of its schedule any more. */
export const isRecordedAlready = (error: unknown): boolean =>
  /(UNIQUE|NOT NULL) constraint failed: occurrences/.test(String(error));

/** Schedules and what became of their times. */
export class ScheduleStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /** False: its template is gone. @throws QuotaExceededError */
  async create(row: ScheduleRow, completion?: RequestCompletion): Promise<boolean> {
    const names = Object.keys(row);
    const insert = this.db
      .prepare(
        `INSERT INTO schedules (${names.join(", ")}) SELECT ${names.map(() => "?").join(", ")}
         WHERE EXISTS (SELECT 1 FROM templates WHERE id = ?)`,
      )
      .bind(...Object.values(row), row.template_id);
    const quota = { tenant: row.tenant_id, needs: { schedules: 1 } };
    return (await this.idempotency.write(insert, completion, quota)).changes > 0;
  }

  async get({ tenant_id, mode }: Owner, id: string): Promise<ScheduleRow | null> {
    return this.db.prepare(`SELECT * FROM schedules WHERE ${OWN}`).bind(id, tenant_id, mode).first<ScheduleRow>();
  }

  /** Newest first. */
  async list(
    { tenant_id, mode }: Owner,
    filter: { template_id?: string | undefined },
    limit: number,
    after: string | null,
  ): Promise<Page<ScheduleRow>> {
    const where = "tenant_id = ? AND mode = ? AND (? IS NULL OR id < ?) AND (? IS NULL OR template_id = ?)";
    const template = filter.template_id ?? null;
    const values = [tenant_id, mode, after, after, template, template];
    return boundedPage(this.db, { table: "schedules", long: ["fields"], where, values }, limit);
  }

  /** Replaces the given columns; null: the schedule is gone. */
  async update(
    { tenant_id, mode }: Owner,
    id: string,
    change: ScheduleChange,
    completion?: RequestCompletion,
  ): Promise<ScheduleRow | null> {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    const update = this.db
      .prepare(
        `UPDATE schedules SET ${given.map(([name], at) => `${name} = ?${at + 4}`).join(", ")} WHERE ${OWN} RETURNING *`,
      )
      .bind(id, tenant_id, mode, ...given.map(([, value]) => value));
    return (await this.idempotency.write<ScheduleRow>(update, completion)).rows[0] ?? null;
  }

  async remove({ tenant_id, mode }: Owner, id: string, completion?: RequestCompletion): Promise<boolean> {
    const remove = this.db.prepare(`DELETE FROM schedules WHERE ${OWN}`).bind(id, tenant_id, mode);
    const { removed } = await batch(this.db, {
      occurrences: this.db
        .prepare(`DELETE FROM occurrences WHERE schedule_id = ?1 AND EXISTS (SELECT 1 FROM schedules WHERE ${OWN})`)
        .bind(id, tenant_id, mode),
      removed: await this.idempotency.withCompletion(remove, completion),
    });
    return removed.changes > 0;
  }

  /** Moves a schedule on from a time that is recorded or too long ago. */
  async advance(id: string, from: number, next_at: number | null): Promise<void> {
    await this.db
      .prepare("UPDATE schedules SET next_at = ?3 WHERE id = ?1 AND next_at <= ?2")
      .bind(id, from, next_at)
      .run();
  }

  async pause(id: string): Promise<void> {
    await this.db.prepare("UPDATE schedules SET paused = 1 WHERE id = ?").bind(id).run();
  }

  /** Schedules with a time that is due, the longest due first; without those that queue it until their last run has ended. */
  async due(now: number, limit: number): Promise<ScheduleRow[]> {
    const { results } = await this.db
      .prepare(
        `SELECT * FROM schedules WHERE paused = 0 AND next_at IS NOT NULL AND next_at <= ?1 AND ${notHeld()}
           AND NOT (overlap = 'queue' AND EXISTS (SELECT 1 FROM runs WHERE runs.id = last_run_id AND ${NOT_ENDED}))
         ORDER BY next_at LIMIT ?2`,
      )
      .bind(now, limit)
      .all<ScheduleRow>();
    return results;
  }

  /** When the next time of any schedule is due; null: none is. */
  async nextDue(): Promise<number | null> {
    const row = await this.db
      .prepare("SELECT MIN(next_at) AS at FROM schedules WHERE paused = 0 AND next_at IS NOT NULL")
      .first<{ at: number | null }>();
    return row?.at ?? null;
  }

  /** The schedule's last run, and when it ended; null: there is none any more. */
  async lastRun({ last_run_id }: Pick<ScheduleRow, "last_run_id">): Promise<Pick<RunRow, "id" | "finished_at"> | null> {
    if (last_run_id === null) return null;
    return this.db
      .prepare(`SELECT id, iif(${NOT_ENDED}, NULL, finished_at) AS finished_at FROM runs WHERE id = ?1`)
      .bind(last_run_id)
      .first();
  }

  /** Records a time without a run. A time that is recorded already stays as it is, and its schedule moves on. */
  async recordOccurrence(time: RecordedOccurrence): Promise<void> {
    try {
      await batch(this.db, { time: recordOccurrence(this.db, time) });
    } catch (error) {
      if (!isRecordedAlready(error)) throw error;
      await this.advance(time.schedule_id, time.due_at, time.next_at);
    }
  }

  /** The outcomes of a schedule's times, the latest first. @param after time of the last one seen */
  async occurrences(id: string, limit: number, after: number | null): Promise<Page<OccurrenceRow>> {
    const { results } = await this.db
      .prepare(
        "SELECT * FROM occurrences WHERE schedule_id = ?1 AND (?2 IS NULL OR due_at < ?2) ORDER BY due_at DESC LIMIT ?3",
      )
      .bind(id, after, limit + 1)
      .all<OccurrenceRow>();
    return toPage(results, limit, (row) => String(row.due_at));
  }
}
