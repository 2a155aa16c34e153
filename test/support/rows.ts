import { bindings } from "./parley";

/** Tables of ours that name a tenant or a run in a column, and that column. */
export async function tablesOfTenants(): Promise<{ table: string; column: "tenant_id" | "run_id" }[]> {
  const tables = await bindings.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%STRICT%' ORDER BY name",
  ).all<{ name: string }>();
  const found = await Promise.all(
    tables.results.map(async ({ name: table }) => {
      const { results } = await bindings.DB.prepare(`PRAGMA table_info(${table})`).all<{ name: string }>();
      const columns = results.map(({ name }) => name);
      return (["tenant_id", "run_id"] as const).flatMap((column) =>
        columns.includes(column) ? { table, column } : [],
      );
    }),
  );
  return found.flat();
}

/** Names of the tables that hold something of a tenant or of one of these runs. */
export async function tablesWithRowsOf(tenant: string, runs: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const { table, column } of await tablesOfTenants()) {
    const ids = column === "tenant_id" ? [tenant] : runs;
    const row = await bindings.DB.prepare(
      `SELECT 1 FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?)) LIMIT 1`,
    )
      .bind(JSON.stringify(ids))
      .first();
    if (row) found.add(table);
  }
  return [...found].sort();
}
