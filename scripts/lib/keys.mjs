import { sqlValue } from "./sql.mjs";
import { newId } from "#core/ids";
import { makeKey } from "#services/keys/make-key";
import { SCOPES } from "#core/vocabulary";

/**
 * Makes keys of a tenant, and the SQL that inserts them. The SQL can be executed repeatedly.
 * @param {string} tenant id
 * @param {{name: string, mode: "test" | "live", scopes?: readonly string[]}[]} requests `scopes` defaults to all scopes
 * @returns {{keys: string[], sql: string}} the texts of the keys; the SQL holds only their hashes
 */
export function makeKeys(tenant, requests) {
  const now = Date.now();
  const made = requests.map((request) => ({ ...request, ...makeKey(request.mode) }));
  const rows = made.map(({ name, mode, hash, hint, scopes = SCOPES }) =>
    [newId("key"), tenant, name, mode, hash, hint, JSON.stringify(scopes), now].map(sqlValue).join(", "),
  );
  const columns = "id, tenant_id, name, mode, hash, hint, scopes, created_at";
  return {
    keys: made.map((key) => key.text),
    sql: rows.map((row) => `INSERT OR IGNORE INTO keys (${columns}) VALUES (${row});\n`).join(""),
  };
}

/**
 * Makes a tenant with keys, as `makeKeys`.
 * @param {string} tenantName
 * @param {Parameters<typeof makeKeys>[1]} requests
 */
export function makeTenant(tenantName, requests) {
  const id = newId("ten");
  const { keys, sql } = makeKeys(id, requests);
  const row = [id, tenantName, Date.now()].map(sqlValue).join(", ");
  return { id, keys, sql: `INSERT OR IGNORE INTO tenants (id, name, created_at) VALUES (${row});\n${sql}` };
}
