import type { RunEndRow } from "./rows";

/** Ends of runs that are still to be told outside. A trigger writes them with the end itself. */
export class RunEndStore {
  constructor(private readonly db: D1Database) {}

  /** The longest due first. */
  async due(now: number, limit: number): Promise<RunEndRow[]> {
    const { results } = await this.db
      .prepare("SELECT * FROM run_ends WHERE due_at <= ? ORDER BY due_at LIMIT ?")
      .bind(now, limit)
      .all<RunEndRow>();
    return results;
  }

  /** Notes that its data point was written. */
  async markCounted({ run_id, epoch }: RunEndRow): Promise<void> {
    await this.db.prepare("UPDATE run_ends SET counted = 1 WHERE run_id = ? AND epoch = ?").bind(run_id, epoch).run();
  }

  async postpone({ run_id, epoch }: RunEndRow, until: number): Promise<void> {
    await this.db
      .prepare("UPDATE run_ends SET attempts = attempts + 1, due_at = ?3 WHERE run_id = ?1 AND epoch = ?2")
      .bind(run_id, epoch, until)
      .run();
  }

  /** Everything was told. */
  async deleteReported({ run_id, epoch }: RunEndRow): Promise<void> {
    await this.db.prepare("DELETE FROM run_ends WHERE run_id = ? AND epoch = ?").bind(run_id, epoch).run();
  }

  /** Nobody is to be told. */
  async deleteDue(now: number): Promise<void> {
    await this.db.prepare("DELETE FROM run_ends WHERE due_at <= ?").bind(now).run();
  }
}
