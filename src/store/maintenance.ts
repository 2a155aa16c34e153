import type { RunRow } from "./rows";
import { ALIVE, ENDED } from "./run-state";

/** A run that stands still, and what it did last. */
export interface StallingRun extends RunRow {
  last_act: string | null;
  last_act_at: number | null;
}

/** A run that should get on, and of which it was not said yet that it does not. */
const MAY_STALL = `${ALIVE} AND paused = 0 AND open_interactions = 0 AND stalled_at IS NULL AND queued_at IS NULL`;

/** What may be left for the keeper to look after. */
const REMAINING = {
  runs: `runs WHERE ${ALIVE}`,
  run_ends: "run_ends",
  removed_tenants: "tenants WHERE removed_at IS NOT NULL",
  deliveries: "deliveries WHERE status = 'pending'",
  orphans: "orphans",
  corpora: "corpora WHERE due_at IS NOT NULL",
  removed_pools: "pools WHERE removed_at IS NOT NULL",
};

/** What the keeper looks after, of all tenants. */
export class MaintenanceStore {
  constructor(private readonly db: D1Database) {}

  /** Of which sorts anything is left: 1, else 0. */
  async remainingWork(): Promise<Record<keyof typeof REMAINING, 0 | 1>> {
    const columns = Object.entries(REMAINING).map(([sort, rows]) => `EXISTS (SELECT 1 FROM ${rows}) AS ${sort}`);
    const row = await this.db.prepare(`SELECT ${columns.join(", ")}`).first<Record<keyof typeof REMAINING, 0 | 1>>();
    return row!;
  }

  /**
   * Runs that nobody has heard of since `before`, marked as nudged. Those that wait for a person or are paused are looked at too, by
   * `waitingBefore`: their instance may have died as well.
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
}
