import type { Page } from "#core/page";

/** Bytes of the texts of a page's rows; a page ends early instead of exceeding them, except with its first row. */
export const PAGE_BYTES = 1024 * 1024;

interface Listing {
  table: string;
  /** SQL that finds its rows by another table, whose column `from_key` has their keys; by default the table itself. */
  from?: string;
  /** SQL of the columns; the table is `t`. */
  columns?: string;
  /** Columns whose texts may be long. */
  long: readonly string[];
  /** Column with the size of a text that may be in R2, bytes. */
  size?: string;
  /** Column of the table by which rows are ordered, unique among those that fit the condition; by default the id. */
  key?: string;
  /** The same column in `from`, or SQL of a key from which `id_of_key` makes that column. */
  from_key?: string;
  /** SQL of the column of the table, of SQL of the key. */
  id_of_key?: (key: string) => string;
  /** By default descending: newest first. */
  order?: "ASC" | "DESC";
  /** SQL condition, with numbered parameters. */
  where: string;
  values: readonly unknown[];
}

/** Rows by their key, newest first, at most `limit` and `PAGE_BYTES`. Columns that are not chosen are not loaded. */
export async function boundedPage<Row extends object>(
  db: D1Database,
  {
    table,
    from = table,
    columns = "t.*",
    long,
    size,
    key = "id",
    from_key = key,
    id_of_key = (found) => found,
    order = "DESC",
    where,
    values,
  }: Listing,
  limit: number,
): Promise<Page<Row>> {
  const texts = long.map((column) => `COALESCE(length(CAST(${column} AS BLOB)), 0)`);
  const bytes = (size ? [...texts, size] : texts).join(" + ");
  const { results } = await db
    .prepare(
      `SELECT ${columns}, page.at AS page_key, page.found, page.place FROM (
         SELECT at, COUNT(*) OVER () AS found, ROW_NUMBER() OVER ordered AS place, SUM(bytes) OVER ordered AS upto FROM (
           SELECT ${from_key} AS at, ${bytes} AS bytes FROM ${from} WHERE ${where} ORDER BY ${from_key} ${order} LIMIT ?)
         WINDOW ordered AS (ORDER BY at ${order})
       ) page JOIN ${table} t ON t.${key} = ${id_of_key("page.at")} WHERE page.place <= ? AND (page.place = 1 OR page.upto <= ?)`,
    )
    .bind(...values, limit + 1, limit, PAGE_BYTES)
    .all<Row & { page_key: unknown; found: number; place: number }>();
  results.sort((a, b) => a.place - b.place); // SQLite would copy the long texts into a sorter
  const more = results.length < (results[0]?.found ?? 0);
  const rows = results.map(({ found: _, place: __, page_key: ___, ...row }) => row as unknown as Row);
  return { rows, next: more ? String(results.at(-1)!.page_key) : null };
}
