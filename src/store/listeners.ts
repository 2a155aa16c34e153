/** A webhook endpoint that receives events of a run; `events` is JSON. */
export interface Listener {
  id: string;
  events: string;
}

/** Selects the listeners of run ?1. Two selects, because an OR would read the endpoints of all runs of the tenant. */
export const listeners = (tenant: string) =>
  ["IS NULL", "= ?1"]
    .map(
      (of) =>
        `SELECT id, events FROM webhook_endpoints WHERE status = 'enabled' AND tenant_id = ${tenant} AND run_id ${of}`,
    )
    .join(" UNION ALL ");

export const listenersOf = (db: D1Database, run: { id: string; tenant_id: string }): D1PreparedStatement =>
  db.prepare(listeners("?2")).bind(run.id, run.tenant_id);
