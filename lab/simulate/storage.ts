import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { migrationsOf } from "../../scripts/lib/migrations.ts";
import { ObjectDatabase } from "../../src/node/object-storage.ts";
import { MemoryBlobs } from "../../src/node/r2.ts";
import { WorkflowRecord } from "../../src/node/workflow-record.ts";
import { applied, type Edit } from "./sabotages.ts";

/**
 * A D1 database with all migrations and some rows, as bytes that each world begins with.
 * @param root of the repository
 * @param seed SQL
 * @param edits of sabotages
 */
export function makeTemplate(root: string, seed: string, edits: Edit[]) {
  const database = openDatabase();
  for (const [name, text] of migrationsOf(root)) {
    const wanted = edits.filter(({ file }) => basename(file) === name);
    database.exec(wanted.reduce((sql, edit) => applied(sql, edit), text));
  }
  database.exec(seed);
  return (database as unknown as Serializable).serialize();
}

/** What the types of Node do not have yet. */
interface Serializable {
  serialize(): Uint8Array;
  deserialize(bytes: Uint8Array): void;
}

/** What is stored in one world: it survives every crash. */
export class Storage {
  blobs = new MemoryBlobs();
  #statements = new Map<string, StatementSync>();
  readonly d1: DatabaseSync;
  readonly objects: ObjectDatabase;
  readonly workflows: WorkflowRecord;

  constructor(template: Uint8Array) {
    this.d1 = openDatabase(template);
    const platform = new DatabaseSync(":memory:");
    this.objects = new ObjectDatabase(platform, (_, create) => (create ? new DatabaseSync(":memory:") : null));
    this.workflows = new WorkflowRecord(platform);
  }

  /** One row of D1, seen from outside the Worker. */
  row(sql: string, ...values: SQLInputValue[]) {
    const statement = this.#statements.get(sql) ?? this.d1.prepare(sql);
    this.#statements.set(sql, statement);
    return statement.get(...values);
  }
}

/** SQLite with the clock and the randomness of the world. */
function openDatabase(template?: Uint8Array) {
  const database = new DatabaseSync(":memory:");
  if (template) (database as unknown as Serializable).deserialize(template);
  database.function("unixepoch", { deterministic: true, varargs: true }, (...given) => {
    if (given.length !== 1 || given[0] !== "subsec") throw new Error("Only unixepoch('subsec') is simulated.");
    return Date.now() / 1000;
  });
  database.function("randomblob", (count) => randomBytes(Number(count)));
  return database;
}
