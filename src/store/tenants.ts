import { batch } from "./batch";
import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import type { TenantRow } from "./rows";

/** Tables with the tenant's own rows (by `tenant_id`), in order of deletion: usage last, since each deletion counts. Rows of runs are deleted with the runs. */
const OWN_TABLES = [
  "deliveries",
  "webhook_messages",
  "webhook_endpoints",
  "budgets",
  "budget_alarms",
  "retirement_warnings",
  "agents",
  "occurrences",
  "schedules",
  "templates",
  "provider_keys",
  "stream_leases",
  "audit_log",
  "run_trees",
  "removed_parents",
  "run_metadata",
  "ended_runs",
  "usage_days",
  "keys",
  "quota_limits",
  "quota_usage",
] as const;
/** Condition that runs, corpora, data sets and pools, which have their own deletion, are gone; until then the tenant stays. */
const EMPTY = ["runs", "corpora", "datasets", "pools"]
  .map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE tenant_id = ?1)`)
  .join(" AND ");

export class TenantStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
  ) {}

  async get(id: string): Promise<TenantRow | null> {
    return this.db.prepare("SELECT * FROM tenants WHERE id = ?").bind(id).first<TenantRow>();
  }

  /** Marks the tenant as removed, revokes its keys and deletes its webhooks and provider keys, so that no request and no delivery starts any more. */
  async markRemoved(id: string, completion?: RequestCompletion): Promise<void> {
    const now = Date.now();
    const mark = this.db
      .prepare("UPDATE tenants SET removed_at = COALESCE(removed_at, ?2) WHERE id = ?1")
      .bind(id, now);
    await batch(this.db, {
      tenant: await this.idempotency.withCompletion(mark, completion),
      keys: this.db.prepare("UPDATE keys SET revoked_at = COALESCE(revoked_at, ?2) WHERE tenant_id = ?1").bind(id, now),
      endpoints: this.db.prepare("DELETE FROM webhook_endpoints WHERE tenant_id = ?").bind(id),
      providerKeys: this.db.prepare("DELETE FROM provider_keys WHERE tenant_id = ?").bind(id),
      schedules: this.db.prepare("UPDATE schedules SET paused = 1 WHERE tenant_id = ?").bind(id),
    });
  }

  /** Tenants marked as removed whose data is not fully deleted; at random, so that none that fails holds up the others. */
  async removed(limit: number): Promise<TenantRow[]> {
    const { results } = await this.db
      .prepare("SELECT * FROM tenants WHERE removed_at IS NOT NULL AND moved_from IS NULL ORDER BY random() LIMIT ?")
      .bind(limit)
      .all<TenantRow>();
    return results;
  }

  /** Deletes a tenant without runs and corpora, its own row last, and records its objects as orphans. False while some are left. */
  async remove(id: string): Promise<boolean> {
    const { removed } = await batch(this.db, {
      orphans: this.db
        .prepare(`INSERT OR REPLACE INTO orphans (key, due_at) SELECT ?1 || '/', ?2 WHERE ${EMPTY}`)
        .bind(id, Date.now()),
      attempts: this.db
        .prepare(
          `DELETE FROM delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE tenant_id = ?1) AND ${EMPTY}`,
        )
        .bind(id),
      answers: this.db
        .prepare(`DELETE FROM idempotency_keys WHERE scope IN (?1 || '/live', ?1 || '/test') AND ${EMPTY}`)
        .bind(id),
      rows: OWN_TABLES.map((table) =>
        this.db.prepare(`DELETE FROM ${table} WHERE tenant_id = ?1 AND ${EMPTY}`).bind(id),
      ),
      removed: this.db.prepare(`DELETE FROM tenants WHERE id = ?1 AND ${EMPTY}`).bind(id),
    });
    return removed.changes > 0;
  }
}
