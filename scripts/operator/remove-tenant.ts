import { sqlValue } from "../lib/sql.ts";

/** SQL that marks a tenant as removed, as `DELETE /v1/tenant` does: it has no keys from then on, and the maintenance worker removes the rest. */
export function removalSql(tenant: string): string {
  const id = sqlValue(tenant);
  const now = Date.now();
  return `UPDATE tenants SET removed_at = COALESCE(removed_at, ${now}) WHERE id = ${id};
    UPDATE keys SET revoked_at = COALESCE(revoked_at, ${now}) WHERE tenant_id = ${id};
    DELETE FROM webhook_endpoints WHERE tenant_id = ${id};
    DELETE FROM provider_keys WHERE tenant_id = ${id};
    UPDATE schedules SET paused = 1 WHERE tenant_id = ${id};
  `;
}
