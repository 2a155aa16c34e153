import { chunksOf } from "#core/chunks";

/** D1's limit of parameters of a statement. */
const MAX_PARAMETERS = 100;

/**
 * Statements that insert rows which are not there yet, with all their columns. Values are parameters: JSON would round numbers and cut texts.
 * @param where SQL of a condition, with the first parameters `values`; the columns of a row have their names in it
 */
export function insertRows(
  db: D1Database,
  table: string,
  rows: readonly object[],
  where: { condition: string; values: readonly unknown[] },
): D1PreparedStatement[] {
  const [first] = rows;
  if (!first) return [];
  const columns = Object.keys(first) as (keyof typeof first)[];
  const names = columns.join(", ");
  const fit = Math.floor((MAX_PARAMETERS - where.values.length) / columns.length);
  return chunksOf(rows, Math.max(1, fit)).map((page) => {
    let at = where.values.length;
    const lists = page.map(() => `(${columns.map(() => `?${++at}`).join(", ")})`);
    return db
      .prepare(
        `INSERT INTO ${table} (${names}) WITH given (${names}) AS (VALUES ${lists.join(", ")})
         SELECT ${names} FROM given WHERE ${where.condition} ON CONFLICT DO NOTHING`,
      )
      .bind(...where.values, ...page.flatMap((row: any) => columns.map((column) => row[column])));
  });
}
