/** The query with which a maintenance pass begins: it misses no row that a part of the round would handle. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import type { DueTimes, PartName } from "#store/due-work";
import { Store } from "#store/store";
import { openD1 } from "../../../src/node/d1";
import { directHost } from "../../../src/node/host";
import { holdTenant, migratedDatabase, TENANT } from "../../support/database";

const NOW = 1_000_000;
const KEYS = "[]";
const times: DueTimes = {
  now: NOW,
  silent_since: NOW - 1,
  waiting_since: NOW - 2,
  stalled_since: NOW - 3,
  retained_since: NOW - 4,
  archived_before: NOW - 5,
  restored_before: NOW - 6,
  audited_before: NOW - 7,
  sealed_since: NOW - 8,
  sealed_with: KEYS,
};

let database: DatabaseSync;
let store: Store;
beforeEach(() => {
  database = migratedDatabase();
  database.exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON"); // rows have only what the query reads
  store = new Store(openD1(database, directHost), {} as R2Bucket);
  add("resealing", { id: 1, keys: KEYS, position: null, unreadable: "{}", completed_at: NOW });
});

type Row = Record<string, SQLInputValue>;

/** Adds a row, of the tenant; other columns without a default that are not given are empty. */
function add(table: string, row: Row): void {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all() as {
    name: string;
    type: string;
    notnull: number;
    dflt_value: unknown;
  }[];
  const empty = columns.filter(({ name, notnull, dflt_value }) => notnull && dflt_value === null && !(name in row));
  const owner = columns.some(({ name }) => name === "tenant_id") ? { tenant_id: TENANT } : {};
  const whole = {
    ...Object.fromEntries(empty.map(({ name, type }) => [name, type === "INTEGER" ? 0 : ""])),
    ...owner,
    ...row,
  };
  const names = Object.keys(whole);
  database
    .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
    .run(...Object.values(whole));
}

/** What the triggers of the rows above have written is not what a case is about. */
function forget(...tables: string[]): void {
  for (const table of tables) database.exec(`DELETE FROM ${table}`);
}

let runs = 0;
function addRun(row: Row): string {
  const id = String(row.id ?? `run_${++runs}`);
  const json = { input: "{}", options: "{}", models: "{}", limits: "{}", metadata: "{}", generations: "{}" };
  add("runs", {
    id,
    tenant_id: TENANT,
    mode: "test",
    workflow: "requirements",
    phase: "running",
    epoch: 1,
    origin: "",
    heartbeat_at: NOW,
    ...json,
    ...row,
  });
  forget("run_ends", "deliveries", "webhook_messages");
  return id;
}
const addEnded = (row: Row): string => addRun({ phase: "completed", finished_at: NOW, ...row });

const addQuestion = (row: Row): void =>
  add("interactions", { id: "int_1", tenant_id: TENANT, mode: "test", run_id: "run_x", ...row });

/** What there is, how it comes to be, and the rows in which the part's own statements find it. */
type Case = [what: string, add: () => unknown, finds: () => Promise<readonly unknown[]>];

