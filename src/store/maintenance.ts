import type { RunRow } from "./rows";
import { ALIVE, ENDED } from "./run-state";

/** A run without progress, and its last act. */
export interface StallingRun extends RunRow {
  last_act: string | null;
  last_act_at: number | null;
}

/** Condition of a run that should make progress and is not marked as stalled. */
const MAY_STALL = `${ALIVE} AND paused = 0 AND open_interactions = 0 AND stalled_at IS NULL AND queued_at IS NULL`;

/** Rows of each kind that the keeper handles. */
const REMAINING = {
  runs: `runs WHERE ${ALIVE}`,
  run_ends: "run_ends",
  removed_tenants: "tenants WHERE removed_at IS NOT NULL",
  deliveries: "deliveries WHERE status = 'pending'",
  orphans: "orphans",
  corpora: "corpora WHERE due_at IS NOT NULL",
  removed_pools: "pools WHERE removed_at IS NOT NULL",
};

/** Queries of the keeper, over all tenants. */
export class MaintenanceStore {
  constructor(private readonly db: D1Database) {}

  /** Per kind: 1 when any row is left, else 0. */
  async remainingWork(): Promise<Record<keyof typeof REMAINING, 0 | 1>> {
    const columns = Object.entries(REMAINING).map(([kind, rows]) => `EXISTS (SELECT 1 FROM ${rows}) AS ${kind}`);
    const row = await this.db.prepare(`SELECT ${columns.join(", ")}`).first<Record<keyof typeof REMAINING, 0 | 1>>();
    return row!;
  }

  /**
   * Marks runs without a heartbeat since `before` as nudged, and returns them. Runs that wait for a person or are paused are included
   * from `waitingBefore` on: their instance may have crashed too.
   */
  async nudgeStale(before: number, waitingBefore: number, limit: number): Promise<RunRow[]> {
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

  /** Runs without a heartbeat since `before` that are not marked as stalled, with the act of their newest artifact. */
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

  /** Marks a run as stalled, once, unless it has written a heartbeat meanwhile. */
  async markStalled(run: RunRow, because: unknown): Promise<void> {
    await this.db
      .prepare(
        `UPDATE runs SET stalled_at = ?3, stalled_because = ?4 WHERE id = ?1 AND heartbeat_at = ?2 AND ${MAY_STALL}`,
      )
      .bind(run.id, run.heartbeat_at, Date.now(), JSON.stringify(because))
      .run();
  }

  /** Runs that ended before `before`, earliest end first. */
  async endedBefore(before: number, limit: number): Promise<RunRow[]> {
    const { results } = await this.db
      .prepare(`SELECT * FROM runs WHERE ${ENDED} AND finished_at < ? ORDER BY finished_at LIMIT ?`)
      .bind(before, limit)
      .all<RunRow>();
    return results;
  }

  /** The earliest end of all runs; null when none has ended. */
  async firstEnd(): Promise<number | null> {
    return this.db.prepare(`SELECT MIN(finished_at) AS at FROM runs WHERE ${ENDED}`).first<number>("at");
  }
}
