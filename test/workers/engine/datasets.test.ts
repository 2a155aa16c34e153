/** `run.dataset`: a stage reads a closed data set of the run's owner, in its order, through outages of storage. */
import { beforeAll, expect, it } from "vitest";
import { newId } from "#core/ids";
import type { Clock } from "#engine/instance/instance";
import { executeRun } from "#engine/execute-run";
import { Store } from "#store/store";
import type { Run } from "#workflow-kit/run";
import { FakeInstance } from "../../support/fake-instance";
import { type Decide, withFaults } from "../../support/faults";
import { bindings, type Client, makeTenant } from "../../support/parley";
import { rowOf } from "../../support/runs";
import { newToyRun, toyDependencies, toyWorkflow } from "../../support/toy-runs";
import { datasetsOf, item } from "../../contract/dataset";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

/** Longer than a step waits. Milliseconds. */
const OUTAGE = 25 * 60_000;

/** Executes a run that reads a data set; returns its row. */
async function read(
  dataset: string,
  { decide, clock, run: readIt }: { decide?: Decide; clock?: Clock; run?: (run: Run) => Promise<object> } = {},
) {
  const run_id = await newToyRun(new Store(bindings.DB, bindings.BUCKET), client.tenant, { mode: "test" });
  // The server's own maintenance worker would create an instance of a workflow that it does not know: it takes the run as nudged.
  await bindings.DB.prepare("UPDATE runs SET nudged_at = ? WHERE id = ?").bind(Number.MAX_SAFE_INTEGER, run_id).run();
  const env = decide ? withFaults(bindings as Env, decide) : bindings;
  const workflows = toyWorkflow(
    readIt ??
      ((run) =>
        run.stage("one", async () => {
          const { id, name, workflow, content_hash, items } = await run.datasets.get(dataset);
          return { id, name, workflow, content_hash, ids: items.map((one) => one.id), last: items.at(-1) };
        })),
  );
  const deps = toyDependencies({ store: new Store(env.DB, env.BUCKET), ...(clock && { clock }) });
  await executeRun({ run_id, epoch: 1 }, new FakeInstance().live(), workflows, deps);
  return rowOf(run_id);
}

/** Larger than a page together; the last one is in R2. */
const items = [
  ...Array.from({ length: 1200 }, (_, n) => item(`n${1200 - n}`, { input: { requirement: "x".repeat(2000) } })),
  item("huge", { gold: { rubric: Array.from({ length: 25 }, () => ({ text: "y".repeat(4000), points: 1 })) } }),
];

it("reads all items in their order, large ones too", async () => {
  const { closed, at } = datasetsOf(client.test);
  const id = await closed(items);
  const { content_hash } = (await at("GET", id)).body;
  const row = await read(id);
  expect(JSON.parse(row.output!)).toEqual({
    id,
    name: "Sums",
    workflow: "waterfall",
    content_hash,
    ids: items.map((one) => one.id),
    last: items.at(-1),
  });
});

it.each(["DB", "BUCKET"])("waits while %s is away, in the middle of the items", async (binding) => {
  const { closed } = datasetsOf(client.test);
  const id = await closed(items);
  let ms = 0;
  let sleeps = 0;
  const clock: Clock = {
    now: () => ms,
    sleep: async (time) => {
      ms += time;
      if (++sleeps % 50 === 0) await new Promise((resolve) => setTimeout(resolve));
    },
  };
  let calls = 0;
  let end = 0;
  const decide: Decide = (call) => {
    if (call.binding !== binding || !(binding === "BUCKET" || call.operation.includes("dataset_items"))) return "ok";
    if (calls++ === (binding === "DB" ? 2 : 0)) end = ms + OUTAGE;
    return ms < end ? "before" : "ok";
  };
  const row = await read(id, { decide, clock });
  expect(row.phase, row.error ?? "").toBe("completed");
  expect(JSON.parse(row.output!).ids).toHaveLength(items.length);
  expect(ms).toBeGreaterThanOrEqual(OUTAGE);
});

it("fails the run when the data set is gone, open, another tenant's or of the other mode", async () => {
  const stranger = await makeTenant();
  const open = await datasetsOf(client.test).filled([item("a")]);
  for (const [id, code] of [
    [newId("dst"), "unknown_dataset"],
    [await datasetsOf(stranger.test).closed([item("a")]), "unknown_dataset"],
    [await datasetsOf(client.live).closed([item("a")]), "unknown_dataset"],
    [open, "dataset_open"],
  ] as const) {
    const row = await read(id);
    expect([row.phase, JSON.parse(row.error!).code], id).toEqual(["failed", code]);
  }
});

it("is refused outside of a stage", async () => {
  const id = await datasetsOf(client.test).closed([item("a")]);
  const row = await read(id, { run: (run) => run.datasets.get(id) });
  expect(row.phase).toBe("failed");
  expect(JSON.parse(row.error!).code).toBe("internal_error");
});
