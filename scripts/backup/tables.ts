import { createHash } from "node:crypto";
import type { Column } from "./inserts.ts";
import type { Database, Row } from "../lib/database.ts";
import { sqlValue } from "../lib/sql.ts";

/** Rows of a table's first page, and the most of later ones. */
const FIRST_PAGE = 50;
const MAX_PAGE_SIZE = 5000;
/** Characters of JSON that a page should have: its number of rows follows the size of those before. */
const PAGE_SIZE = 512 * 1024;
/** Name of the column that pages are ordered by, where a table has rowids. */
const ROWID = "backup_rowid";

/** A table that a backup holds. */
export interface Table {
  name: string;
  columns: Column[];
  /** columns of the primary key of a table without rowids, else null */
  key: string[] | null;
  /** a condition that its rows are read by */
  where?: string;
}

/** Tables of the platform's own. Full-text tables and what belongs to them are virtual and shadow tables. */
const OURS =
  "t.schema = 'main' AND t.type = 'table' AND t.name NOT GLOB 'sqlite_*' AND t.name NOT GLOB '_cf_*' AND t.name NOT GLOB 'moved_*' AND t.name NOT IN ('d1_migrations', 'restored_pieces')";

const TABLES = `SELECT t.name AS "table", t.wr AS without_rowid, c.name AS "column", c.type, c.pk
  FROM pragma_table_list t JOIN sqlite_master m ON m.name = t.name JOIN pragma_table_xinfo(t.name) c
  WHERE ${OURS} AND c.hidden = 0 ORDER BY m.rowid, c.cid`;
/** Local migrations of keys (9999_) are left out. */
const MIGRATIONS = "SELECT name FROM d1_migrations WHERE name NOT GLOB '9999_*' ORDER BY name";
const TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid";

/**
 * What a database is made of: the tables with rows of our own, in the order in which they were created, so that a table comes after those that
 * it refers to; its migrations, and its triggers. Generated columns are left out.
 */
export async function schemaOf(
  db: Database,
): Promise<{ tables: Table[]; migrations: string[]; triggers: { name: string; sql: string }[] }> {
  const [rows = [], migrations = [], triggers = []] = await db.queryAll([TABLES, MIGRATIONS, TRIGGERS]);
  return {
    tables: tablesIn(rows),
    migrations: migrations.map(({ name }) => name),
    triggers: triggers as { name: string; sql: string }[],
  };
}

function tablesIn(rows: Row[]): Table[] {
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => ({
    name,
    columns: columns.map(({ column, type }) => ({ name: column, isBlob: type === "BLOB" })),
    key: columns[0]?.without_rowid
      ? columns
          .filter(({ pk }) => pk > 0)
          .sort((a, b) => a.pk - b.pk)
          .map(({ column }) => column)
      : null,
  }));
}

/** Names of the tables of a database that have rows; a database without migrations has none. */
export async function filledTables(db: Database) {
  const tables = tablesIn(await db.query(TABLES));
  if (tables.length === 0) return [];
  const [row] = await db.query(
    `SELECT ${tables.map(({ name }) => `EXISTS (SELECT 1 FROM ${name}) AS ${name}`).join(", ")}`,
  );
  return tables.map(({ name }) => name).filter((name) => row?.[name]);
}

/** SHA-256 of the rows of each table, as lines of JSON, by the table's name. */
export async function hashesOf(db: Database, tables: Table[]) {
  const hashes = new Map(tables.map(({ name }) => [name, createHash("sha256")]));
  await readTables(db, tables, ({ name }, rows) => {
    for (const row of rows) hashes.get(name)?.update(`${JSON.stringify(row)}\n`);
  });
  return new Map([...hashes].map(([name, hash]) => [name, hash.digest("hex")]));
}

/** A table, and which of its rows come next. */
interface Reader {
  table: Table;
  /** condition */
  after: string;
  limit: number;
}

/**
 * Reads all rows of tables, in rounds: a round reads one page of each table that has more.
 * @param take receives rows in their order; blobs as hexadecimal digits
 */
export async function readTables(
  db: Database,
  tables: Table[],
  take: (table: Table, rows: Row[]) => void | Promise<void>,
) {
  let open: Reader[] = tables.map((table) => ({ table, after: "TRUE", limit: FIRST_PAGE }));
  while (open.length > 0) {
    const pages = await db.queryAll(open.map(pageQuery));
    const unfinished: Reader[] = [];
    for (const [at, reader] of open.entries()) {
      const rows = pages[at] ?? [];
      const last = rows.at(-1);
      if (last && rows.length === reader.limit) unfinished.push(nextPage(reader, rows, last));
      for (const row of rows) delete row[ROWID];
      await take(reader.table, rows);
    }
    open = unfinished;
  }
}

function pageQuery({ table: { name, columns, key, where = "TRUE" }, after, limit }: Reader) {
  const values = columns.map((column) =>
    column.isBlob ? `iif(${column.name} IS NULL, NULL, hex(${column.name})) AS ${column.name}` : `"${column.name}"`,
  );
  const order = key?.join(", ") ?? "rowid";
  return `SELECT ${[...(key ? [] : [`rowid AS ${ROWID}`]), ...values].join(", ")} FROM ${name} WHERE ${where} AND ${after} ORDER BY ${order} LIMIT ${limit}`;
}

function nextPage({ table, limit }: Reader, rows: Row[], last: Row): Reader {
  const { key } = table;
  const names = key?.join(", ") ?? "rowid";
  const values = (key ?? [ROWID]).map((column) => sqlValue(last[column])).join(", ");
  const fitting = Math.floor((rows.length * PAGE_SIZE) / JSON.stringify(rows).length);
  const most = Math.max(1, Math.min(MAX_PAGE_SIZE, limit * 4, fitting));
  return { table, after: `(${names}) > (${values})`, limit: most };
}
