import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTenant } from "./keys.mjs";
import { ROOT, wrangler } from "./wrangler.mjs";

const MIGRATIONS = join(ROOT, "migrations");

/**
 * What a state folder was made with; stands in its dev.json, for its owner only.
 * @typedef {{secret: string, test_key: string, live_key: string, seed: string, prepared?: string}} Made
 */

/** Writes a file whole or not at all. */
function writeWhole(path, text) {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** @returns {Made} */
function make(more) {
  const { keys, sql } = makeTenant("local", [
    { name: "local test key", mode: "test", scopes: ["runs:read", "runs:write"] },
    { name: "local live key", mode: "live" },
  ]);
  return {
    secret: randomBytes(32).toString("base64url"),
    test_key: keys[0] ?? "",
    live_key: keys[1] ?? "",
    seed: sql + more,
  };
}

/**
 * Makes a state folder ready, or finds that it is: secret, keys, and a database with every migration. A crash anywhere
 * leaves it to be made ready by the next call.
 * @param {string} state
 * @param {string} [seed] SQL that adds more tenants; counts when the folder is made
 * @returns {Promise<Made>}
 */
export async function prepareState(state, seed = "") {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const file = join(state, "dev.json");
  const made = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : make(seed);
  if (!existsSync(file)) writeWhole(file, JSON.stringify(made, null, 2));

  const files = migrationsFor(made);
  const prepared = createHash("sha256").update(JSON.stringify(files)).digest("hex");
  if (made.prepared === prepared && existsSync(join(state, "v3/d1"))) return made;
  await migrate(state, files);
  writeWhole(file, JSON.stringify({ ...made, prepared }, null, 2));
  return made;
}

/**
 * Names and texts of the migrations. The keys come last, as one of the state's own: wrangler takes seconds to start, and
 * so it starts once.
 * @param {Made} made
 * @returns {[string, string][]}
 */
function migrationsFor({ seed }) {
  const names = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const version = createHash("sha256").update(seed).digest("hex").slice(0, 12);
  return [
    ...names.map((name) => /** @type {[string, string]} */ ([name, readFileSync(join(MIGRATIONS, name), "utf8")])),
    [`9999_keys_${version}.sql`, seed],
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
