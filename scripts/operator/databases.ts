import type { Named } from "../lib/database.ts";
import { sqlValue } from "../lib/sql.ts";

/**
 * The databases that have a tenant's row. While the tenant is being moved it may be in two: the one that it leaves names the other.
 * @param id of the tenant
 */
async function placesOf(databases: Named[], id: string): Promise<(Named & { moving_to: string | null })[]> {
  const places: (Named & { moving_to: string | null })[] = [];
  for (const database of databases) {
    const [row] = await database.db.query(`SELECT moving_to FROM tenants WHERE id = ${sqlValue(id)}`);
    if (row) places.push({ ...database, moving_to: row.moving_to });
  }
  return places;
}

/**
 * The database that serves a tenant.
 * @returns null: no database has it
 */
export async function databaseOfTenant(databases: Named[], id: string): Promise<Named | null> {
  const places = await placesOf(databases, id);
  return places.find(({ moving_to }) => moving_to === null) ?? places[0] ?? null;
}

/**
 * The database that a tenant leaves when it is moved to another one, or has left but for its rows.
 * @returns null: it is in the target, and nowhere else
 * @throws Error when it is being moved to a third one: only the move that was begun knows which rows are the right ones
 */
export async function sourceOfMove(databases: Named[], id: string, target: Named): Promise<Named | null> {
  const places = await placesOf(databases, id);
  const begun = places.find(({ moving_to }) => moving_to !== null);
  if (begun && begun.moving_to !== target.name)
    throw new Error(
      `${id} is being moved from ${begun.name} to ${begun.moving_to}: finish that with \`npm run operator -- move-tenant ${id} --to ${begun.moving_to}\` first.`,
    );
  return places.find(({ name }) => name !== target.name) ?? null;
}

/** Bytes that the tenants of a database store. */
export async function storedBytes({ db }: Named): Promise<number> {
  const [row] = await db.query("SELECT COALESCE(SUM(used), 0) AS bytes FROM quota_usage WHERE quota = 'stored_bytes'");
  return row?.bytes;
}

/** The database with the fewest stored bytes. */
export async function emptiest(databases: Named[]) {
  const sizes = await Promise.all(databases.map(storedBytes));
  return databases[sizes.indexOf(Math.min(...sizes))] as Named;
}
