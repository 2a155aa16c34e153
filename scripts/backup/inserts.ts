// SQL and not src/store: it writes rows as they are, of every table, with the limits of `wrangler d1 execute`.
import type { Database, Row } from "../lib/database.ts";

/** Longest statement of D1 is 100,000 bytes. Statements and values stay below it. Bytes. */
const MAX_STATEMENT_BYTES = 90_000;
/** A statement of SQL's text that is sent at once. Characters. */
const MAX_FILE_BYTES = 4_000_000;
/** Rows of one statement. */
const MAX_ROWS = 100;
/** Code units of one part of a text: at most three bytes each, and two digits a byte. */
const PART = 14_000;
/** Texts with shorter literals stay in their row. Bytes. */
const SHORT = 500;

export interface Column {
  name: string;
  isBlob?: boolean;
}

/** Name of the table of parts while a backup is restored. */
export const RESTORED_PARTS = "restored_pieces";

/** Makes the table that holds the parts of texts that no statement can hold in one. */
export const partsTable = (name: string = RESTORED_PARTS) =>
  `CREATE TABLE ${name} (value INTEGER NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (value, part)) STRICT;\n`;

/** A value as a literal of SQL. A text with a NUL, at which SQLite ends a statement, is written as its bytes. */
function literal(value: string | number | null, isBlob: boolean | undefined) {
  if (value === null) return "NULL";
  if (isBlob) return `X'${value}'`;
  if (typeof value === "number") return String(value);
  return value.includes("\0")
    ? `CAST(X'${Buffer.from(value).toString("hex")}' AS TEXT)`
    : `'${value.replaceAll("'", "''")}'`;
}

/** A text in parts, which split no character. */
function partsOf(text: string) {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + PART);
    if (to < text.length && text.charCodeAt(to - 1) >> 10 === 0xd800 >> 10) to--;
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}

/** Inserts rows into tables, with as few statements and files as the limits of D1 allow. */
export class Inserter {
  /** Literals of the rows of the next statement. */
  rows: string[] = [];
  size = 0;
  head = "";
  values = 0;
  readonly db: Database;
  statements: string;
  readonly parts: string;

  /**
   * @param statements that come first
   * @param parts the table of parts, which these statements or earlier ones make
   */
  constructor(db: Database, statements: string, parts: string = RESTORED_PARTS) {
    this.db = db;
    this.statements = statements;
    this.parts = parts;
  }

  async add(table: string, columns: Column[], row: Row) {
    const head = `INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join(", ")}) VALUES\n`;
    const text = `(${this.literals(columns, row).join(", ")})`;
    const size = Buffer.byteLength(text);
    if (head !== this.head || this.rows.length === MAX_ROWS || this.size + size > MAX_STATEMENT_BYTES)
      this.endStatement(head);
    this.rows.push(text);
    this.size += size + 2;
    if (this.statements.length > MAX_FILE_BYTES) await this.send();
  }

  /** Literals of a row that together fit into a statement: the longest texts are inserted in parts before, and read from there. */
  literals(columns: Column[], row: Row) {
    const literals = columns.map(({ name, isBlob }) => literal(row[name] ?? null, isBlob));
    const sizes = literals.map((text) => Buffer.byteLength(text));
    const total = () => sizes.reduce((sum, size) => sum + size + 2, 0);
    while (total() > MAX_STATEMENT_BYTES / 2) {
      const longest = sizes.indexOf(Math.max(...sizes));
      const { name, isBlob } = columns[longest] ?? { name: "" };
      if (typeof row[name] !== "string" || isBlob || (sizes[longest] ?? 0) <= SHORT) break;
      const read = this.addParts(row[name]);
      literals[longest] = read;
      sizes[longest] = read.length;
    }
    return literals;
  }

  addParts(text: string) {
    const value = this.values++;
    this.endStatement("");
    for (const [at, part] of partsOf(text).entries())
      this.statements += `INSERT INTO ${this.parts} VALUES (${value}, ${at}, ${literal(part, false)});\n`;
    return `(SELECT group_concat(text, '' ORDER BY part) FROM ${this.parts} WHERE value = ${value})`;
  }

  endStatement(head: string) {
    if (this.rows.length > 0) this.statements += `${this.head}${this.rows.join(",\n")};\n`;
    this.rows = [];
    this.size = head.length;
    this.head = head;
  }

  async send() {
    this.endStatement("");
    if (this.statements) await this.db.execute(this.statements);
    this.statements = "";
  }
}
