import { batch, type DoneBy, returning } from "./batch";
import type { EndpointRow, RunRow, RunTreeRow } from "./rows";
import { NOT_ENDED } from "./run-state";
import { ownRun } from "./runs";
import { newestStages, type StageEntry, stagesIn } from "./stages";
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
    return read(await batch(this.db, detailStatements(this.db, tenant_id, runs)));
  }

  /** A run of the owner and its details, in one round trip; null: the owner has no such run. */
  async withRun(owner: Owner, id: string): Promise<{ row: RunRow; details: RunDetails } | null> {
    const { run, ...details } = await batch(this.db, {
      run: ownRun(this.db, owner, id),
      ...detailStatements(this.db, owner.tenant_id, [id]),
    });
    const [row] = run.rows;
    return row ? { row, details: read(details) } : null;
  }
}

function detailStatements(db: D1Database, tenant: string, runs: readonly string[]) {
  const ids = JSON.stringify(runs);
  return {
    open: returning<RunDetails["open"][number]>(
      db
        .prepare(
          `SELECT i.id, i.run_id, r.parent_id FROM interactions i JOIN runs r ON r.id = i.run_id WHERE i.status = 'open' AND i.run_id IN (
             SELECT value FROM json_each(?1) UNION
             SELECT c.id FROM json_each(?1) p JOIN runs c ON c.parent_id = p.value AND c.${NOT_ENDED} WHERE c.open_interactions > 0) ORDER BY i.id`,
        )
        .bind(ids),
    ),
    endpoints: returning<EndpointRow>(
      db
        .prepare(
          "SELECT * FROM webhook_endpoints WHERE tenant_id = ? AND run_id IN (SELECT value FROM json_each(?)) AND format = 'events'",
        )
        .bind(tenant, ids),
    ),
    trees: returning<RunTreeRow>(
      db.prepare("SELECT * FROM run_trees WHERE run_id IN (SELECT value FROM json_each(?))").bind(ids),
    ),
    ...newestStages(db, runs),
  };
}

const read = (done: DoneBy<ReturnType<typeof detailStatements>>): RunDetails => ({
  stages: stagesIn(done),
  open: done.open.rows,
  endpoints: done.endpoints.rows,
  trees: done.trees.rows,
});
