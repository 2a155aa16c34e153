import type { Page } from "#core/page";

/** Bytes of the texts of a page's rows; a page ends early instead of exceeding them, except with its first row. */
export const PAGE_BYTES = 1024 * 1024;

interface Listing {
  table: string;
  /** SQL of the columns; the table is `t`. */
  columns?: string;
  /** Columns whose texts may be long. */
  long: readonly string[];
  /** SQL condition, with numbered parameters. */
  where: string;
  values: readonly unknown[];
}

/** Rows by `id`, newest first, at most `limit` and `PAGE_BYTES`. Columns that are not chosen are not loaded. */
export async function boundedPage<Row extends { id: string }>(
  db: D1Database,
  { table, columns = "t.*", long, where, values }: Listing,
  limit: number,
): Promise<Page<Row>> {
  const bytes = long.map((column) => `COALESCE(length(CAST(${column} AS BLOB)), 0)`).join(" + ");
  const { results } = await db
    .prepare(
      `SELECT ${columns}, page.found FROM (
         SELECT id, COUNT(*) OVER () AS found, ROW_NUMBER() OVER newest AS place, SUM(bytes) OVER newest AS upto FROM (
           SELECT id, ${bytes} AS bytes FROM ${table} WHERE ${where} ORDER BY id DESC LIMIT ?)
         WINDOW newest AS (ORDER BY id DESC)
       ) page JOIN ${table} t ON t.id = page.id WHERE page.place <= ? AND (page.place = 1 OR page.upto <= ?) ORDER BY t.id DESC`,
    )
    .bind(...values, limit + 1, limit, PAGE_BYTES)
    .all<Row & { found: number }>();
  const more = results.length < (results[0]?.found ?? 0);
  const rows = results.map(({ found: _, ...row }) => row as unknown as Row);
  return { rows, next: more ? rows.at(-1)!.id : null };
}
