// SQL and not src/store: what it makes is a text for `Database`, and for the migration that inserts the local keys.
import { sqlValue } from "./sql.ts";
import { newId } from "#core/ids";
import { makeKey } from "#services/keys/make-key";
import { SCOPES } from "#core/vocabulary";

/**
 * Makes keys of a tenant, and the SQL that inserts them. The SQL can be executed repeatedly.
 * @param tenant id
 * @param requests `scopes` defaults to all scopes, `workflows` to all workflows; a key without `expires_at` (milliseconds) does not expire
 * @returns the texts of the keys and their ids; the SQL holds only their hashes
 */
export function makeKeys(
  tenant: string,
  requests: {
    name: string;
    mode: "test" | "live";
    scopes?: readonly string[];
    expires_at?: number | null;
    workflows?: readonly string[] | null;
  }[],
): { keys: string[]; ids: string[]; sql: string } {
  const now = Date.now();
  const made = requests.map((request) => ({ ...request, ...makeKey(request.mode), id: newId("key") }));
  const rows = made.map(({ id, name, mode, hash, hint, scopes = SCOPES, expires_at = null, workflows = null }) =>
    [
      id,
      tenant,
      name,
      mode,
      hash,
      hint,
      JSON.stringify(scopes),
      now,
      expires_at,
      workflows && JSON.stringify(workflows),
    ]
      .map(sqlValue)
      .join(", "),
  );
  const columns = "id, tenant_id, name, mode, hash, hint, scopes, created_at, expires_at, workflows";
  return {
    keys: made.map((key) => key.text),
    ids: made.map((key) => key.id),
    sql: rows.map((row) => `INSERT OR IGNORE INTO keys (${columns}) VALUES (${row});\n`).join(""),
  };
}

/** Makes a tenant with keys, as `makeKeys`. */
export function makeTenant(tenantName: string, requests: Parameters<typeof makeKeys>[1]) {
  const id = newId("ten");
  const { keys, ids, sql } = makeKeys(id, requests);
  const row = [id, tenantName, Date.now()].map(sqlValue).join(", ");
  return {
    id,
    keys,
    key_ids: ids,
    sql: `INSERT OR IGNORE INTO tenants (id, name, created_at) VALUES (${row});\n${sql}`,
  };
}
