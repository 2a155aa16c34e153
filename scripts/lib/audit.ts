// SQL and not src/store: an entry is in one text with the change that it reports (`Database`).
import { sqlValue } from "./sql.ts";
import { newId } from "#core/ids";

/** SQL that enters a change by the operator in the audit log of a tenant, for the statements of the change. */
export function auditSql(entry: {
  tenant: string;
  mode?: "test" | "live";
  action: string;
  object_type: string;
  object_id: string;
}) {
  const { tenant, mode = "live", action, object_type, object_id } = entry;
  const values = [newId("aud"), Date.now(), "operator", mode, action, object_type, object_id, "done"];
  return (
    "INSERT INTO audit_log (id, created_at, actor, mode, action, object_type, object_id, outcome, tenant_id, seq) " +
    `SELECT ${values.map(sqlValue).join(", ")}, id, COALESCE((SELECT MAX(seq) FROM audit_log WHERE tenant_id = tenants.id), 0) + 1 ` +
    `FROM tenants WHERE id = ${sqlValue(tenant)};\n`
  );
}
