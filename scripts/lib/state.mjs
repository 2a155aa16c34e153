import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeKeys } from "./keys.mjs";
import { keysMigration, keysOfState, LOCAL_KEYS, writeAtomically } from "./local-keys.mjs";
import { ROOT, wrangler } from "./wrangler.mjs";

const MIGRATIONS = join(ROOT, "migrations");

/**
 * Makes sure that a state folder has its secret, its keys, and a database with every migration. It can be repeated after a crash.
 * @param {string} state
 * @param {string} [seed] SQL that adds more tenants; used only when the folder is created
 * @returns {Promise<import("./local-keys.mjs").LocalKeys>}
 */
export async function prepareState(state, seed = "") {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const file = join(state, "dev.json");
  const devState = keysOfState(file, seed);

  const files = migrationsFor(devState);
  const prepared = createHash("sha256").update(JSON.stringify(files)).digest("hex");
  if (devState.prepared === prepared && existsSync(join(state, "v3/d1"))) return devState;
  await migrate(state, files);
  writeAtomically(file, JSON.stringify({ ...devState, prepared }, null, 2));
  return devState;
}

/**
 * Makes a state folder for a backup to be restored into: with a secret of its own choice, and no tenant yet.
 * @param {string} secret PARLEY_SECRET of the server that the backup was taken of
 * @throws Error when the folder exists
 */
export async function prepareEmptyState(state, secret) {
  if (existsSync(join(state, "dev.json"))) throw new Error(`${state} is in use. Set PARLEY_STATE to a new folder.`);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const empty = { secret, test_key: "", live_key: "", seed: "SELECT 1;\n" };
  writeAtomically(join(state, "dev.json"), JSON.stringify(empty, null, 2));
  await prepareState(state);
}

/** Makes the local keys of a restored state folder. @returns the SQL that inserts them, for its first tenant */
export function makeLocalKeys(state, tenant) {
  const file = join(state, "dev.json");
  const { keys, sql } = makeKeys(tenant, LOCAL_KEYS);
  const [test_key, live_key] = keys;
  writeAtomically(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), test_key, live_key }, null, 2));
  return sql;
}

/**
 * Names and texts of the migrations. The last one inserts the keys of this state, so that wrangler, which takes seconds, starts only once.
 * @param {import("./local-keys.mjs").LocalKeys} devState
 * @returns {[string, string][]}
 */
function migrationsFor(devState) {
  const names = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  return [
    ...names.map((name) => /** @type {[string, string]} */ ([name, readFileSync(join(MIGRATIONS, name), "utf8")])),
    keysMigration(devState),
  ];
}

async function migrate(state, files) {
  const folder = join(state, "migrate");
  mkdirSync(join(folder, "migrations"), { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, "migrations", name), text, { mode: 0o600 });
  const config = join(folder, "wrangler.json");
  const database = { binding: "DB", database_name: "parley", database_id: "parley", migrations_dir: "migrations" };
  writeFileSync(config, JSON.stringify({ name: "parley", compatibility_date: "2026-10-30", d1_databases: [database] }));
  await wrangler(["d1", "migrations", "apply", "parley", "--local", "--persist-to", state, "--config", config]);
}
