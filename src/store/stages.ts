import type { RunArchives } from "./archive/archives";
import { batch, type DoneBy, returning } from "./batch";
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
  constructor(
    private readonly db: D1Database,
    private readonly archives: RunArchives,
  ) {}

  /** All visits of a run to stages. */
  async ofRun(run: string): Promise<StageRow[]> {
    const stored = this.db.prepare("SELECT * FROM stages WHERE run_id = ?").bind(run);
    return this.archives.rows(run, "stages", stored, (stages) => stages);
  }

  /** The stages of runs, in order of first entry; of each the latest iteration of the newest generation. */
  async newestOfRuns(runs: readonly string[]): Promise<StageEntry[]> {
    return stagesIn(await batch(this.db, newestStages(this.db, runs)));
  }
}

/** The statements that read what `stagesIn` finds in their results. */
export function newestStages(db: D1Database, runs: readonly string[]) {
  const ids = JSON.stringify(runs);
  const storedStages = db
    .prepare(
      `SELECT run_id, stage, generation, completed_at IS NOT NULL AS completed FROM (
         SELECT *, MIN(started_at) OVER (PARTITION BY run_id, stage) AS first_at,
           ROW_NUMBER() OVER (PARTITION BY run_id, stage ORDER BY generation DESC, iteration DESC) AS age
         FROM stages WHERE run_id IN (SELECT value FROM json_each(?)))
       WHERE age = 1 ORDER BY first_at, completed_at NULLS LAST`,
    )
    .bind(ids);
  // The rows of archived runs tell their stages.
  const archivedStages = db
    .prepare(
      `SELECT r.id AS run_id, s.value ->> 0 AS stage, s.value ->> 1 AS generation, s.value ->> 2 AS completed
       FROM runs r, json_each(r.archive_stages) s
       WHERE r.id IN (SELECT value FROM json_each(?)) AND r.archive_stages IS NOT NULL ORDER BY r.id, s.key`,
    )
    .bind(ids);
  return { storedStages: returning<StageEntry>(storedStages), archivedStages: returning<StageEntry>(archivedStages) };
}

export const stagesIn = (done: DoneBy<ReturnType<typeof newestStages>>): StageEntry[] => [
  ...done.storedStages.rows,
  ...done.archivedStages.rows,
];
