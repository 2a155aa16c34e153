import { hash, randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { makeTenant } from "./keys.ts";

/**
 * Secrets and keys of a state folder, stored in a file that only its owner can read. `seed` is the SQL that inserts the keys' tenant;
 * `prepared` is the hash of the migrations of a folder of `npm run dev`.
 */
export type LocalKeys = {
  secret: string;
  test_key: string;
  live_key: string;
  seed: string;
  prepared?: string;
  /** The variables of secrets that the last start was given, after a rotation for example; `secret` is PARLEY_SECRET without them. */
  secrets?: Record<string, string>;
};

export const LOCAL_KEYS: Parameters<typeof makeTenant>[1] = [
  { name: "local test key", mode: "test", scopes: ["runs:read", "runs:write"] },
  { name: "local live key", mode: "live" },
];

/** Writes a file atomically, for its owner only: after a power failure it is the old one or the new one, and whole. */
export function writeAtomically(path: string, text: string) {
  const file = openSync(`${path}.new`, "w", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Reads the keys of a state folder, and makes them when there are none.
 * @param seed SQL that adds more tenants; used only when the keys are made
 */
export function keysOfState(file: string, seed = ""): LocalKeys {
  if (existsSync(file)) return readKeys(file);
  const { keys, sql } = makeTenant("local", LOCAL_KEYS);
  const [test_key = "", live_key = ""] = keys;
  const made = { secret: randomBytes(32).toString("base64url"), test_key, live_key, seed: sql + seed };
  writeAtomically(file, JSON.stringify(made, null, 2));
  return made;
}

/** @throws Error with the remedy when the file is not what `keysOfState` wrote */
function readKeys(file: string): LocalKeys {
  try {
    const keys = JSON.parse(readFileSync(file, "utf8")) ?? {};
    const fields = [keys.secret, keys.test_key, keys.live_key, keys.seed];
    if (fields.every((field) => typeof field === "string")) return keys;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Error(
    `${file} is empty or damaged. Put it back from a backup; if nothing is stored beside it yet, delete it, and the next start makes a new one.`,
  );
}

/** The migration that inserts the keys of a folder: its name and its SQL. */
export function keysMigration({ seed }: { seed: string }): [string, string] {
  const version = hash("sha256", seed).slice(0, 12);
  return [`9999_keys_${version}.sql`, seed];
}

/** Whether a migration is one of keys, of this or another folder. */
export const isKeysMigration = (name: string): boolean => /^9999_keys_[0-9a-f]+\.sql$/.test(name);

/** The variables of the secrets, which a backup must have. */
const SECRETS = ["PARLEY_SECRET", "PARLEY_SECRET_UNTIL", "PARLEY_SECRET_2", "PARLEY_SECRET_2_UNTIL"];

/**
 * The secrets to serve with: those of the environment, else those of the last start. They are recorded in the file, so that a copy of the folder
 * has them after a rotation too.
 */
export function recordSecrets(file: string, keys: LocalKeys, given: Record<string, string>): Record<string, string> {
  const named = SECRETS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  const secrets: Record<string, string> = {
    PARLEY_SECRET: keys.secret,
    ...(named.length > 0 ? Object.fromEntries(named) : keys.secrets),
  };
  const known = { PARLEY_SECRET: keys.secret, ...keys.secrets };
  if (!isDeepStrictEqual(secrets, known)) writeAtomically(file, JSON.stringify({ ...keys, secrets }, null, 2));
  return secrets;
}
