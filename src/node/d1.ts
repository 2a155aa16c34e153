import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { eachAlone, type Transactions } from "./group-commit";
import type { Host } from "./host";
import { DamagedDatabaseError, namingDamage, resultCode } from "./sqlite-errors";

type Value = string | number | null | Uint8Array;

interface Known {
  /** Gives rows as arrays. */
  statement: StatementSync;
  /** Names of the columns; none: the statement gives no rows. */
  columns: string[];
  writes: boolean;
}

/** Prepared statements that one database keeps. */
const MAX_STATEMENTS = 2000;

/** A process that starts again over the same database finds its prepared statements. */
const engines = new WeakMap<DatabaseSync, Engine>();

/**
 * Opens D1's interface to a SQLite database. Foreign keys are checked, and a batch is one transaction.
 * @param onDamage is called with each error of a damaged file
 */
export function openD1(
  database: DatabaseSync,
  host: Host,
  transactions = eachAlone(database),
  onDamage: (error: Error) => void = () => {},
): D1Database {
  const engine = engines.get(database) ?? new Engine(database, transactions, onDamage);
  engines.set(database, engine);
  const perform = (statements: readonly Prepared[]) => statements.map((statement) => engine.execute(statement));
  const send = <T>(statements: readonly Prepared[], fn: () => T): Promise<T> => {
    const writes = statements.some(({ sql }) => engine.writes(sql));
    return host.call({ to: "d1", what: statements.map(({ sql }) => sql).join("; "), writes }, fn);
  };
  const one = (statement: Prepared) => send([statement], () => engine.executeOne(statement));

  class Prepared {
    constructor(
      readonly sql: string,
      readonly values: readonly Value[] = [],
    ) {}

    bind(...values: unknown[]): Prepared {
      return new Prepared(this.sql, values.map(bindable));
    }

    all = () => one(this);
    run = () => one(this);

    async first(column?: string): Promise<unknown> {
      const [row] = (await one(this)).results as Record<string, unknown>[];
      if (row === undefined) return null;
      if (column === undefined) return row;
      if (!(column in row)) throw new Error("D1_ERROR: Column not found");
      return row[column];
    }

    async raw(options?: { columnNames?: boolean }): Promise<unknown[]> {
      const { results } = await one(this);
      const rows = results.map((row) => Object.values(row as object));
      return options?.columnNames ? [Object.keys((results[0] as object) ?? {}), ...rows] : rows;
    }
  }

  return {
    prepare: (sql: string) => new Prepared(sql),
    batch: (statements: readonly Prepared[]) =>
      send(statements, () => {
        const isRead = !statements.some(({ sql }) => engine.writes(sql));
        return isRead ? perform(statements) : engine.inTransaction(() => perform(statements));
      }),
    exec: (sql: string) => send([new Prepared(sql)], () => engine.executeScript(sql)),
  } as unknown as D1Database;
}

class Engine {
  private readonly known = new Map<string, Known>();
  /** The changes of this connection that statements have reported. */
  private counted = 0;

  constructor(
    private readonly database: DatabaseSync,
    private readonly transactions: Transactions,
    private readonly onDamage: (error: Error) => void,
  ) {}

  /** True also for SQL that SQLite refuses: the call fails when it is made. */
  writes(sql: string): boolean {
    try {
      return this.prepare(sql).writes;
    } catch {
      return true;
    }
  }

  /** @throws Error with D1's text */
  execute({ sql, values }: { sql: string; values: readonly Value[] }): {
    success: true;
    results: unknown[];
    meta: Record<string, unknown>;
  } {
    try {
      const { statement, columns, writes } = this.prepare(sql);
      const given = values as SQLInputValue[];
      const results = columns.length
        ? (statement.all(...given) as unknown as unknown[][]).map((row) => plainRow(columns, row))
        : (statement.run(...given), []);
      if (writes && CHANGES_SCHEMA.test(sql)) this.known.clear();
      return { success: true, results, meta: writes ? this.changes() : NO_CHANGES };
    } catch (error) {
      throw this.asD1Error(error);
    }
  }

  /** Executes a statement that is no part of a batch. @throws Error with D1's text */
  executeOne(statement: { sql: string; values: readonly Value[] }) {
    if (!this.writes(statement.sql)) return this.execute(statement);
    try {
      return this.transactions.single(() => {
        this.changes();
        return this.execute(statement);
      });
    } catch (error) {
      throw this.asD1Error(error);
    }
  }

  /** @throws Error with D1's text; then nothing is changed */
  inTransaction<T>(work: () => T): T {
    try {
      return this.transactions.perform(() => {
        this.changes(); // others may have written on this connection meanwhile
        return work();
      });
    } catch (error) {
      throw this.asD1Error(error);
    }
  }

  executeScript(sql: string): { count: number; duration: number } {
    try {
      this.transactions.single(() => this.database.exec(sql));
      this.known.clear();
      return { count: sql.split(";").filter((part) => part.trim()).length, duration: 0 };
    } catch (error) {
      throw this.asD1Error(error);
    }
  }

  /** What has been changed since it was last asked, by triggers too. */
  private changes(): Record<string, unknown> {
    const { statement } = this.prepare("SELECT total_changes() AS total, last_insert_rowid() AS last_id");
    const [total, last_id] = statement.get() as unknown as [number, number];
    const changes = total - this.counted;
    this.counted = total;
    return { changes, last_row_id: last_id, changed_db: changes > 0 };
  }

  /** An error with D1's text, which ends with the name of SQLite's code. */
  private asD1Error(error: unknown): Error {
    const code = resultCode(error);
    if (code === null) return error as Error;
    const named = namingDamage(this.database, error) as Error;
    if (named instanceof DamagedDatabaseError) this.onDamage(named);
    const message = `${named.message}: SQLITE_${code}`;
    return new Error(`D1_ERROR: ${message}`, { cause: new Error(message) });
  }

  private prepare(sql: string): Known {
    const known = this.known.get(sql);
    if (known) return known;
    if (this.known.size === MAX_STATEMENTS) this.known.clear();
    const statement = this.database.prepare(sql);
    statement.setReturnArrays(true);
    const reads = /^\s*(SELECT|EXPLAIN)\b/i.test(sql) || (/^\s*WITH\b/i.test(sql) && !CHANGES.test(sql));
    const made = { statement, columns: statement.columns().map(({ name }) => name), writes: !reads };
    this.known.set(sql, made);
    return made;
  }
}

const CHANGES = /\b(INSERT|UPDATE|DELETE|REPLACE)\b/i;
/** After such a statement, others may give other columns. */
const CHANGES_SCHEMA = /^\s*(CREATE|ALTER|DROP)\b/i;
const NO_CHANGES = { changes: 0, last_row_id: 0, changed_db: false };

/** @throws Error for a value that D1 does not take */
function bindable(value: unknown): Value {
  if (typeof value === "boolean") return Number(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return Uint8Array.from(value as number[]);
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${String(value)}'`);
}

/** A row as D1 gives it: an ordinary object, with bytes as numbers. */
function plainRow(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [at, name] of columns.entries()) {
    const value = values[at];
    row[name] = value instanceof Uint8Array ? [...value] : value;
  }
  return row;
}
