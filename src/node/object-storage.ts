import type { DatabaseSync, StatementSync } from "node:sqlite";
import { deserialize, serialize } from "node:v8";
import { eachAlone, type Transactions } from "./group-commit";

/** As in D1, the platform's own tables begin with _cf_. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS _cf_object_values (object TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (object, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS _cf_object_alarms (object TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;`;

/** Storage of Durable Objects: keys and alarms in one database, and a separate database for each object that uses SQL. */
export class ObjectDatabase {
  private readonly databases = new Map<string, DatabaseSync>();
  private readonly statements = new Map<string, StatementSync>();

  private readonly transactions: Transactions;

  /** @param open opens the database of an object, by the object's name; with `create` false it gives null for one that does not exist */
  constructor(
    private readonly shared: DatabaseSync,
    private readonly open: (object: string, create: boolean) => DatabaseSync | null,
    private readonly transactionsOf: (database: DatabaseSync) => Transactions = eachAlone,
  ) {
    shared.exec(TABLES);
    this.transactions = transactionsOf(shared);
  }

  /** @returns the number of rows that were changed */
  private write(sql: string, ...values: (string | number | Uint8Array)[]): number {
    return this.transactions.single(() => Number(this.statement(sql).run(...values).changes));
  }

  private statement(sql: string): StatementSync {
    const known = this.statements.get(sql) ?? this.shared.prepare(sql);
    this.statements.set(sql, known);
    return known;
  }

  /** The objects with an alarm. @returns name and time, in milliseconds since the epoch */
  alarms(): { object: string; at: number }[] {
    return this.statement("SELECT object, at FROM _cf_object_alarms ORDER BY object").all() as never;
  }

  alarm(object: string): number | null {
    const row = this.statement("SELECT at FROM _cf_object_alarms WHERE object = ?").get(object);
    return row ? (row.at as number) : null;
  }

  setAlarm(object: string, at: number): void {
    this.write("INSERT OR REPLACE INTO _cf_object_alarms VALUES (?, ?)", object, Math.trunc(at));
  }

  deleteAlarm(object: string): void {
    this.write("DELETE FROM _cf_object_alarms WHERE object = ?", object);
  }

  get(object: string, key: string): unknown {
    const row = this.statement("SELECT value FROM _cf_object_values WHERE object = ? AND key = ?").get(object, key);
    return row && deserialize(row.value as Uint8Array);
  }

  put(object: string, key: string, value: unknown): void {
    this.write("INSERT OR REPLACE INTO _cf_object_values VALUES (?, ?, ?)", object, key, serialize(value));
  }

  delete(object: string, key: string): boolean {
    return this.write("DELETE FROM _cf_object_values WHERE object = ? AND key = ?", object, key) > 0;
  }

  deleteAll(object: string): void {
    this.write("DELETE FROM _cf_object_values WHERE object = ?", object);
    const sql = this.databases.get(object) ?? this.open(object, false);
    if (!sql) return;
    this.databases.set(object, sql);
    const tables = sql
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all();
    for (const { name } of tables) this.transactionsOf(sql).single(() => sql.exec(`DROP TABLE "${name}"`));
  }

  /** The database of an object, which is made when it is missing. */
  sql(object: string): DatabaseSync {
    const database = this.databases.get(object) ?? this.open(object, true)!;
    this.databases.set(object, database);
    return database;
  }

  /** Executes one statement on the database of an object and returns its rows, or a script of several. */
  query(object: string, sql: string, values: never[]): object[] {
    const database = this.sql(object);
    const execute = () => query(database, sql, values);
    return /^\s*SELECT\b/i.test(sql) ? execute() : this.transactionsOf(database).single(execute);
  }
}

/** The alarm functions of a Durable Object; times are those of `getAlarm`. */
export interface Alarms {
  get(): number | null;
  set(at: number): void;
  delete(): void;
}

/**
 * `ctx.storage` of one object: the part that Parley uses. As in an object that is stored in SQLite, each operation takes effect when it is
 * called, so that nothing else happens in the object while it is awaited.
 */
export function storageOf(object: string, stored: ObjectDatabase, alarms: Alarms): DurableObjectStorage {
  const kv = {
    get: (key: string) => stored.get(object, key),
    put: (key: string, value: unknown) => stored.put(object, key, value),
    delete: (key: string) => stored.delete(object, key),
  };
  return {
    kv,
    get: async (key: string) => kv.get(key),
    put: async (key: string, value: unknown) => kv.put(key, value),
    delete: async (key: string) => kv.delete(key),
    deleteAll: async () => {
      stored.deleteAll(object);
      alarms.delete();
    },
    getAlarm: async () => alarms.get(),
    setAlarm: async (at: number | Date) => alarms.set(Number(at)),
    deleteAlarm: async () => alarms.delete(),
    sql: {
      exec(sql: string, ...values: never[]) {
        const rows = stored.query(object, sql, values);
        return { toArray: () => rows, one: () => rows[0], [Symbol.iterator]: () => rows.values() };
      },
    },
  } as unknown as DurableObjectStorage;
}

/** Executes one statement and returns its rows, or a script of several. */
function query(database: DatabaseSync, sql: string, values: never[]): object[] {
  const isScript = sql.trim().replace(/;$/, "").includes(";");
  if (!isScript)
    return database
      .prepare(sql)
      .all(...values)
      .map((row) => ({ ...row }));
  database.exec(sql);
  return [];
}
