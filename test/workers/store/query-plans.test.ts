/** The plans of what the API, the maintenance worker and exports ask of D1: no query reads rows in proportion to what is stored. */
import { expect, it } from "vitest";
import { bindings } from "../../support/parley";
import type { DueTimes } from "#store/due-work";
import { Store } from "#store/store";

const RUN = "run_00000000000000000000000000";
const OWNER = { tenant_id: "ten_1", mode: "live" } as const;

const TIMES: DueTimes = {
  now: 1,
  silent_since: 1,
  waiting_since: 1,
  stalled_since: 1,
  retained_since: 1,
  archived_before: 1,
  restored_before: 1,
  audited_before: 1,
  sealed_since: 1,
  sealed_with: "[]",
};

/** Indexes that hold only what is in work: a scan of one reads no more. */
const IN_WORK = [
  "children_alive",
  "corpora_due",
  "deliveries_due",
  "interactions_open",
  "interactions_unacknowledged",
  "runs_alive",
  "runs_awaiting_children",
  "runs_in_slots",
  "runs_waiting",
];
/** What has few rows: the maintenance worker's notes, what is in work, and a page that was read before. */
const SMALL = [
  "maintenance_pass",
  "page",
  "orphans",
  "removed_parents",
  "resealing",
  "run_ends",
  "stray_vectors",
  "tenants",
];

/** The statements that a use of the store makes of D1. */
async function statementsOf(use: (store: Store) => Promise<unknown>): Promise<{ sql: string; values: unknown[] }[]> {
  const made: { sql: string; values: unknown[] }[] = [];
  const prepare = (sql: string, values: unknown[] = []): object => ({
    sql,
    values,
    bind: (...bound: unknown[]) => prepare(sql, bound),
    ...Object.fromEntries(
      ["all", "first", "run"].map((method) => [
        method,
        async () => {
          made.push({ sql, values });
          return method === "first" ? {} : { results: [], meta: { changes: 0 } };
        },
      ]),
    ),
  });
  const batch = async (statements: { sql: string; values: unknown[] }[]) => {
    made.push(...statements);
    return statements.map(() => ({ results: [], meta: { changes: 0 } }));
  };
  await use(new Store({ prepare, batch } as unknown as D1Database, bindings.BUCKET));
  return made;
}

/** Steps of the plans that scan a table, or sort rows of a run. */
async function scansOf(statements: { sql: string; values: unknown[] }[]): Promise<string[]> {
  const plans = await bindings.DB.batch<{ detail: string }>(
    statements.map(({ sql, values }) => bindings.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...values)),
  );
  return plans.flatMap(({ results }, at) => {
    const { sql } = statements[at]!;
    const tableOf = (alias: string) => new RegExp(`\\b(\\w+)(?: AS)? ${alias}\\b`).exec(sql)?.[1];
    return results.flatMap(({ detail }) => {
      const [, alias, index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
      if (alias === undefined || (index && IN_WORK.includes(index))) return [];
      const isTable = !/json_each|CONSTANT/.test(detail) && !detail.includes("VIRTUAL TABLE") && !alias.startsWith("(");
      return isTable && !SMALL.includes(alias) && !SMALL.includes(tableOf(alias) ?? "") ? [`${detail} IN ${sql}`] : [];
    });
  });
}

it.each<[string, (store: Store) => Promise<unknown>]>([
  [
    "runs by their change",
    (store) =>
      Promise.all([
        store.runs.list(OWNER, { order: "updated" }, 20, null),
        store.runs.list(OWNER, { order: "updated", status: "failed" }, 20, `000001790000000-${RUN}`),
        store.runs.list(OWNER, { order: "updated", metadata: { key: "value" } }, 20, null),
      ]),
  ],
  ["metrics", (store) => store.metrics.of(OWNER)],
  ["a page of events", (store) => store.events.after(RUN, 5, 100)],
  ["the newest event", (store) => store.events.newest(RUN)],
  ["a page of artifacts", (store) => store.artifacts.list(RUN, { kind: "note" }, 20, null)],
  ["an artifact", (store) => store.artifacts.getMany(RUN, ["art_1"])],
  ["a manifest", (store) => store.artifacts.provenance(RUN)],
  ["stages of runs", (store) => store.stages.newestOfRuns([RUN])],
  ["details of runs", (store) => store.runDetails.ofRuns(OWNER, [RUN])],
  ["interactions of a run", (store) => store.interactions.list(OWNER, { run_id: RUN }, 20, null)],
  ["open interactions", (store) => store.interactions.list(OWNER, { status: "open" }, 20, "int_1")],
  ["deliveries of an endpoint", (store) => store.deliveries.list("whe_1", {}, 20, null)],
  ["a page of exported runs", (store) => store.exports.runs(OWNER, RUN, 100)],
  ["a page of exported artifacts", (store) => store.exports.artifacts(RUN, "", 25)],
  ["a page of exported interactions", (store) => store.exports.interactions(RUN, "", 100)],
  ["a page of exported deliveries", (store) => store.exports.deliveries(RUN, "", 100)],
  ["reuse of trials", (store) => store.children.reusable(OWNER, ["a"])],
  [
    "artifacts of children",
    (store) => store.children.artifacts({ ...OWNER, run_id: RUN }, [{ run_id: RUN, artifact_id: "art_1" }]),
  ],
  [
    "runs to archive",
    (store) =>
      Promise.all([store.archive.due(1, 10), store.archive.nextDue(1), store.archive.removeHalfRestored(1, 10)]),
  ],
  ["objects without a row", (store) => store.contents.orphans(1, 10)],
  [
    "the maintenance worker's search for runs",
    (store) =>
      Promise.all([
        store.maintenance.nudgeStale(1, 1, 10),
        store.maintenance.stalling(1, 10),
        store.maintenance.remainingWork(),
        store.maintenance.survey(TIMES),
      ]),
  ],
  [
    "the maintenance worker's search for old runs",
    (store) => Promise.all([store.maintenance.endedBefore(1, 10), store.maintenance.firstEnd()]),
  ],
  [
    "the maintenance worker's search for parents",
    (store) => Promise.all([store.children.awaitingParents(10), store.children.ofRemovedParents(10)]),
  ],
  ["the maintenance worker's search for questions", (store) => store.interactions.expireDue(1, 1, 10)],
  [
    "the maintenance worker's search for deliveries",
    (store) =>
      Promise.all([
        store.deliveries.endpointsDue(1, 10),
        store.deliveries.removeBefore(1, 10),
        store.deliveries.oldestRemovable(),
      ]),
  ],
  ["the queue", (store) => Promise.all([store.queue.tenants(), store.queue.admit("ten_1", 10)])],
])("%s: no scan of what is stored", async (_name, use) => {
  const statements = await statementsOf(use);
  expect(statements.length).toBeGreaterThan(0);
  expect(await scansOf(statements)).toEqual([]);
});

it("ended runs by their change are read in the order of an index, and not sorted", async () => {
  const statements = await statementsOf((store) =>
    store.runs.list(OWNER, { order: "updated", status: "failed" }, 20, null),
  );
  const [{ sql, values }] = statements as [{ sql: string; values: unknown[] }];
  const plan = await bindings.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...values)
    .all<{ id: number; parent: number; detail: string }>();
  const search = plan.results.find(({ detail }) => detail.includes("started_runs_by_change"))!;
  const beside = plan.results.filter(({ parent }) => parent === search.parent).map(({ detail }) => detail);
  expect(beside.filter((detail) => detail.includes("ORDER BY"))).toEqual([]);
});
