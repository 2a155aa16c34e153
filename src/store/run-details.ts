import type { EndpointRow, RunTreeRow } from "./rows";
import { ALIVE } from "./run-state";
import { newestStages, type StageEntry } from "./stages";
import type { Owner } from "#core/owner";

/** The stored objects beside the rows of runs that a caller sees with them. */
export interface RunDetails {
  /** As `StageStore.newestOfRuns`. */
  stages: StageEntry[];
  /** The open interactions of the runs and of their children, in order. */
  open: { id: string; run_id: string; parent_id: string | null }[];
  /** The own endpoints of the runs. */
  endpoints: EndpointRow[];
  /** The sums over the children of each run; runs without children are left out. */
  trees: RunTreeRow[];
}

/** Reads of the details of runs. */
export class RunDetailStore {
  constructor(private readonly db: D1Database) {}

  /** The details of runs of one owner, in one round trip. */
  async ofRuns({ tenant_id }: Owner, runs: readonly string[]): Promise<RunDetails> {
    const ids = JSON.stringify(runs);
    const [open, endpoints, trees, ...stages] = await this.db.batch<any>([
      this.db
        .prepare(
          `SELECT i.id, i.run_id, r.parent_id FROM interactions i JOIN runs r ON r.id = i.run_id WHERE i.status = 'open' AND i.run_id IN (
             SELECT value FROM json_each(?1) UNION
             SELECT c.id FROM json_each(?1) p JOIN runs c ON c.parent_id = p.value AND c.${ALIVE} WHERE c.open_interactions > 0) ORDER BY i.id`,
        )
        .bind(ids),
      this.db
        .prepare(
          "SELECT * FROM webhook_endpoints WHERE tenant_id = ? AND run_id IN (SELECT value FROM json_each(?)) AND format = 'events'",
        )
        .bind(tenant_id, ids),
      this.db.prepare("SELECT * FROM run_trees WHERE run_id IN (SELECT value FROM json_each(?))").bind(ids),
      ...newestStages(this.db, runs),
    ]);
    return {
      stages: stages.flatMap(({ results }) => results),
      open: open!.results,
      endpoints: endpoints!.results,
      trees: trees!.results,
    };
  }
}
