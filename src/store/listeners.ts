import type { Returning } from "./batch";
import type { Owner } from "#core/owner";

/** A webhook endpoint to whose URL events of a run are sent; `events` is JSON. */
export interface Listener {
  id: string;
  events: string;
}

/**
 * Selects the listeners of run ?1. Two selects, because an OR would read the endpoints of all runs of the tenant.
 * @param owner SQL of the run's tenant and mode
 */
export const listeners = (owner: Record<keyof Owner, string>) =>
  ["IS NULL", "= ?1"]
    .map(
      (of) =>
        `SELECT id, events FROM webhook_endpoints WHERE status = 'enabled' AND delivery = 'push' AND tenant_id = ${owner.tenant_id}
         AND mode = ${owner.mode} AND run_id ${of}`,
    )
    .join(" UNION ALL ");

export const listenersOf = (db: D1Database, run: Owner & { id: string }): Returning<Listener> =>
  db.prepare(listeners({ tenant_id: "?2", mode: "?3" })).bind(run.id, run.tenant_id, run.mode);
