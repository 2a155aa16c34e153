const WAITING = "phase = 'queued' AND queued_at IS NOT NULL";
/**
 * Paused runs and runs that wait for a person or for their children use no slot; they continue at once, without queueing again. A run that
 * waits for its provider keeps its slot: if it lent it, the whole queue would start while a provider is away, each run would ask that
 * provider by itself, and on its return all would continue at once, far beyond the tenant's cap.
 */
const IN_SLOT =
  "phase IN ('queued', 'running') AND queued_at IS NULL AND paused = 0 AND open_interactions = 0 AND awaits_children = 0";

/** A run that got a slot; its instance is to be created. */
export interface AdmittedRun {
  id: string;
  epoch: number;
}

/** SQL: whether a run of a tenant waits for a slot. @param tenant SQL of its id */
export const hasWaiting = (tenant: string): string =>
  `EXISTS (SELECT 1 FROM runs waiting WHERE waiting.tenant_id = ${tenant} AND waiting.phase = 'queued' AND waiting.queued_at IS NOT NULL)`;

/**
 * Gives the tenant's free slots to its waiting runs, longest waiting first, and what is left to child runs: one child of each parent, so
 * that no parent gets more slots than its own.
 */
export const admissionStatement = (db: D1Database, tenant: string, cap: number): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE runs SET queued_at = NULL, heartbeat_at = ?3 WHERE id IN (
         SELECT id FROM (
           SELECT id, queued_at, 0 AS is_child FROM runs WHERE tenant_id = ?1 AND ${WAITING} AND parent_id IS NULL
           UNION ALL
           SELECT c.id, c.queued_at, 1 FROM run_trees t JOIN runs c ON c.id = (
             SELECT id FROM runs WHERE parent_id = t.run_id AND ${WAITING} AND paused = 0 ORDER BY queued_at, id LIMIT 1)
           WHERE t.tenant_id = ?1 AND t.waiting > 0 AND t.active < t.slots)
         ORDER BY is_child, queued_at, id
         LIMIT MAX(0, COALESCE((SELECT max_concurrent_runs FROM tenants WHERE id = ?1), ?2)
           - (SELECT COUNT(*) FROM runs WHERE tenant_id = ?1 AND ${IN_SLOT})))
       RETURNING id, epoch, parent_id`,
    )
    .bind(tenant, cap, Date.now());

/** The queue, in D1, of runs beyond their tenant's cap. Code that frees a slot, or finds one free, admits the next run. */
export class RunQueue {
  constructor(private readonly db: D1Database) {}

  /** Admits until no slot is free or no run may take one. @param cap default for tenants without their own */
  async admit(tenant: string, cap: number): Promise<AdmittedRun[]> {
    const admitted: AdmittedRun[] = [];
    for (;;) {
      const { results } = await admissionStatement(this.db, tenant, cap).all<
        AdmittedRun & { parent_id: string | null }
      >();
      admitted.push(...results);
      // A pass takes every waiting run that has no parent, and at most one child of each parent.
      if (!results.some(({ parent_id }) => parent_id !== null)) return admitted;
    }
  }

  /** Tenants with waiting runs. */
  async tenants(): Promise<{ id: string }[]> {
    return (await this.db.prepare(`SELECT DISTINCT tenant_id AS id FROM runs WHERE ${WAITING}`).all<{ id: string }>())
      .results;
  }
}
