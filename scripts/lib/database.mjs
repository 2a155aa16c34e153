import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
 * @returns {Database}
 * @throws Error when no server has used the folder: a new, empty database would look like the server's
 */
export function localDatabase(state) {
  const file = join(state, "parley.sqlite");
  if (existsSync(file)) return sqliteDatabase(file);
  if (!existsSync(join(state, "dev.json")))
    throw new Error(`No server has stored anything in ${state}: set PARLEY_STATE to the folder of the server.`);
  prepareState(state);
  return sqliteDatabase(databaseFile(state));
}

/**
 * D1 of a deployment on Cloudflare.
 * @param {string | undefined} environment as `deployment` takes it
 * @returns {Database}
 */
export function remoteDatabase(environment) {
  const target = deployment(environment);
  return databaseOf((args) => target.wrangler(["d1", "execute", "DB", "--remote", ...args]), target.release);
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
