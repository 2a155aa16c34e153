import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONFIG, databaseBindings } from "./bindings.mjs";
import { deployment } from "./deployment.mjs";
import { sqliteDatabase } from "./sqlite-database.mjs";
import { databaseFile, prepareState } from "./state.mjs";

/**
 * @typedef {object} Database
 * @property {(sql: string) => Promise<Record<string, any>[]>} query rows of one statement
 * @property {(statements: string[]) => Promise<Record<string, any>[][]>} queryAll rows of each statement
 * @property {(sql: string) => Promise<void>} execute executes statements; their text is in no list of processes
 * @property {() => void} release removes temporary files
 */

/**
 * D1 of the server with this state folder, running or not, with every migration; of `npm run serve`, with those of its last start.
 * @param {string} state
 * @param {string} [binding] one of `localBindings`
 * @returns {Database}
 * @throws Error when no server has used the folder: a new, empty database would look like the server's
 */
export function localDatabase(state, binding = "DB") {
  const file = join(state, "parley.sqlite");
  if (existsSync(file) && binding === "DB") return sqliteDatabase(file);
  if (!existsSync(join(state, "dev.json")))
    throw new Error(`No server has stored anything in ${state}: set PARLEY_STATE to the folder of the server.`);
  prepareState(state, "", localBindings(state));
  return sqliteDatabase(databaseFile(state, binding));
}

/** Bindings of the databases of a state folder. `npm run serve` has one. */
export function localBindings(state) {
  if (existsSync(join(state, "parley.sqlite"))) return ["DB"];
  const own = join(state, "wrangler.toml");
  return databaseBindings(existsSync(own) ? own : CONFIG);
}

/**
 * D1 of a deployment on Cloudflare.
 * @param {string | undefined} environment as `deployment` takes it
 * @param {string} [binding]
 * @returns {Database}
 */
export function remoteDatabase(environment, binding = "DB") {
  const target = deployment(environment);
  return databaseOf((args) => target.wrangler(["d1", "execute", binding, "--remote", ...args]), target.release);
}

/**
 * The database that `wrangler d1 execute` reaches.
 * @param {(args: string[]) => Promise<string>} execute runs it with these arguments
 * @param {() => void} release
 * @returns {Database}
 */
export function databaseOf(execute, release) {
  const scratch = mkdtempSync(join(tmpdir(), "parley-operator-"));
  const queryAll = async (statements) =>
    JSON.parse(await execute(["--json", "--command", statements.join(";\n")])).map(({ results }) => results);
  return {
    query: async (sql) => (await queryAll([sql]))[0],
    queryAll,
    async execute(sql) {
      const file = join(scratch, "statements.sql");
      writeFileSync(file, sql, { mode: 0o600 });
      await execute(["--yes", "--file", file]);
    },
    release() {
      release();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
