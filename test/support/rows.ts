import { bindings } from "./parley";

/** Columns that name the owner of a row: a tenant, a run, a pool of documents, or a scope of Idempotency-Keys. */
const COLUMNS = ["tenant_id", "run_id", "pool", "scope"] as const;
type Column = (typeof COLUMNS)[number];

/** Owners of rows, by column. */
export type Owners = Partial<Record<Column, readonly (string | number)[]>>;

/** Our tables whose rows have an owner, with the owner's columns. */
export async function ownedTables(): Promise<{ table: string; column: Column }[]> {
  const tables = await bindings.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%STRICT%' ORDER BY name",
  ).all<{ name: string }>();
  const found = await Promise.all(
    tables.results.map(async ({ name: table }) => {
      const { results } = await bindings.DB.prepare(`PRAGMA table_info(${table})`).all<{ name: string }>();
      return COLUMNS.filter((column) => results.some(({ name }) => name === column)).map((column) => ({
        table,
        column,
      }));
    }),
  );
  return found.flat();
}

/** Names of the tables that have rows of these owners. */
export async function tablesWithRowsOf(owners: Owners): Promise<string[]> {
  const found = new Set<string>();
  for (const { table, column } of await ownedTables()) {
    const row = await bindings.DB.prepare(
      `SELECT 1 FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?)) LIMIT 1`,
    )
      .bind(JSON.stringify(owners[column] ?? []))
      .first();
    if (row) found.add(table);
  }
  return [...found].sort();
}
