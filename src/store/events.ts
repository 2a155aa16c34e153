import type { EventRow } from "./rows";

export class EventStore {
  constructor(private readonly db: D1Database) {}

  /** Events with `seq` above `after`, in order. */
  async after(run: string, after: number, limit: number): Promise<EventRow[]> {
    const { results } = await this.db
      .prepare("SELECT * FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?")
      .bind(run, after, limit)
      .all<EventRow>();
    return results;
  }

  /** The highest `seq` of a run; 0 when it has no event. */
  async newest(run: string): Promise<number> {
    const seq = await this.db
      .prepare("SELECT MAX(seq) AS seq FROM events WHERE run_id = ?")
      .bind(run)
      .first<number>("seq");
    return seq ?? 0;
  }
}
