/** All runs queue for a provider's limits: over HTTP, with a provider that refuses requests beyond them. */
import { beforeAll, expect, it } from "vitest";
import type { SeenCall } from "../../../support/model";
import { bindings, callsOf, crowd, crowdOf, planFromMock, planModel, until } from "../../../support/parley";
import { type Plan, slowed } from "../../../support/plans";
import { setUpRuns } from "../../../support/runs";

const { artifactsOf, client, live, start, untilCompleted } = setUpRuns();
const another = setUpRuns();

let plan: Plan;
const body = {
  workflow: "waterfall",
  input: { requirement: "Count to ten." },
  options: { strategy: "single_agent", clarification: "skip" },
};

beforeAll(async () => {
  plan = await planFromMock(client, body);
});

/** Tokens per minute of the provider `frugal` in vitest.config.ts. */
const FRUGAL = 15_000;
const after = (delay_ms: number) => slowed(plan, /./, delay_ms);
const many = (count: number, make: () => Promise<string>) => Promise.all(Array.from({ length: count }, make));
const allEnded = (ms: number) =>
  until(
    "every run has ended",
    async () => {
      const alive = (status: string) => live.send("GET", `/v1/runs?status=${status}&limit=1`);
      return (await Promise.all(["queued", "running"].map(alive))).every((reply) => reply.body.data.length === 0);
    },
    ms,
  );

it("200 concurrent runs queue for a provider's limit: none is refused, each step is called once, all complete", async () => {
  const models = await planModel(after(20), "crowded");
  await crowd(models, { most: 6 });
  const ids = await many(200, () => live.start({ ...body, models }));
  await allEnded(150_000);
  for (const id of ids) {
    const run = await live.untilCompleted(id);
    const calls = await callsOf(id);
    expect(calls.map(({ step }) => step).sort()).toEqual(Object.keys(plan).sort());
    expect(run.usage.llm_calls).toBe(calls.length);
  }
  const { seen, refused } = await crowdOf(models);
  expect(refused).toBe(0);
  expect(seen).toBeGreaterThan(1); // the peak depends on the machine
}, 180_000);

it("without configured limits, the provider refuses the same runs", async () => {
  const models = await planModel(after(200));
  await crowd(models, { most: 6, retry_after: 0 });
  const ids = await many(12, () => live.start({ ...body, models }));
  await until("a refusal", async () => (await crowdOf(models)).refused > 0);
  for (const id of ids) await live.verb(id, "cancel");
});

it("a second tenant's only run does not wait for all of the first one's", async () => {
  const models = await planModel(after(40), "narrow");
  await crowd(models, { most: 1 });
  const first = await many(15, () => live.start({ ...body, models }));
  await until("a call of the first tenant", async () => (await crowdOf(models)).seen > 0);
  const done = await another.live.runToEnd({ ...body, models });
  const runs = await Promise.all(first.map((id) => live.untilCompleted(id)));
  const later = runs.filter((run) => run.finished_at > done.finished_at);
  expect(later.length).toBeGreaterThan(runs.length / 2);
  expect((await crowdOf(models)).refused).toBe(0);
}, 60_000);

it("calls wait for a rate limit: none fails or uses up attempts, and a queued run can be canceled", async () => {
  const models = await planModel(plan, "paced");
  const ids = await many(4, () => live.start({ ...body, models }));
  const runs = async () => Promise.all(ids.map(async (id) => (await live.send("GET", `/v1/runs/${id}`)).body));
  const withStatus = async (status: string) => (await runs()).filter((run) => run.status === status);
  await until("as many as the rate allows", async () => (await withStatus("completed")).length === 2);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const queued = await withStatus("running");
  expect(queued).toHaveLength(2);
  for (const { id } of queued) {
    expect(await callsOf(id)).toEqual([]);
    expect((await live.verb(id, "cancel")).body.status).toBe("canceled");
  }
});

it("calls wait for a token limit: expected tokens are reserved, and unused ones released", async () => {
  const used = await planModel(plan, "frugal");
  for (const id of await many(6, () => live.start({ ...body, models: used }))) await live.untilCompleted(id);
  // A failed request may have used its expected tokens: the first admitted requests fail, and the others wait.
  const refused = await planModel({ "*": [{ status: 401 }] }, "frugal");
  const ids = await many(6, () => live.start({ ...body, models: refused }));
  const asked = async () => (await Promise.all(ids.map(callsOf))).flat();
  const fits = await until("a call", async () => {
    const [first] = await asked();
    const bytes =
      first && new TextEncoder().encode(first.request.messages.map(({ content }) => content).join("")).length;
    return bytes && Math.floor((FRUGAL - 6 * 120) / (bytes / 2 + 4096));
  });
  await until("as many calls as fit", async () => (await asked()).length === fits);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await asked()).toHaveLength(fits);
  expect(fits).toBeLessThan(4);
  for (const id of ids) await live.verb(id, "cancel");
});

