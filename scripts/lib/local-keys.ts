import { hash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { makeTenant } from "./keys.ts";

/**
 * Secrets and keys of a state folder, stored in a file that only its owner can read. `seed` is the SQL that inserts the keys' tenant;
 * `prepared` is the hash of the migrations of a folder of `npm run dev`.
 */
export type LocalKeys = { secret: string; test_key: string; live_key: string; seed: string; prepared?: string };

export const LOCAL_KEYS: Parameters<typeof makeTenant>[1] = [
  { name: "local test key", mode: "test", scopes: ["runs:read", "runs:write"] },
  { name: "local live key", mode: "live" },
];

/** Writes a file atomically, for its owner only. */
export function writeAtomically(path: string, text: string) {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/**
 * Reads the keys of a state folder, and makes them when there are none.
 * @param seed SQL that adds more tenants; used only when the keys are made
 */
export function keysOfState(file: string, seed = ""): LocalKeys {
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const { keys, sql } = makeTenant("local", LOCAL_KEYS);
  const [test_key = "", live_key = ""] = keys;
  const made = { secret: randomBytes(32).toString("base64url"), test_key, live_key, seed: sql + seed };
  writeAtomically(file, JSON.stringify(made, null, 2));
  return made;
}

/** The migration that inserts the keys of a folder: its name and its SQL. */
export function keysMigration({ seed }: { seed: string }): [string, string] {
  const version = hash("sha256", seed).slice(0, 12);
  return [`9999_keys_${version}.sql`, seed];
}
