import type { Named } from "../lib/database.ts";

/**
 * Reads several databases, one after the other, so that each tenant is read once: its rows are in one of them, unless it is moved meanwhile.
 * @throws Error when a tenant is being moved, or was moved meanwhile: what was read may hold it twice or not at all
 */
export async function withoutMoves<T extends Named>(databases: T[], read: (database: T) => Promise<void>) {
  const before = await placesOf(databases);
  for (const database of databases) await read(database);
  const after = await placesOf(databases);
  for (const [tenant, name] of before)
    if (after.has(tenant) && after.get(tenant) !== name)
      throw new Error(
        `${tenant} was moved from ${name} to ${after.get(tenant)} during the backup, which may hold it twice or not at all: delete it, and make another.`,
      );
}

/**
 * The database of each tenant.
 * @throws Error while one is being moved
 */
async function placesOf(databases: Named[]) {
  const places = new Map<string, string>();
  for (const { name, db } of databases) {
    for (const { id, moving_to } of await db.query("SELECT id, moving_to FROM tenants")) {
      if (moving_to !== null)
        throw new Error(
          `${id} is being moved from ${name} to ${moving_to}: finish that with \`npm run operator -- move-tenant ${id} --to ${moving_to}\`, and make another backup.`,
        );
      places.set(id, name);
    }
  }
  return places;
}
