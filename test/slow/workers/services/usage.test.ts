/** Usage by day, workflow, role and model adds up to what the runs themselves have used. */
import { beforeAll, describe, expect, it } from "vitest";
import { UsageStore } from "#store/usage";
import { newDataset, questions } from "../../../support/experiments";
import { bindings, call, callsOf, planFromMock, planModel, replan, until } from "../../../support/parley";
import { type Plan, slowed } from "../../../support/plans";
import { setUpRuns } from "../../../support/runs";

const { client, live, send, start, untilCompleted } = setUpRuns();
const stakeholders = Array.from({ length: 3 }, (_, n) => ({ name: `Person ${n}`, profile: "lends tools" }));
const body = { input: { idea: "A library that lends tools", stakeholders }, options: { qa_rounds: 1 } };
let plan: Plan;
beforeAll(async () => {
  plan = await planFromMock(client, body);
});

type Mode = "test" | "live";
const usage = () => new UsageStore(bindings.DB);
const owner = (mode: Mode) => ({ tenant_id: client.tenant, mode });
const today = new Date().toISOString().slice(0, 10);
const days = { from: today, to: "9999-12-31" };
const totalOf = (mode: Mode) => usage().total(owner(mode), days);
const by = async (mode: Mode, group: "role" | "model" | "workflow") =>
  new Map((await usage().grouped(owner(mode), days, [group], 100)).map((row) => [row[group]!, row]));

/** The sums of the runs' own rows, children included. */
const ofRuns = async (mode: Mode) =>
  (await bindings.DB.prepare(
    `SELECT SUM(llm_calls) AS llm_calls, SUM(input_tokens) AS input_tokens, SUM(cached_input_tokens) AS cached_input_tokens,
       SUM(output_tokens) AS output_tokens, SUM(cost_usd) AS cost_usd FROM runs WHERE tenant_id = ? AND mode = ?`,
  )
    .bind(client.tenant, mode)
    .first<{ llm_calls: number; input_tokens: number; cost_usd: number | null }>())!;

it("counts failed, retried and canceled runs once, with the calls that a cancel cut off", async () => {
  const failed = await live.start({ ...body, limits: { max_llm_calls: 3 }, models: await planModel(plan) });
  await live.untilFailed(failed);
  await live.verb(failed, "retry", { limits: { max_llm_calls: 1000 } });
  await live.untilCompleted(failed);
  const models = await planModel(slowed(plan, /./, 800));
  const canceled = await live.start({ ...body, limits: { max_llm_calls: 50 }, models });
  await until("a call in flight", async () => (await callsOf(canceled)).some(({ ended_at }) => ended_at === null));
  await live.verb(canceled, "cancel");
  const unusable = await planModel({ "*": [{ content: "not JSON" }] });
  await live.untilFailed(await live.start({ ...body, models: unusable }));
  const total = await totalOf("live");
  expect(total).toMatchObject(await ofRuns("live"));
  expect(total).toMatchObject({ cost_usd: null, unpriced_calls: total.llm_calls });
  expect((await by("live", "model")).get(unusable.default)!.llm_calls).toBeGreaterThan(0);
});

it("tells roles and models apart, and calls with a price from those without", async () => {
  await replan({ default: "priced/any" }, plan);
  const before = await by("live", "role");
  const models = { ...(await planModel(plan)), roles: { modeler: "priced/any" } };
  const { usage: used } = await live.untilCompleted(await live.start({ ...body, models }));
  const models_used = await by("live", "model");
  const priced = models_used.get("priced/any")!;
  expect(priced).toMatchObject({ unpriced_calls: 0, cost_usd: expect.closeTo(used.cost_usd, 9) });
  expect(models_used.get(models.default)).toMatchObject({
    cost_usd: null,
    llm_calls: used.llm_calls - priced.llm_calls,
  });
  const modeler = (await by("live", "role")).get("modeler")!;
  expect(modeler.llm_calls - (before.get("modeler")?.llm_calls ?? 0)).toBe(priced.llm_calls);
  expect((await totalOf("live")).cost_usd).toBeCloseTo((await ofRuns("live")).cost_usd!, 9);
});

it("keeps test mode apart, counts children as runs of their own workflow, and forgets nothing with a deleted run", async () => {
  const before = await ofRuns("live");
  const dataset_id = await newDataset(client.test, questions(2));
  const run = await start({
    workflow: "experiment",
    input: {
      dataset_id,
      variants: [
        { name: "one", workflow: "plain" },
        { name: "two", workflow: "plain" },
      ],
    },
  });
  await untilCompleted(run);
  const total = await totalOf("test");
  const { cost_usd: _, ...sums } = await ofRuns("test");
  expect(total).toMatchObject(sums);
  expect((await by("test", "workflow")).get("plain")!.llm_calls).toBeGreaterThan(0);
  expect(await ofRuns("live")).toEqual(before);
  expect((await send("DELETE", `/v1/runs/${run}`)).status).toBe(204);
  expect(await totalOf("test")).toEqual(total);
});

describe("GET /v1/usage", () => {
  const get = (query = "", key = client.live) => call("GET", `/v1/usage${query}`, { key });

  it("groups what is summed, and the sums add up to the total", async () => {
    const { body: report } = await get("?group_by=day,workflow,role,model");
    expect(report).toMatchObject({ object: "usage", to: today, total: await totalOf("live") });
    expect(report.data.reduce((sum: number, row: any) => sum + row.llm_calls, 0)).toBe(report.total.llm_calls);
    expect(report.data[0]).toMatchObject({ day: today, workflow: "requirements" });
    expect(report.data.some((row: any) => row.role === null)).toBe(true);
    const { body: by_day } = await get();
    expect(by_day.data).toEqual([{ day: today, ...report.total }]);
    expect((await get("", client.test)).body.total).toEqual(await totalOf("test"));
    expect((await get("?to=2020-01-30")).body).toMatchObject({ from: "2020-01-01", to: "2020-01-30", data: [] });
    expect((await get("?from=2020-01-01&to=2020-01-02")).body).toMatchObject({ data: [], total: { llm_calls: 0 } });
  });

  it.each([
    "?group_by=tenant_id",
    "?group_by=day,day",
    "?from=2026-02-01&to=2026-01-01",
    "?from=2020-01-01",
    "?days=2",
  ])("refuses %s", async (query) => {
    expect(await get(query)).toMatchObject({ status: 400, body: { code: "invalid_query" } });
  });

  it("reads as many rows with 200,000 runs as with none", async () => {
    const query = await bindings.DB.prepare(
      "EXPLAIN QUERY PLAN SELECT SUM(llm_calls) FROM usage_days WHERE tenant_id = 'a' AND mode = 'live' AND day BETWEEN 'b' AND 'c'",
    ).all<{ detail: string }>();
    expect(query.results.map(({ detail }) => detail).join()).toMatch(
      /SEARCH usage_days USING PRIMARY KEY \(tenant_id=\? AND mode=\? AND day>/,
    );
    const rows = await bindings.DB.prepare("SELECT COUNT(*) AS n FROM usage_days WHERE tenant_id = ?")
      .bind(client.tenant)
      .first<number>("n");
    await live.untilCompleted(await live.start({ ...body, models: { default: "priced/any" } }));
    await live.untilCompleted(await live.start({ ...body, models: { default: "priced/any" } }));
    const after = await bindings.DB.prepare("SELECT COUNT(*) AS n FROM usage_days WHERE tenant_id = ?")
      .bind(client.tenant)
      .first<number>("n");
    expect(after! - rows!).toBeLessThanOrEqual(5);
  });
});