it("a run that is removed while its call is under way returns its permit", async () => {
  const gate = bindings.PROVIDER_GATES.get(bindings.PROVIDER_GATES.idFromName("left"));
  const limits = { max_concurrency: 1, requests_per_minute: null, tokens_per_minute: null };
  const ticket = { id: "another", run: "run_x", tenant: "ten_x", lease_ms: 120_000, tokens: 1 };
  const id = await live.start({ ...body, models: await planModel(after(5000), "left") });
  await until("its call is under way", async () => (await callsOf(id)).length === 1);
  expect(await gate.acquire(limits, ticket, 0)).toBeNull();
  await live.verb(id, "cancel");
  expect((await live.send("DELETE", `/v1/runs/${id}`)).status).toBe(204);
  expect(await gate.acquire(limits, ticket, 0)).not.toBeNull();
});

it("a run's timeout excludes the time in which its calls queue, and nothing else", async () => {
  const gate = bindings.PROVIDER_GATES.get(bindings.PROVIDER_GATES.idFromName("halted"));
  const limits = { max_concurrency: 1, requests_per_minute: null, tokens_per_minute: null };
  const ticket = { id: "another", run: "run_x", tenant: "ten_x", lease_ms: 120_000, tokens: 1 };
  const models = await planModel(plan, "halted");
  /** A run with a timeout of one minute, by the seconds that it was already active and the seconds that its only call queues. */
  const queue = async (active_s: number, queued_s: number) => {
    const permit = (await gate.acquire(limits, ticket, 5000))!;
    const id = await live.start({ ...body, models, limits: { timeout: "1m" } });
    await live.untilStatus(id, "running");
    await bindings.DB.prepare("UPDATE runs SET active_ms = active_ms + ? WHERE id = ?")
      .bind(active_s * 1000, id)
      .run();
    await new Promise((resolve) => setTimeout(resolve, queued_s * 1000));
    await gate.release(ticket.id, permit, { closed_for_ms: 0, tokens: 1 });
    const run = await live.untilStatus(id, "completed", "failed");
    const row = await bindings.DB.prepare("SELECT queued_ms FROM runs WHERE id = ?")
      .bind(id)
      .first<{ queued_ms: number }>();
    expect(row!.queued_ms).toBeGreaterThan(queued_s * 1000 - 1500);
    return run;
  };
  expect(await queue(55, 8)).toMatchObject({ status: "completed" });
  expect(await queue(61, 2)).toMatchObject({ status: "failed", error: { code: "budget_exceeded" } });
});

it("a 429 with Retry-After closes the gate for all runs", async () => {
  const [step] = Object.keys(plan) as [string];
  const refusing = { ...after(0), [step]: [{ status: 429, headers: { "retry-after": "2" } }, ...after(0)[step]!] };
  const refused = await live.start({ ...body, models: await planModel(refusing, "closing") });
  const [first] = await until("the refusal", async () => {
    const seen = await callsOf(refused);
    return seen[0]?.ended_at ? (seen as [SeenCall]) : null;
  });
  const others = await planModel(after(0), "closing");
  const ids = await many(5, () => live.start({ ...body, models: others }));
  for (const id of [refused, ...ids]) await live.untilCompleted(id);
  const laterCalls = (await Promise.all([refused, ...ids].map(callsOf))).flat().filter((one) => one !== first);
  const next = laterCalls.filter(({ started_at }) => started_at > first.started_at).map(({ started_at }) => started_at);
  expect(Math.min(...next) - first.ended_at!).toBeGreaterThanOrEqual(1950);
}, 60_000);

it("a 429 that asks for more than an hour does not close the gate: its own run fails, others continue", async () => {
  const [step] = Object.keys(plan) as [string];
  const refusing = { ...after(0), [step]: [{ status: 429, headers: { "retry-after": "7200" } }] };
  const refused = await live.start({ ...body, models: await planModel(refusing, "closing") });
  expect((await live.untilFailed(refused)).error.code).toBe("provider_rate_limited");
  const other = await live.start({ ...body, models: await planModel(after(0), "closing") });
  await live.untilCompleted(other);
});

it("a call that a crash cut off is repeated in its own place: its old permit blocks no other call", async () => {
  const gate = bindings.PROVIDER_GATES.get(bindings.PROVIDER_GATES.idFromName("crash"));
  const limits = { max_concurrency: 1, requests_per_minute: null, tokens_per_minute: null };
  const ticket = { id: "run_x-e1/stage/step#1", run: "run_x", tenant: "ten_x", lease_ms: 60_000, tokens: 1 };
  const done = { closed_for_ms: 0, tokens: 1 };
  const lost = await gate.acquire(limits, ticket, 1000);
  expect(await gate.acquire(limits, { ...ticket, id: "another", run: "run_y" }, 50)).toBeNull();
  const again = await gate.acquire(limits, ticket, 50);
  expect(again).not.toBeNull();
  await gate.release(ticket.id, lost!, done);
  expect(await gate.acquire(limits, { ...ticket, id: "another", run: "run_y" }, 50)).toBeNull();
  await gate.release(ticket.id, again!, done);
  expect(await gate.acquire(limits, { ...ticket, id: "another", run: "run_y" }, 50)).not.toBeNull();
});

it("mock calls pass no gate", async () => {
  const models = { default: "narrow/any" };
  const id = await start({ ...body, models });
  await untilCompleted(id);
  expect((await artifactsOf(id)).every(({ model }) => model === null || model === "mock")).toBe(true);
});
