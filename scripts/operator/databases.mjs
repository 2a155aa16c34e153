import { databaseBindings } from "../lib/bindings.mjs";
import { localBindings, localDatabase, remoteDatabase } from "../lib/database.mjs";
import { sqlValue } from "../lib/sql.mjs";

/** @typedef {import("./move-tenant.mjs").Named} Named */

/**
 * The databases of a server or of a deployment, `DB` first.
 * @param {{local: boolean, env?: string}} of
 * @returns {Named[]}
 */
export function openDatabases({ local, env }) {
  const state = process.env.PARLEY_STATE || ".parley";
  const names = local ? localBindings(state) : databaseBindings();
  return names.map((name) => ({ name, db: local ? localDatabase(state, name) : remoteDatabase(env, name) }));
}

/**
 * The database that serves a tenant. While the tenant is being moved, its row may be in two: the one that it leaves names the other.
 * @param {Named[]} databases
 * @param {string} id of the tenant
 * @returns {Promise<Named | null>} null: no database has it
 */
export async function databaseOfTenant(databases, id) {
  const found = [];
  for (const database of databases) {
    const [row] = await database.db.query(`SELECT moving_to FROM tenants WHERE id = ${sqlValue(id)}`);
    if (row) found.push({ database, isLeaving: row.moving_to !== null });
  }
  return (found.find(({ isLeaving }) => !isLeaving) ?? found[0])?.database ?? null;
}

/** Bytes that the tenants of a database store. */
export async function storedBytes({ db }) {
  const [{ bytes }] = await db.query(
    "SELECT COALESCE(SUM(used), 0) AS bytes FROM quota_usage WHERE quota = 'stored_bytes'",
  );
  return bytes;
}

/** The database with the fewest stored bytes. */
export async function emptiest(databases) {
  const sizes = await Promise.all(databases.map(storedBytes));
  return databases[sizes.indexOf(Math.min(...sizes))];
}
