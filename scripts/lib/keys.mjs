import { newId } from "#core/ids";
import { makeKey } from "#services/keys/make-key";
import { SCOPES } from "#core/vocabulary";

const sql = (value) => (typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`);

/**
 * A tenant with keys, and the SQL that adds them; repeating it changes nothing.
 * @param {string} tenantName
 * @param {{name: string, mode: "test" | "live", scopes?: readonly string[]}[]} wanted every scope by default
 * @returns {{keys: string[], sql: string}} the keys' texts, which stand nowhere else
 */
export function makeTenant(tenantName, wanted) {
  const now = Date.now();
  const tenant = newId("ten");
  const made = wanted.map((key) => ({ ...key, ...makeKey(key.mode) }));
  const rows = made.map(({ name, mode, hash, hint, scopes = SCOPES }) =>
    [newId("key"), tenant, name, mode, hash, hint, JSON.stringify(scopes), now].map(sql).join(", "),
  );
  return {
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
