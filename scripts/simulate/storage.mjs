import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ObjectDatabase } from "../../src/node/object-storage.ts";
import { MemoryBlobs } from "../../src/node/r2.ts";
import { WorkflowRecord } from "../../src/node/workflow-record.ts";
import { applied } from "./sabotages.mjs";

/**
 * A D1 database with all migrations and some rows, as bytes that each world begins with.
 * @param {string} folder of the migrations
 * @param {string} seed SQL
 * @param {{file: string, from: string, to: string}[]} edits of sabotages
 */
export function makeTemplate(folder, seed, edits) {
  const database = openDatabase();
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const name of files.sort()) {
    const wanted = edits.filter(({ file }) => basename(file) === name);
    database.exec(wanted.reduce((sql, edit) => applied(sql, edit), readFileSync(join(folder, name), "utf8")));
  }
  database.exec(seed);
  return /** @type {any} */ (database).serialize();
}

/** What is stored in one world: it survives every crash. */
export class Storage {
  blobs = new MemoryBlobs();
  #statements = new Map();

  /** @param {Uint8Array} template */
  constructor(template) {
    this.d1 = openDatabase(template);
    const platform = new DatabaseSync(":memory:");
    this.objects = new ObjectDatabase(platform, (_, create) => (create ? new DatabaseSync(":memory:") : null));
    this.workflows = new WorkflowRecord(platform);
  }

  /** One row of D1, seen from outside the Worker. */
  row(sql, ...values) {
    const statement = this.#statements.get(sql) ?? this.d1.prepare(sql);
    this.#statements.set(sql, statement);
    return statement.get(...values);
  }
}

/** SQLite with the clock and the randomness of the world. @param {Uint8Array} [template] */
function openDatabase(template) {
  const database = new DatabaseSync(":memory:");
  if (template) /** @type {any} */ (database).deserialize(template);
  database.function("unixepoch", { deterministic: true, varargs: true }, (...given) => {
    if (given.length !== 1 || given[0] !== "subsec") throw new Error("Only unixepoch('subsec') is simulated.");
    return Date.now() / 1000;
  });
  database.function("randomblob", (count) => randomBytes(Number(count)));
  return database;
}