const isEmpty = (table: string): unknown[] =>
  database.prepare(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${table})`).all();

/** For statements that remove rows: the table is empty after them. */
const removes =
  (table: string, remove: () => Promise<void>): Case[2] =>
  async () => {
    await remove();
    return isEmpty(table);
  };

const nudged = () => store.maintenance.nudgeStale(times.silent_since, times.waiting_since, 10);
const archived = () => store.archive.due(times.archived_before!, 10);
const sealing = async () => [await store.seals.resealing()];

const CASES: Record<PartName, Case[]> = {
  interactions: [
    [
      "a question whose time is up",
      () => addQuestion({ status: "open", expires_at: NOW }),
      async () => (await store.interactions.expireDue(NOW, NOW, 10)).expired,
    ],
    [
      "an answer that its instance has not acknowledged",
      () => {
        addRun({ id: "run_x" });
        addQuestion({ status: "answered", settled_at: NOW - 1, acknowledged: 0, epoch: 1, answer: "{}" });
      },
      async () => (await store.interactions.expireDue(NOW, NOW, 10)).unacknowledged,
    ],
  ],
  reminders: [
    [
      "a question whose deadline is near",
      () => addQuestion({ status: "open", expires_at: NOW + 1000, remind_at: NOW }),
      () => store.interactions.remindDue(NOW, 10),
    ],
  ],
  queue: [["a queued run", () => addRun({ phase: "queued", queued_at: NOW }), () => store.queue.tenants()]],
  "silent runs": [
    ["a run without a heartbeat", () => addRun({ heartbeat_at: NOW - 2 }), nudged],
    [
      "one that waits for a person, after a longer time",
      () => addRun({ heartbeat_at: NOW - 3, open_interactions: 1 }),
      nudged,
    ],
  ],
  parents: [
    ["a run whose children have ended", () => addRun({ awaits_children: 1 }), () => store.children.awaitingParents(10)],
  ],
  "stalled runs": [
    [
      "a run that stalls",
      () => addRun({ heartbeat_at: NOW - 4, nudged_at: NOW }),
      () => store.maintenance.stalling(times.stalled_since, 10),
    ],
  ],
  webhooks: [
    [
      "a delivery that is due",
      () => add("deliveries", { id: "del_1", endpoint_id: "whe_1", status: "pending", next_attempt_at: NOW }),
      () => store.deliveries.endpointsDue(NOW, 10),
    ],
  ],
  indexers: [
    [
      "a corpus to be indexed",
      () => add("corpora", { id: "cor_1", tenant_id: TENANT, due_at: times.silent_since }),
      () => store.corpora.due(times.silent_since, 10),
    ],
  ],
  "removed tenants": [
    ["a removed tenant", () => add("tenants", { id: "ten_2", removed_at: NOW }), () => store.tenants.removed(10)],
  ],
  "children of removed runs": [
    [
      "a child of a removed run",
      () => {
        add("removed_parents", { id: "run_gone" });
        addEnded({ parent_id: "run_gone" });
      },
      () => store.children.ofRemovedParents(10),
    ],
    [
      "the note of a removed run without children",
      () => add("removed_parents", { id: "run_gone" }),
      removes("removed_parents", () => store.children.forgetRemovedParents()),
    ],
  ],
  "old runs": [
    [
      "a run past its retention",
      () => addEnded({ finished_at: NOW - 5 }),
      () => store.maintenance.endedBefore(times.retained_since!, 10),
    ],
  ],
  "old deliveries": [
    [
      "a delivery past its retention",
      () => add("deliveries", { id: "del_1", status: "delivered", settled_at: NOW - 5 }),
      removes("deliveries", () => store.deliveries.removeBefore(times.retained_since!, 10)),
    ],
    [
      "a message past its retention",
      () => {
        add("webhook_messages", { id: "evt_1", tenant_id: TENANT, endpoint_id: "whe_1", created_at: NOW - 5 });
        forget("deliveries");
      },
      removes("webhook_messages", () => store.deliveries.removeBefore(times.retained_since!, 10)),
    ],
  ],
  "old runs that move to R2": [
    ["a run to be archived", () => addEnded({ finished_at: NOW - 6 }), archived],
    [
      "a postponed child of an archived run",
      () => addEnded({ parent_id: addEnded({ archive_key: "key" }), archive_base: NOW - 6 }),
      archived,
    ],
    [
      "a restore that was cut off",
      () => addEnded({ archive_key: "key", archive_base: NOW - 7 }),
      async () => {
        await store.archive.removeHalfRestored(times.restored_before, 10);
        return database.prepare("SELECT 1 FROM runs WHERE archive_base IS NULL").all();
      },
    ],
  ],
  "idempotency keys": [
    [
      "a key that has expired",
      () => add("idempotency_keys", { scope: `${TENANT}/live`, expires_at: NOW }),
      removes("idempotency_keys", () => store.idempotency.removeExpired(NOW, 10)),
    ],
    [
      "a callback's key that has expired",
      () => {
        addQuestion({ status: "answered", acknowledged: 1 });
        add("idempotency_keys", { scope: "int_1", expires_at: NOW });
      },
      removes("idempotency_keys", () => store.idempotency.removeExpired(NOW, 10)),
    ],
  ],
  "audit log": [
    [
      "an old entry",
      () => add("audit_log", { tenant_id: TENANT, seq: 1, created_at: NOW - 8 }),
      removes("audit_log", () => store.audit.removeBefore(times.audited_before, 10)),
    ],
  ],
  "orphaned objects": [
    [
      "an object without its row",
      () => add("orphans", { key: "ten_1/run_1/art_1", due_at: NOW }),
      () => store.contents.orphans(NOW, 10),
    ],
  ],
  "stray passages": [
    [
      "the pool of a removed corpus",
      () => add("pools", { number: 7, id: "cor_gone", tenant_id: TENANT, removed_at: NOW }),
      removes("pools", () => store.passages.deleteStrayPools(10)),
    ],
  ],
  "stray vectors": [
    ["a vector of a deleted passage", () => add("stray_vectors", { id: "7" }), () => store.passageVectors.strays(10)],
  ],
  "sealed secrets": [
    ["another secret in use", () => database.exec("UPDATE resealing SET keys = '[1]'"), sealing],
    [
      "a pass that is under way",
      () => database.exec(`UPDATE resealing SET position = '{"table":"agents","after":""}'`),
      sealing,
    ],
    [
      "a pass that ended long ago",
      () => database.exec(`UPDATE resealing SET completed_at = ${times.sealed_since}`),
      sealing,
    ],
    ["no pass so far", () => database.exec("DELETE FROM resealing"), sealing],
  ],
  reports: [
    [
      "the end of a run",
      () => add("run_ends", { run_id: "run_1", epoch: 1, due_at: NOW }),
      () => store.runEnds.due(NOW, 10),
    ],
  ],
  schedules: [
    [
      "a time of a schedule",
      () => add("schedules", { id: "sch_1", tenant_id: TENANT, mode: "test", next_at: NOW, paused: 0 }),
      () => store.schedules.due(NOW, 10),
    ],
  ],
};

const cases = Object.entries(CASES).flatMap(([part, of]) =>
  of.map(([what, arrange, finds]) => ({ part: part as PartName, what, arrange, finds })),
);

describe("a part of the maintenance pass is due when there is", () => {
  it.each(cases)("$part: $what", async ({ part, arrange, finds }) => {
    expect((await store.maintenance.survey(times)).due).toEqual([]);
    arrange();
    expect((await store.maintenance.survey(times)).due).toContain(part);
    expect(await finds()).toHaveLength(1);
  });
});

/**
 * Parts whose statements only read, or write no row of a tenant: each row is handled by itself afterwards, where its tenant is. Sealed secrets:
 * maintenance/reseal.test.ts.
 */
const READING = ["queue", "parents", "webhooks", "indexers", "removed tenants", "stray vectors", "sealed secrets"];

describe("a tenant whose writes are held while it is moved makes no part fail for the others, which leaves out", () => {
  it.each(cases.filter(({ part }) => !READING.includes(part)))("$part: $what", async ({ arrange, finds }) => {
    arrange();
    await holdTenant(database, TENANT, 60_000);
    expect(await finds()).toHaveLength(0);
  });

  it("its rows only until the hold ends", async () => {
    addRun({ heartbeat_at: NOW - 2 });
    await holdTenant(database, TENANT, 0);
    expect(await nudged()).toHaveLength(1);
  });
});

it("nothing is due, and nothing is left, when no row is in work", async () => {
  addEnded({ finished_at: NOW });
  expect(await store.maintenance.survey(times)).toEqual({ due: [], remaining: [] });
});

it("without a retention and an archive no ended run is due", async () => {
  addEnded({ finished_at: 1 });
  const { due } = await store.maintenance.survey({ ...times, retained_since: null, archived_before: null });
  expect(due).toEqual([]);
});
