import { newId } from "#core/ids";
import { makeKey } from "#services/keys/make-key";
import { SCOPES } from "#core/vocabulary";

const sql = (value) => (typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`);

/**
 * Makes a tenant with keys, and the SQL that inserts them. The SQL can be executed repeatedly.
 * @param {string} tenantName
 * @param {{name: string, mode: "test" | "live", scopes?: readonly string[]}[]} keyRequests `scopes` defaults to all scopes
 * @returns {{tenant: string, keys: string[], sql: string}} the tenant's id, and the texts of the keys; the SQL holds only their hashes
 */
export function makeTenant(tenantName, keyRequests) {
  const now = Date.now();
  const tenant = newId("ten");
  const made = keyRequests.map((request) => ({ ...request, ...makeKey(request.mode) }));
  const rows = made.map(({ name, mode, hash, hint, scopes = SCOPES }) =>
    [newId("key"), tenant, name, mode, hash, hint, JSON.stringify(scopes), now].map(sql).join(", "),
  );
  return {
    tenant,
    keys: made.map((key) => key.text),
    sql: [
      `INSERT OR IGNORE INTO tenants (id, name, created_at) VALUES (${[tenant, tenantName, now].map(sql).join(", ")});`,
      ...rows.map(
        (row) =>
          `INSERT OR IGNORE INTO keys (id, tenant_id, name, mode, hash, hint, scopes, created_at) VALUES (${row});`,
      ),
      "",
    ].join("\n"),
  };
}
