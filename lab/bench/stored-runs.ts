// SQL and not src/store: the store has no verb that makes twenty thousand runs in a second. What is measured goes through the store.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { firstIdAt } from "../../src/core/ids.ts";
import type { Store } from "../../src/store/store.ts";
import type { Row } from "../../scripts/lib/database.ts";
import { ROOT } from "../../scripts/lib/wrangler.ts";

export const OWNER = { tenant_id: "ten_00000000000000000000000001", mode: "test" } as const;
/** Runs that filters look for, the oldest of all, whatever their number. */
export const RARE = 20;
/** Time between the creations of two runs. Milliseconds. */
export const STEP = 1000;
const HISTORY = join(ROOT, "test/fixtures/histories/requirements-v1.json");

/** The Worker's own store over a SQLite file and objects in another, with the functions to open them. */
export async function openStore(folder: string) {
  const outfile = join(ROOT, "dist/bench/store.mjs");
  mkdirSync(join(ROOT, "dist/bench"), { recursive: true });
  await build({
    stdin: {
      contents: `export { Store } from "./src/store/store.ts"; export { openD1 } from "./src/node/d1.ts";
        export { openR2 } from "./src/node/r2.ts"; export { directHost } from "./src/node/host.ts"; export { firstIdAt } from "./src/core/ids.ts";`,
      resolveDir: ROOT,
      loader: "ts",
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    logLevel: "warning",
  });
  const Bundled = await import(pathToFileURL(outfile).href);
  const sqlite = new DatabaseSync(join(folder, "d1.sqlite"));
  // Durability is not what is measured here.
  sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  for (const name of readdirSync(join(ROOT, "migrations")).sort())
    sqlite.exec(readFileSync(join(ROOT, "migrations", name), "utf8"));
  const blobs = new SqliteBlobs(join(folder, "objects.sqlite"));
  const store: Store = new Bundled.Store(
    Bundled.openD1(sqlite, Bundled.directHost),
    Bundled.openR2(blobs, Bundled.directHost),
  );
  return { store, sqlite, blobs, firstIdAt: Bundled.firstIdAt as typeof firstIdAt };
}

/** Objects in a SQLite file, as `Blobs` of src/node; the store uploads none of a recorded run in parts. */
class SqliteBlobs {
  readonly database: DatabaseSync;
  readonly statements: Record<"size" | "read" | "put" | "delete" | "keys", StatementSync>;

  constructor(file: string) {
    this.database = new DatabaseSync(file);
    this.database.exec(
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE blobs (key TEXT PRIMARY KEY, bytes BLOB) WITHOUT ROWID",
    );
    this.statements = {
      size: this.database.prepare("SELECT length(bytes) AS bytes FROM blobs WHERE key = ?"),
      // From a start that counts from 1, so many bytes.
      read: this.database.prepare("SELECT substr(bytes, ?, ?) AS bytes FROM blobs WHERE key = ?"),
      put: this.database.prepare("INSERT OR REPLACE INTO blobs VALUES (?, ?)"),
      delete: this.database.prepare("DELETE FROM blobs WHERE key = ?"),
      keys: this.database.prepare("SELECT key FROM blobs WHERE substr(key, 1, length(?)) = ?"),
    };
  }
  size = (key: string) => this.statements.size.get(key)?.bytes as number | undefined;
  read = (key: string, offset = 0, length = this.size(key)) =>
    this.statements.read.get(offset + 1, length ?? 0, key)?.bytes as Uint8Array | undefined;
  put = (key: string, bytes: Uint8Array) => void this.statements.put.run(key, bytes);
  delete = (key: string) => void this.statements.delete.run(key);
  *keys(prefix: string) {
    for (const { key } of this.statements.keys.iterate(prefix, prefix)) yield String(key);
  }
  /** Bytes of all objects. */
  total = () => Number(this.database.prepare("SELECT SUM(length(bytes)) AS bytes FROM blobs").get()?.bytes ?? 0);
}

const columnsOf = (sqlite: DatabaseSync, table: string) =>
  sqlite
    .prepare(`SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0`)
    .all(table)
    .map(({ name }) => String(name));

function insert(sqlite: DatabaseSync, table: string, row: Row) {
  const names = columnsOf(sqlite, table).filter((name) => name in row);
  sqlite
    .prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`)
    .run(...names.map((name) => row[name]));
}

/** One completed run of `requirements`, as it was recorded; the triggers write its events. Returns its id. */
function insertRecordedRun(sqlite: DatabaseSync): string {
  const { run, artifacts, interactions } = JSON.parse(readFileSync(HISTORY, "utf8"));
  const { tenant_id } = OWNER;
  sqlite.prepare("INSERT INTO tenants (id, name, created_at) VALUES (?, 'bench', 0)").run(tenant_id);
  insert(sqlite, "runs", {
    ...run,
    ...OWNER,
    phase: "running",
    output: null,
    stored_bytes: 0,
    asks_about: "[]",
    open_interactions: 0,
  });
  for (const [stage, of] of Map.groupBy(artifacts as Row[], (row) => row.stage)) {
    insert(sqlite, "stages", { run_id: run.id, stage, iteration: 1, generation: 1, started_at: of[0]?.created_at });
    for (const row of of) insert(sqlite, "artifacts", row);
    for (const row of (interactions as Row[]).filter((one) => one.stage === stage)) {
      insert(sqlite, "interactions", { ...row, ...OWNER, status: "open", answer: null, settled_at: null });
      const { answer, settled_at, acknowledged, id } = row;
      sqlite
        .prepare(
          "UPDATE interactions SET status = 'answered', answer = ?, settled_at = ?, acknowledged = ? WHERE id = ?",
        )
        .run(answer, settled_at, acknowledged, id);
    }
    sqlite.prepare("UPDATE stages SET completed_at = ? WHERE stage = ?").run(of.at(-1)?.created_at, stage);
  }
  sqlite
    .prepare("UPDATE runs SET phase = 'completed', output = ?, finished_at = ? WHERE id = ?")
    .run(run.output, run.finished_at, run.id);
  sqlite.exec("DELETE FROM run_ends");
  return run.id;
}

/**
 * Fills a database with copies of one recorded run, in one tenant, a second apart. The oldest are of another workflow, failed, and have metadata
 * of their own. The triggers are away meanwhile, and what they would have counted is counted afterwards.
 */
export function fill(sqlite: DatabaseSync, idAt: typeof firstIdAt, count: number, begin: number) {
  const recorded = insertRecordedRun(sqlite);
  sqlite.function("first_id_at", { deterministic: true }, (prefix, time) =>
    idAt(String(prefix) as Parameters<typeof firstIdAt>[0], Number(time)),
  );
  const triggers = sqlite.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${name}`);
  const id = (prefix: string, part: number | string) =>
    `first_id_at('${prefix}', ${begin} + n * ${STEP}) || printf('%06d%010d', ${part}, n)`;
  const isRare = `n < ${RARE}`;
  const changed: Record<string, Record<string, string>> = {
    runs: {
      id: id("run", 0),
      created_at: `${begin} + n * ${STEP}`,
      finished_at: `${begin} + n * ${STEP} + 900`,
      workflow: `iif(${isRare}, 'debate', workflow)`,
      phase: `iif(${isRare}, 'failed', phase)`,
      error: `iif(${isRare}, '{"code":"internal_error","detail":"It failed."}', error)`,
      metadata: `iif(${isRare}, '{"project":"rare"}', '{"project":"p' || (n % 100) || '"}')`,
    },
    stages: { run_id: id("run", 0) },
    artifacts: { id: id("art", "place"), run_id: id("run", 0) },
    events: { id: id("evt", "place"), run_id: id("run", 0) },
    interactions: { id: id("int", "place"), run_id: id("run", 0) },
  };
  sqlite.exec("BEGIN");
  for (const [table, values] of Object.entries(changed)) {
    const columns = columnsOf(sqlite, table);
    const key = table === "runs" ? "id" : "run_id";
    sqlite.exec(
      `INSERT INTO ${table} (${columns}) WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${count}),
         source AS MATERIALIZED (SELECT *, ROW_NUMBER() OVER () AS place FROM ${table} WHERE ${key} = '${recorded}')
       SELECT ${columns.map((name) => values[name] ?? name)} FROM numbers CROSS JOIN source`,
    );
  }
  for (const [table, values] of Object.entries(changed))
    sqlite.exec(`DELETE FROM ${table} WHERE ${"run_id" in values ? "run_id" : "id"} = '${recorded}'`);
  sqlite.exec(`
    DELETE FROM ended_runs;
    INSERT INTO ended_runs SELECT tenant_id, mode, workflow, phase, COUNT(*), SUM(llm_calls), SUM(input_tokens), SUM(cached_input_tokens),
      SUM(output_tokens), COUNT(cost_usd), 0 FROM runs GROUP BY tenant_id, mode, workflow, phase;
    DELETE FROM run_metadata;
    INSERT INTO run_metadata SELECT tenant_id, mode, key, value, runs.id FROM runs, json_each(runs.metadata);`);
  for (const { sql } of triggers) sqlite.exec(sql);
  sqlite.exec("COMMIT");
}

/** Bytes of the database, without free pages. */
export function databaseBytes(sqlite: DatabaseSync) {
  const of = (name: string) => Number(sqlite.prepare(`PRAGMA ${name}`).get()?.[name]);
  return (of("page_count") - of("freelist_count")) * of("page_size");
}
