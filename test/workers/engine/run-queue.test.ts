/** Runs beyond a tenant's cap wait in a queue, and start in order as slots become free. */
import { beforeEach, expect, it } from "vitest";
import { rowOf } from "../../support/runs";
import { Store } from "#store/store";
import {
  bindings,
  call,
  type Client,
  eventsOf,
  makeTenant,
  openInteraction,
  runWithStatus,
  start,
  until,
} from "../../support/parley";

const CAP = 2;
const store = new Store(bindings.DB, bindings.BUCKET);
let client: Client;
beforeEach(async () => {
  client = await makeTenant();
  await bindings.DB.prepare("UPDATE tenants SET max_concurrent_runs = ? WHERE id = ?").bind(CAP, client.tenant).run();
});

/** A run of one call with this latency. */
const quick = (latency_ms = 50) => ({
  workflow: "waterfall",
  input: { requirement: "Count to ten." },
  options: { strategy: "single_agent", clarification: "skip" },
  test: { latency_ms },
});
const begin = (body: object = quick()) => start(client.test, body);
const LONG = quick(60_000);
const statusOf = async (id: string) => (await call("GET", `/v1/runs/${id}`, { key: client.test })).body.status;
const verb = (id: string, name: string) => call("POST", `/v1/runs/${id}/${name}`, { key: client.test });
const timeOf = async (id: string, ...types: string[]) =>
  Date.parse((await eventsOf(client.test, id)).find(({ type }) => types.includes(type))!.created_at);
/** Long enough for several sweeps of the maintenance worker. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 1000));

it("never runs more at once than the cap, even if all are created at once; they start in order of creation", async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => begin()));
  for (const id of ids) await runWithStatus(client.test, id, "completed");
  const spans = await Promise.all(
    ids.map(async (id) => ({ id, from: await timeOf(id, "run.started"), to: await timeOf(id, "run.completed") })),
  );
  for (const { from } of spans)
    expect(spans.filter((one) => one.from <= from && from < one.to).length).toBeLessThanOrEqual(CAP);
  const started = spans.toSorted((one, other) => one.from - other.from).map(({ id }) => id);
  // Two runs that start together may report in either order.
  for (const [at, id] of started.entries()) expect(Math.abs(ids.toSorted().indexOf(id) - at)).toBeLessThan(CAP);
});

it("another tenant's runs do not wait for them", async () => {
  for (let n = 0; n < CAP + 1; n++) await begin(LONG);
  const other = await makeTenant();
  await runWithStatus(other.test, await start(other.test, quick()), "completed");
});

it("a run that fails or is canceled frees its slot for the next", async () => {
  const failing = await begin({ ...quick(300), test: { latency_ms: 300, faults: { llm: ["refusal"] } } });
  const long = await begin(LONG);
  const [third, fourth] = [await begin(LONG), await begin()];
  await aWhile();
  expect(await statusOf(fourth)).toBe("queued");
  expect(await statusOf(failing)).toBe("failed");
  await runWithStatus(client.test, third, "running");
  await verb(long, "cancel");
  await runWithStatus(client.test, fourth, "completed");
});

it("a run that is canceled in the queue never starts", async () => {
  const [first] = [await begin(LONG), await begin(LONG)];
  const waiting = await begin();
  expect((await verb(waiting, "cancel")).body.status).toBe("canceled");
  await verb(first, "cancel");
  await aWhile();
  expect((await eventsOf(client.test, waiting)).map(({ type }) => type)).toEqual(["run.created", "run.canceled"]);
});

it("a run that waits for a person frees its slot, and continues at once after the answer", async () => {
  const asking = { workflow: "requirements", options: { reviews: ["requirement_draft"], qa_rounds: 0 } };
  const ids = await Promise.all(Array.from({ length: CAP }, () => start(client.test, asking)));
  const interactions = await Promise.all(ids.map((id) => openInteraction(client.test, id)));
  await Promise.all(Array.from({ length: CAP }, () => begin(LONG)));
  const last = await begin(LONG);
  await aWhile();
  expect(await statusOf(last)).toBe("queued");
  const answer = { key: client.test, body: { decision: "approve" } };
  await call("POST", `/v1/interactions/${interactions[0].id}/answer`, answer);
  await runWithStatus(client.test, ids[0]!, "completed");
  expect(await statusOf(last)).toBe("queued");
});

it("a paused run frees its slot", async () => {
  const [first] = [await begin(LONG), await begin(LONG)];
  const waiting = await begin();
  await verb(first, "pause");
  await runWithStatus(client.test, waiting, "completed");
});

it("a retry queues again, behind the waiting runs", async () => {
  const failing = await begin({ ...quick(), test: { faults: { llm: ["refusal"] } } });
  await runWithStatus(client.test, failing, "failed");
  const [first] = [await begin(LONG), await begin(LONG)];
  const waiting = await begin(LONG);
  expect((await verb(failing, "retry")).body.status).toBe("queued");
  await verb(first, "cancel");
  await runWithStatus(client.test, waiting, "running");
  expect(await statusOf(failing)).toBe("queued");
  await verb(waiting, "cancel");
  await runWithStatus(client.test, failing, "completed");
});

it("the maintenance worker starts the next run when a slot was freed and no run started", async () => {
  const [first] = [await begin(LONG), await begin(LONG)];
  const waiting = await begin();
  await store.runs.cancel(await rowOf(first), first);
  await runWithStatus(client.test, waiting, "completed");
});

it("a run in the queue is never reported as stalled", async () => {
  for (let n = 0; n < CAP; n++) await begin(LONG);
  const waiting = await begin();
  await bindings.DB.prepare("UPDATE runs SET heartbeat_at = 1 WHERE id = ?").bind(waiting).run();
  await aWhile();
  expect((await eventsOf(client.test, waiting)).map(({ type }) => type)).toEqual(["run.created"]);
  expect(await statusOf(waiting)).toBe("queued");
});

it("a tenant without its own cap has the deployment's", async () => {
  await bindings.DB.prepare("UPDATE tenants SET max_concurrent_runs = NULL WHERE id = ?").bind(client.tenant).run();
  const ids = await Promise.all(Array.from({ length: CAP + 2 }, () => begin(LONG)));
  await until("all run", async () => (await Promise.all(ids.map(statusOf))).every((status) => status === "running"));
});
