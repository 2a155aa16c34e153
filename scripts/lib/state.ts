import { createHash, hash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { keysMigration, keysOfState, LOCAL_KEYS, type LocalKeys, writeAtomically } from "./local-keys.ts";
import { migrate as applyMigrations, type Migration } from "../../src/node/migrate.ts";
import { databaseBindings, localName } from "./bindings.ts";
import { makeKeys } from "./keys.ts";
import { migrationsOf } from "./migrations.ts";
import { ROOT } from "./wrangler.ts";

/** How long a migration waits for a transaction of a running server. Milliseconds. */
const LOCK_TIMEOUT = 20_000;

/**
 * Makes sure that a state folder has its secret, its keys, and its databases with every migration. It can be repeated after a crash.
 * @param seed SQL that adds more tenants; used only when the folder is created
 * @param bindings of the databases; the keys are in the first
 */
export function prepareState(state: string, seed = "", bindings: string[] = databaseBindings()): LocalKeys {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const file = join(state, "dev.json");
  const devState = keysOfState(file, seed);

  const files = migrationsOf(ROOT);
  const keys = keysMigration(devState);
  const prepared = hash("sha256", JSON.stringify([...files, keys]));
  const isThere = bindings.every((binding) => existsSync(databaseFile(state, binding)));
  if (devState.prepared === prepared && isThere) return devState;
  for (const binding of bindings) migrate(state, binding, binding === "DB" ? [...files, keys] : files);
  writeAtomically(file, JSON.stringify({ ...devState, prepared }, null, 2));
  return devState;
}

/**
 * Makes a state folder for a backup to be restored into: with a secret of its own choice, and no tenant yet.
 * @param secret PARLEY_SECRET of the server that the backup was taken of
 * @param bindings of the databases
 * @throws Error when the folder exists
 */
export function prepareEmptyState(state: string, secret: string, bindings?: string[]) {
  if (existsSync(join(state, "dev.json"))) throw new Error(`${state} is in use. Set PARLEY_STATE to a new folder.`);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const empty = { secret, test_key: "", live_key: "", seed: "SELECT 1;\n" };
  writeAtomically(join(state, "dev.json"), JSON.stringify(empty, null, 2));
  prepareState(state, "", bindings);
}

/**
 * Makes the local keys of a restored state folder.
 * @returns the SQL that inserts them, for its first tenant
 */
export function makeLocalKeys(state: string, tenant: string) {
  const file = join(state, "dev.json");
  const { keys, sql } = makeKeys(tenant, LOCAL_KEYS);
  const [test_key, live_key] = keys;
  writeAtomically(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), test_key, live_key }, null, 2));
  return sql;
}

/** The Durable Object in which Miniflare holds a database of D1. */
const D1 = "miniflare-D1DatabaseObject";

/**
 * The file of a local database of a state folder. Miniflare names it by a keyed hash of the database's id, as workerd makes the id of an
 * object from its name.
 */
export function databaseFile(state: string, binding = "DB") {
  const key = createHash("sha256").update(D1).digest();
  const signed = (data: string | Buffer) => createHmac("sha256", key).update(data).digest().subarray(0, 16);
  const name = signed(localName(binding));
  return join(state, "v3/d1", D1, `${Buffer.concat([name, signed(name)]).toString("hex")}.sqlite`);
}

/** Applies migrations without wrangler, which would take seconds. A running server may have the database open. */
function migrate(state: string, binding: string, files: readonly Migration[]) {
  const folder = join(state, "migrate");
  mkdirSync(folder, { recursive: true });
  const config = { name: "parley", compatibility_date: "2026-10-30" };
  writeFileSync(join(folder, "wrangler.json"), JSON.stringify(config));
  const file = databaseFile(state, binding);
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT });
  try {
    database.exec("PRAGMA journal_mode = WAL");
    applyMigrations(database, files);
  } finally {
    database.close();
  }
}
