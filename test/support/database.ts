import { holdWrites, releaseWrites } from "../../scripts/backup/hold.ts";
import { schemaOf } from "../../scripts/backup/tables.ts";
import { isOf, tenantTables } from "../../scripts/operator/tenant-rows.ts";
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Database } from "../../scripts/lib/database.ts";

/** The owner of the rows that the functions below add. */
export const TENANT = "ten_1";

let empty: Uint8Array | undefined;

/** A database in memory with all migrations and nothing else. They are applied once; each database is a copy of the first. */
export function emptyDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  if (empty) database.deserialize(empty);
  else {
    for (const file of readdirSync("migrations").sort()) database.exec(readFileSync(`migrations/${file}`, "utf8"));
    empty = database.serialize();
  }
  return database;
}

/** A database in memory with all migrations and one tenant. */
export function migratedDatabase(): DatabaseSync {
  const database = emptyDatabase();
  database.prepare("INSERT INTO tenants (id, name, created_at) VALUES (?, 'test', 0)").run(TENANT);
  return database;
}

/** A database as the operator's commands use it. */
export function operatorDatabase(database: DatabaseSync): Database {
  database.exec("CREATE TABLE IF NOT EXISTS d1_migrations (name TEXT)");
  const query = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row })) as Record<string, any>[];
  return {
    query: async (sql) => query(sql),
    queryAll: async (statements) => statements.map(query),
    async execute(sql) {
      database.exec("BEGIN IMMEDIATE");
      try {
        database.exec(sql);
        database.exec("COMMIT");
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    },
    release: () => database.close(),
  };
}

export const addEndpoint = (database: DatabaseSync, id: string, secret: string, previous: string | null = null) =>
  database
    .prepare(
      "INSERT INTO webhook_endpoints (id, tenant_id, mode, url, events, secret, previous_secret, created_at, updated_at) VALUES (?, ?, 'live', 'https://example.com', '[]', ?, ?, 0, 0)",
    )
    .run(id, TENANT, secret, previous);

export const addAgent = (database: DatabaseSync, id: string, mcp_servers: unknown) =>
  database
    .prepare(
      `INSERT INTO agents (id, tenant_id, mode, name, name_key, description, capabilities, when_to_use, input, output, instructions, tools,
         mcp_servers, model, created_at, updated_at) VALUES (?, ?, 'live', ?, ?, '', '[]', '', '', '', '', '[]', ?, NULL, 0, 0)`,
    )
    .run(id, TENANT, id, id, JSON.stringify(mcp_servers));

/** Holds the writes of a tenant, as a move to another database does. @param duration milliseconds */
export async function holdTenant(database: DatabaseSync, tenant: string, duration: number) {
  const db = operatorDatabase(database);
  return holdWrites(db, tenantTables((await schemaOf(db)).tables), duration, {
    prefix: holdsOf(tenant),
    conditionOf: (table, row) => isOf(table, tenant, row),
    markOf: (until) => `UPDATE tenants SET held_until = ${until} WHERE id = '${tenant}';`,
  });
}

/** Ends `holdTenant`. */
export const releaseTenant = (database: DatabaseSync, tenant: string): Promise<void> =>
  releaseWrites(
    operatorDatabase(database),
    holdsOf(tenant),
    `UPDATE tenants SET held_until = NULL WHERE id = '${tenant}';`,
  );

const holdsOf = (tenant: string): string => `move_holds_${tenant}_`;
