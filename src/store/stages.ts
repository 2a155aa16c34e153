import type { StageRow } from "./rows";

/** A stage as a run last entered it. */
export interface StageEntry {
  run_id: string;
  stage: string;
  generation: number;
  completed: 0 | 1;
}

/** One stay of a run in a stage, repeated or not. */
export interface StageKey {
  stage: string;
  iteration: number;
  generation: number;
}

/** What is told of the stages that runs have entered. */
export class StageStore {
  constructor(private readonly db: D1Database) {}

  /** Every stay of a run in a stage. */
  async ofRun(run: string): Promise<StageRow[]> {
    const { results } = await this.db.prepare("SELECT * FROM stages WHERE run_id = ?").bind(run).all<StageRow>();
    return results;
  }

  /** The stages that runs have entered, in the order in which they first did; of each its newest generation's latest iteration. */
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
