import type { RunArchives } from "./archive/archives";
import type { EventRow } from "./rows";

export class EventStore {
  constructor(
    private readonly db: D1Database,
    private readonly archives: RunArchives,
  ) {}

  /** Events with `seq` above `after`, in order. */
  async after(run: string, after: number, limit: number): Promise<EventRow[]> {
    const stored = this.db
      .prepare("SELECT * FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?")
      .bind(run, after, limit);
    return this.archives.rows(run, "events", stored, (events) =>
      events.filter(({ seq }) => seq > after).slice(0, limit),
    );
  }

  /** The highest `seq` of a run; 0 when it has no event. */
  async newest(run: string): Promise<number> {
    const stored = this.db.prepare("SELECT MAX(seq) AS seq FROM events WHERE run_id = ?").bind(run);
    const [newest] = await this.archives.rows<"events", { seq: number | null }>(run, "events", stored, (events) =>
      events.slice(-1),
    );
    return newest?.seq ?? 0;
  }
}
