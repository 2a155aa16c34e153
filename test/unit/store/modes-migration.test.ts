/** Migration 0017 on rows from before: agents and endpoints become live, what belongs to a run has its mode. */
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";

const FOLDER = "migrations";
const MODES = "0017_modes.sql";

const apply = (database: DatabaseSync, names: readonly string[]) => {
  for (const name of names) database.exec(readFileSync(`${FOLDER}/${name}`, "utf8"));
};

/** A row with these values; each other column that needs a value gets an empty one. */
function insert(database: DatabaseSync, table: string, row: Record<string, string | number>): void {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all() as {
    name: string;
    type: string;
    notnull: number;
    dflt_value: string | null;
  }[];
  const needed = columns.filter(({ notnull, dflt_value }) => notnull && dflt_value === null);
  const empty = Object.fromEntries(needed.map(({ name, type }) => [name, type === "TEXT" ? "" : 0]));
  const whole = { ...empty, ...row };
  const names = Object.keys(whole);
  database
    .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
    .run(...Object.values(whole));
}

it("keeps old rows, each in its mode", () => {
  const all = readdirSync(FOLDER).toSorted();
  const database = new DatabaseSync(":memory:");
  apply(database, all.slice(0, all.indexOf(MODES)));
  insert(database, "tenants", { id: "ten_1" });
  const of = { tenant_id: "ten_1" };
  for (const mode of ["test", "live"]) {
    const run = `run_${mode}`;
    insert(database, "runs", { ...of, id: run, mode, metadata: "{}" });
    insert(database, "corpora", { ...of, id: `cor_${mode}`, mode });
    insert(database, "webhook_endpoints", { ...of, id: `whe_${mode}`, run_id: run, events: '["run.created"]' });
    insert(database, "interactions", { ...of, id: `int_${mode}`, run_id: run, kind: "approval", on_expiry: "fail" });
    insert(database, "idempotency_keys", { scope: "ten_1", path: "/v1/runs", key: mode, made: run });
    insert(database, "idempotency_keys", { scope: "ten_1", path: "/v1/corpora", key: mode, made: `cor_${mode}` });
  }
  insert(database, "webhook_endpoints", { ...of, id: "whe_tenant", events: '["run.created"]' });
  insert(database, "agents", { ...of, id: "agt_1", name: "Clerk", name_key: "clerk", instructions: "Look." });
  insert(database, "idempotency_keys", { scope: "ten_1", path: "/v1/agents", key: "a", made: "agt_1" });
  insert(database, "idempotency_keys", { scope: "int_test", path: "/v1/callbacks", key: "c" });

  apply(database, all.slice(all.indexOf(MODES)));

  const rows = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  expect(rows("SELECT id, mode, instructions FROM agents")).toEqual([["agt_1", "live", "Look."]]);
  expect(rows("SELECT id, mode FROM webhook_endpoints ORDER BY id")).toEqual([
    ["whe_live", "live"],
    ["whe_tenant", "live"],
    ["whe_test", "test"],
  ]);
  expect(rows("SELECT id, mode FROM interactions ORDER BY id")).toEqual([
    ["int_live", "live"],
    ["int_test", "test"],
  ]);
  expect(rows("SELECT scope, path, key FROM idempotency_keys ORDER BY scope, path, key")).toEqual([
    ["int_test", "/v1/callbacks", "c"],
    ["ten_1/live", "/v1/agents", "a"],
    ["ten_1/live", "/v1/corpora", "live"],
    ["ten_1/live", "/v1/runs", "live"],
    ["ten_1/test", "/v1/corpora", "test"],
    ["ten_1/test", "/v1/runs", "test"],
  ]);
  // An old endpoint receives events of live runs alone.
  database.exec("DELETE FROM deliveries");
  for (const mode of ["test", "live"]) insert(database, "runs", { metadata: "{}", ...of, id: `run_new_${mode}`, mode });
  expect(rows("SELECT endpoint_id, run_id FROM deliveries")).toEqual([["whe_tenant", "run_new_live"]]);
});
