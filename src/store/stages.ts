import type { StageRow } from "./rows";

/** The latest entry of a run into a stage. */
export interface StageEntry {
  run_id: string;
  stage: string;
  generation: number;
  completed: 0 | 1;
}

/** One visit of a run to a stage. */
export interface StageKey {
  stage: string;
  iteration: number;
  generation: number;
}

/** The visits of runs to stages. */
export class StageStore {
  constructor(private readonly db: D1Database) {}

  /** All visits of a run to stages. */
  async ofRun(run: string): Promise<StageRow[]> {
    const { results } = await this.db.prepare("SELECT * FROM stages WHERE run_id = ?").bind(run).all<StageRow>();
    return results;
  }

  /** The stages of runs, in order of first entry; of each the latest iteration of the newest generation. */
  async newestOfRuns(runs: readonly string[]): Promise<StageEntry[]> {
    const { results } = await this.db
      .prepare(
        `SELECT run_id, stage, generation, completed_at IS NOT NULL AS completed FROM (
           SELECT *, MIN(started_at) OVER (PARTITION BY run_id, stage) AS first_at,
             ROW_NUMBER() OVER (PARTITION BY run_id, stage ORDER BY generation DESC, iteration DESC) AS age
           FROM stages WHERE run_id IN (SELECT value FROM json_each(?)))
         WHERE age = 1 ORDER BY first_at, completed_at NULLS LAST`,
      )
      .bind(JSON.stringify(runs))
      .all<StageEntry>();
    return results;
  }
}
