import type { Mode } from "#core/vocabulary";
import { notHeld } from "./held-tenants";
import type { RunEndRow, RunRow } from "./rows";

/** An end, as metrics count it. */
export type CountedEnd = Pick<RunEndRow, "phase" | "ended_at"> & Pick<RunRow, "workflow" | "mode" | "created_at">;

/** Ends of runs that are not reported to telemetry yet. A trigger writes them together with the end. */
export class RunEndStore {
  constructor(private readonly db: D1Database) {}

  /** Earliest due first. */
  async due(now: number, limit: number): Promise<RunEndRow[]> {
    const { results } = await this.db
      .prepare(`SELECT * FROM run_ends WHERE due_at <= ? AND ${notHeld()} ORDER BY due_at LIMIT ?`)
      .bind(now, limit)
      .all<RunEndRow>();
    return results;
  }

  /** The run that ended; null when it was deleted meanwhile. */
  async run({ run_id }: RunEndRow): Promise<RunRow | null> {
    return this.db.prepare("SELECT * FROM runs WHERE id = ?").bind(run_id).first<RunRow>();
  }

  /** Records that its data point was written. */
  async markCounted({ run_id, epoch }: RunEndRow): Promise<void> {
    await this.db.prepare("UPDATE run_ends SET counted = 1 WHERE run_id = ? AND epoch = ?").bind(run_id, epoch).run();
  }

  async postpone({ run_id, epoch }: RunEndRow, until: number): Promise<void> {
    await this.db
      .prepare("UPDATE run_ends SET attempts = attempts + 1, due_at = ?3 WHERE run_id = ?1 AND epoch = ?2")
      .bind(run_id, epoch, until)
      .run();
  }

  /** Deletes an end that is fully reported. */
  async deleteReported({ run_id, epoch }: RunEndRow): Promise<void> {
    await this.db.prepare("DELETE FROM run_ends WHERE run_id = ? AND epoch = ?").bind(run_id, epoch).run();
  }

  /** Deletes due ends when no telemetry is configured. @returns those whose runs still exist */
  async deleteDue(now: number): Promise<CountedEnd[]> {
    const { results } = await this.db
      .prepare(
        `DELETE FROM run_ends WHERE due_at <= ? AND ${notHeld()} RETURNING phase, ended_at,
           (SELECT json_array(workflow, mode, created_at) FROM runs WHERE id = run_id) AS run`,
      )
      .bind(now)
      .all<{ phase: RunEndRow["phase"]; ended_at: number; run: string | null }>();
    return results.flatMap(({ phase, ended_at, run }) => {
      if (run === null) return [];
      const [workflow, mode, created_at] = JSON.parse(run) as [string, Mode, number];
      return [{ phase, ended_at, workflow, mode, created_at }];
    });
  }
}
