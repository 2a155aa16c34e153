import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONFIG, databaseBindings } from "./bindings.ts";
import { deployment } from "./deployment.ts";
import { sqliteDatabase } from "./sqlite-database.ts";
import { databaseFile, prepareState } from "./state.ts";

/** A row of any table. */
export type Row = Record<string, any>;

/**
 * A database as scripts reach it. They write SQL of their own and do not call src/store, which needs the binding of a Worker: a deployment's
 * database is reached by `wrangler d1 execute` alone, which takes texts without parameters, and executes a file as one transaction.
 */
export interface Database {
  /** rows of one statement */
  query: (sql: string) => Promise<Row[]>;
  /** rows of each statement */
  queryAll: (statements: string[]) => Promise<Row[][]>;
  /** executes statements; their text is in no list of processes */
  execute: (sql: string) => Promise<void>;
  /** removes temporary files */
  release: () => void;
}

/** A database by its binding. */
export interface Named {
  name: string;
  db: Database;
}

/**
 * D1 of the server with this state folder, running or not, with every migration; of `npm run serve`, with those of its last start.
 * @param binding one of `localBindings`
 * @throws Error when no server has used the folder: a new, empty database would look like the server's
 */
export function localDatabase(state: string, binding = "DB"): Database {
  const file = join(state, "parley.sqlite");
  if (existsSync(file) && binding === "DB") return sqliteDatabase(file);
  if (!existsSync(join(state, "dev.json")))
    throw new Error(`No server has stored anything in ${state}: set PARLEY_STATE to the folder of the server.`);
  prepareState(state, "", localBindings(state));
  return sqliteDatabase(databaseFile(state, binding));
}

/** Bindings of the databases of a state folder. `npm run serve` has one. */
export function localBindings(state: string) {
  if (existsSync(join(state, "parley.sqlite"))) return ["DB"];
  const own = join(state, "wrangler.toml");
  return databaseBindings(existsSync(own) ? own : CONFIG);
}

/**
 * D1 of a deployment on Cloudflare.
 * @param environment as `deployment` takes it
 */
export function remoteDatabase(environment: string | undefined, binding = "DB"): Database {
  const target = deployment(environment);
  return databaseOf((args) => target.wrangler(["d1", "execute", binding, "--remote", ...args]), target.release);
}

/**
 * The database that `wrangler d1 execute` reaches.
 * @param execute runs it with these arguments
 */
export function databaseOf(execute: (args: string[]) => Promise<string>, release: () => void): Database {
  const scratch = mkdtempSync(join(tmpdir(), "parley-operator-"));
  const queryAll: Database["queryAll"] = async (statements) =>
    JSON.parse(await execute(["--json", "--command", statements.join(";\n")])).map(
      ({ results }: { results: Row[] }) => results,
    );
  return {
    query: async (sql) => (await queryAll([sql]))[0] ?? [],
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
