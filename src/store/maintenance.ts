import { notHeld } from "./held-tenants";
import type { EventDetails } from "#core/events";
import {
  type DueTimes,
  isSilent,
  MAY_STALL,
  type RemainingKind,
  remainingWork,
  type DueWork,
  survey,
} from "./due-work";
import type { RunRow } from "./rows";
import { NOT_ENDED, ENDED } from "./run-state";

/** A run without progress, and its last step. */
export interface StallingRun extends RunRow {
  last_step: string | null;
  last_step_at: number | null;
}

/** A maintenance pass. Times are milliseconds since the epoch. */
export interface MaintenancePass {
  started_at: number;
  ended_at: number;
  /** By which it began after it was due. */
  lag_ms: number;
  /** Kinds of rows that it left for later passes. */
  remaining: string[];
  /** Parts of it that failed. */
  failed: string[];
  /** When the next pass is due; null: when the maintenance worker is armed. */
  next_at: number | null;
}

/** Queries of the maintenance worker, over all tenants. */
export class MaintenanceStore {
  constructor(private readonly db: D1Database) {}

  /** What a maintenance pass has to do. */
  survey(times: DueTimes): Promise<DueWork> {
    return survey(this.db, times);
  }

  /** The kinds of rows that keep the maintenance worker awake, of which any are left. */
  remainingWork(): Promise<RemainingKind[]> {
    return remainingWork(this.db);
  }

  /**
   * Marks runs without a heartbeat since `before` as nudged, and returns them. Runs that wait for a person or are paused are included
   * from `waitingBefore` on: their instance may have crashed too.
   */
  async nudgeStale(before: number, waitingBefore: number, limit: number): Promise<RunRow[]> {
    const { results } = await this.db
      .prepare(
        `UPDATE runs SET nudged_at = ?3 WHERE id IN (
           SELECT id FROM runs WHERE ${isSilent("?1", "?2")} AND ${notHeld()} ORDER BY nudged_at LIMIT ?4) RETURNING *`,
      )
      .bind(before, waitingBefore, Date.now(), limit)
      .all<RunRow>();
    return results;
  }

  /** Runs without a heartbeat since `before` that are not marked as stalled, with the step of their newest artifact. */
  async stalling(before: number, limit: number): Promise<StallingRun[]> {
    const { results } = await this.db
      .prepare(
        `SELECT r.*, a.step AS last_step, a.created_at AS last_step_at FROM runs r
         LEFT JOIN artifacts a ON a.id = (SELECT MAX(id) FROM artifacts WHERE run_id = r.id)
         WHERE heartbeat_at < ?1 AND ${MAY_STALL} AND ${notHeld("r.tenant_id")} ORDER BY r.heartbeat_at LIMIT ?2`,
      )
      .bind(before, limit)
      .all<StallingRun>();
    return results;
  }

  /** Marks a run as stalled, once, unless it has written a heartbeat meanwhile. */
  async markStalled(run: RunRow, because: EventDetails<"run.stalled">): Promise<void> {
    await this.db
      .prepare(
        `UPDATE runs SET stalled_at = ?3, stalled_because = ?4 WHERE id = ?1 AND heartbeat_at = ?2 AND ${MAY_STALL}`,
      )
      .bind(run.id, run.heartbeat_at, Date.now(), JSON.stringify(because))
      .run();
  }

  /** Runs that ended before `before` and have no deliveries under way, earliest end first; children go with their parent. */
  async endedBefore(before: number, limit: number): Promise<RunRow[]> {
    const { results } = await this.db
      .prepare(`SELECT * FROM runs WHERE ${ENDED} AND finished_at < ? AND parent_id IS NULL AND ${notHeld()}
           AND NOT EXISTS (SELECT 1 FROM deliveries WHERE run_id = runs.id AND status = 'pending') ORDER BY finished_at LIMIT ?`)
      .bind(before, limit)
      .all<RunRow>();
    return results;
  }

  /** Records a maintenance pass; its lag is measured from when it was due. */
  async recordPass({
    started_at,
    ended_at,
    remaining,
    failed,
    next_at,
  }: Omit<MaintenancePass, "lag_ms">): Promise<void> {
    await this.db
      .prepare(
        `INSERT INTO maintenance_pass (id, started_at, ended_at, lag_ms, remaining, failed, next_at) VALUES (1, ?1, ?2, 0, ?3, ?4, ?5)
         ON CONFLICT (id) DO UPDATE SET started_at = excluded.started_at, ended_at = excluded.ended_at, remaining = excluded.remaining,
           failed = excluded.failed, next_at = excluded.next_at, lag_ms = MAX(0, excluded.started_at - COALESCE(next_at, excluded.started_at))`,
      )
      .bind(started_at, ended_at, JSON.stringify(remaining), JSON.stringify(failed), next_at)
      .run();
  }

  /** The last maintenance pass; null before the first. */
  async lastPass(): Promise<MaintenancePass | null> {
    const row = await this.db
      .prepare("SELECT * FROM maintenance_pass")
      .first<Omit<MaintenancePass, "remaining" | "failed"> & { remaining: string; failed: string }>();
    return row && { ...row, remaining: JSON.parse(row.remaining), failed: JSON.parse(row.failed) };
  }

  /**
   * Whether the maintenance worker should have run a pass and has not.
   * @param overdue a pass due before this is late
   * @param forgotten a run without a heartbeat since then was overlooked while the maintenance worker slept
   */
  async isMaintenanceStalled({ overdue, forgotten }: { overdue: number; forgotten: number }): Promise<boolean> {
    const row = await this.db
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM maintenance_pass WHERE next_at < ?1)
           OR (NOT EXISTS (SELECT 1 FROM maintenance_pass WHERE ended_at > ?1)
             AND EXISTS (SELECT 1 FROM runs WHERE ${NOT_ENDED} AND MAX(heartbeat_at, nudged_at) < ?2)) AS stalled`,
      )
      .bind(overdue, forgotten)
      .first<{ stalled: 0 | 1 }>();
    return row!.stalled === 1;
  }

  /** The earliest end of the runs that `endedBefore` may return; null when none has ended. */
  async firstEnd(): Promise<number | null> {
    return this.db
      .prepare(`SELECT MIN(finished_at) AS at FROM runs WHERE ${ENDED} AND parent_id IS NULL`)
      .first<number>("at");
  }
}
