import type { IdempotencyStore, Settlement } from "./idempotency";
import { type OccurrenceRow, type RunRow, type ScheduleRow, toPage } from "./rows";
import { ALIVE } from "./run-state";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

const OWN = "id = ?1 AND tenant_id = ?2 AND mode = ?3";
/** Occurrences of a schedule that are kept. */
const KEPT = 200;

/** A time of a schedule that is settled, and the next one. */
export interface SettledTime {
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
 * Settles a time of a schedule and moves the schedule on to its next; fails when the time is settled already, or the schedule was paused, changed
 * or deleted meanwhile (`isSettledAlready`), so that nothing else in the transaction is written either.
 */
export function settleTime(db: D1Database, time: SettledTime): D1PreparedStatement[] {
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

/** Whether a transaction failed because the time is settled, or is no time of its schedule any more. */
export const isSettledAlready = (error: unknown): boolean =>
  /(UNIQUE|NOT NULL) constraint failed: occurrences/.test(String(error));

/** Schedules and what became of their times. */
export class ScheduleStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /** @throws QuotaExceeded */
  async create(row: ScheduleRow, settlement?: Settlement): Promise<void> {
    const names = Object.keys(row);
    const insert = this.db
      .prepare(`INSERT INTO schedules (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
      .bind(...Object.values(row));
    await this.idempotency.write(insert, settlement, { tenant: row.tenant_id, needs: { schedules: 1 } });
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
    const { results } = await this.db
      .prepare(
        `SELECT * FROM schedules WHERE tenant_id = ?1 AND mode = ?2 AND (?3 IS NULL OR id < ?3) AND (?4 IS NULL OR template_id = ?4)
         ORDER BY id DESC LIMIT ?5`,
      )
      .bind(tenant_id, mode, after, filter.template_id ?? null, limit + 1)
      .all<ScheduleRow>();
    return toPage(results, limit, (row) => row.id);
  }

  /** Replaces what callers change; false: it is gone. @param begins whether its next time is replaced too, which the keeper else moves on */
  async update(row: ScheduleRow, begins: boolean): Promise<boolean> {
    const { id, tenant_id, mode, name, cron, time_zone, fields, overlap, catch_up, paused, next_at, updated_at } = row;
    const { meta } = await this.db
      .prepare(
        `UPDATE schedules SET name = ?4, cron = ?5, time_zone = ?6, fields = ?7, overlap = ?8, catch_up = ?9, paused = ?10,
           updated_at = ?11${begins ? ", next_at = ?12" : ""} WHERE ${OWN}`,
      )
      .bind(
        id,
        tenant_id,
        mode,
        name,
        cron,
        time_zone,
        fields,
        overlap,
        catch_up,
        paused,
        updated_at,
        ...(begins ? [next_at] : []),
      )
      .run();
    return meta.changes > 0;
  }

  async remove({ tenant_id, mode }: Owner, id: string): Promise<boolean> {
    const results = await this.db.batch([
      this.db
        .prepare(`DELETE FROM occurrences WHERE schedule_id = ?1 AND EXISTS (SELECT 1 FROM schedules WHERE ${OWN})`)
        .bind(id, tenant_id, mode),
      this.db.prepare(`DELETE FROM schedules WHERE ${OWN}`).bind(id, tenant_id, mode),
    ]);
    return results[1]!.meta.changes > 0;
  }

  /** Moves a schedule on from a time that is settled or too long ago. */
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
        `SELECT * FROM schedules WHERE paused = 0 AND next_at IS NOT NULL AND next_at <= ?1
           AND NOT (overlap = 'queue' AND EXISTS (SELECT 1 FROM runs WHERE runs.id = last_run_id AND ${ALIVE}))
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
      .prepare(`SELECT id, iif(${ALIVE}, NULL, finished_at) AS finished_at FROM runs WHERE id = ?1`)
      .bind(last_run_id)
      .first();
  }

  /** Settles a time without a run. A time that is settled already stays as it is, and its schedule moves on. */
  async settle(time: SettledTime): Promise<void> {
    try {
      await this.db.batch(settleTime(this.db, time));
    } catch (error) {
      if (!isSettledAlready(error)) throw error;
      await this.advance(time.schedule_id, time.due_at, time.next_at);
    }
  }

  /** What became of a schedule's times, the latest first. @param after time of the last one seen */
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
