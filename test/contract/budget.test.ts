/** The budget of a tenant's live mode: what is spent, the alarms, and the refusal of new runs. */
import { beforeAll, describe, expect, it } from "vitest";
import { all, type Client, makeTenant, planFromMock, planModel, replan, runWithStatus, start } from "../support/parley";
import { api, refusal, startBody } from "./api";

const INPUT = { idea: "A library that lends tools" };
const OPTIONS = { qa_rounds: 0 };
/** The model with a price. */
const MODELS = { default: "priced/any" };
beforeAll(async () => {
  await replan(MODELS, await planFromMock(await makeTenant(), { input: INPUT, options: OPTIONS }));
});

const put = (client: Client, body: object, key = client.live) => api("PUT", "/v1/budget", { key, body });
const get = async (client: Client) => (await api("GET", "/v1/budget", { key: client.live })).body;
/** An endpoint of live mode for the alarms. */
const newEndpoint = async (client: Client, key = client.live) =>
  (await api("POST", "/v1/webhook-endpoints", { key, body: { delivery: "poll", events: ["budget.reached"] } })).body.id;
const alarms = async (client: Client, endpoint: string, key = client.live) =>
  (await all(key, `/v1/webhook-endpoints/${endpoint}/deliveries`))
    .map(({ body }) => JSON.parse(body).data)
    .toSorted((a, b) => a.percent - b.percent);
/** A live run with a priced model, to its end; what it cost. */
async function spend(client: Client): Promise<number> {
  const id = await start(client.live, { input: INPUT, options: OPTIONS, models: MODELS });
  return (await runWithStatus(client.live, id, "completed")).usage.cost_usd;
}

describe("a budget", () => {
  it("is set, read and removed with a live admin key", async () => {
    const client = await makeTenant();
    expect(await get(client)).toMatchObject({ amount_usd: null, at_limit: "alarm", spent_usd: 0, reached: [] });
    const set = await put(client, { amount_usd: 12.5, at_limit: "refuse" });
    expect(set).toMatchObject({ status: 200, body: { object: "budget", amount_usd: 12.5, at_limit: "refuse" } });
    expect(await get(client)).toEqual(set.body);
    expect(await put(client, { amount_usd: 1 }, client.test)).toMatchObject(refusal(409, "wrong_mode"));
    expect(await put(client, { amount_usd: 0 })).toMatchObject(refusal(422, "validation_failed", "amount_usd"));
    expect((await put(client, { amount_usd: null })).body.amount_usd).toBeNull();
  });

  it("alarms at 50, 80 and 100 %, each once, while it is spent, and only in live mode", async () => {
    const client = await makeTenant();
    const endpoint = await newEndpoint(client);
    const ofTest = await newEndpoint(client, client.test);
    await put(client, { amount_usd: 0.000_000_001 });
    const id = await start(client.test, { input: INPUT, options: OPTIONS });
    await runWithStatus(client.test, id, "completed");
    expect(await get(client)).toMatchObject({ spent_usd: 0, reached: [] });
    const cost = (await spend(client)) + (await spend(client));
    const budget = await get(client);
    expect(budget.reached).toEqual([50, 80, 100]);
    expect(budget.spent_usd).toBeCloseTo(cost, 9);
    const sent = await alarms(client, endpoint);
    expect(sent.map(({ percent }) => percent)).toEqual([50, 80, 100]);
    expect(sent[0]).toMatchObject({ month: budget.month, budget_usd: 0.000_000_001, at_limit: "alarm" });
    expect(await alarms(client, ofTest, client.test)).toEqual([]);
  });

  it("counts what was spent before it was set, and refuses new live runs at 100 % when the tenant says so", async () => {
    const client = await makeTenant();
    const endpoint = await newEndpoint(client);
    const spent = await spend(client);
    const reachedOf = async (share: number, more: object = {}) =>
      (await put(client, { amount_usd: spent / share, ...more })).body.reached;
    expect(await reachedOf(0.3)).toEqual([]);
    expect(await reachedOf(0.6)).toEqual([50]);
    expect(await reachedOf(0.9, { at_limit: "refuse" })).toEqual([50, 80]);
    const body = startBody({ models: MODELS });
    const run = (key = client.live, more: object = {}) => api("POST", "/v1/runs", { key, body: { ...body, ...more } });
    expect((await run()).status).toBe(201);
    expect(await reachedOf(2, { at_limit: "refuse" })).toEqual([50, 80, 100]);
    const refused = await run();
    expect(refused).toMatchObject(refusal(429, "budget_reached"));
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await run(client.test, { models: {} })).status).toBe(201);
    expect(await reachedOf(2, { at_limit: "alarm" })).toEqual([50, 80, 100]);
    expect((await run()).status).toBe(201);
    expect((await alarms(client, endpoint)).map(({ percent }) => percent)).toEqual([50, 80, 100]);
  });

  it("that refuses runs at its limit needs prices: a run that it could not count is refused, and an alarm counts such calls", async () => {
    const client = await makeTenant();
    const body = startBody({
      models: { default: "priced/any", roles: { collector: ["priced/any", "openai/test-model"] } },
    });
    const run = (key = client.live) => api("POST", "/v1/runs", { key, body });
    await put(client, { amount_usd: 1000, at_limit: "refuse" });
    const refused = await run();
    expect(refused).toMatchObject(refusal(422, "validation_failed", "models"));
    expect(refused.body.errors[0]).toMatchObject({ code: "no_price" });
    expect(refused.body.errors[0].message).toContain("No price is configured for openai/test-model");
    expect((await run(client.test)).status).toBe(201);
    expect((await api("POST", "/v1/runs", { key: client.live, body: startBody({ models: MODELS }) })).status).toBe(201);
    await put(client, { amount_usd: 1000, at_limit: "alarm" });
    const unpriced = startBody({
      models: await planModel(await planFromMock(client, { input: INPUT, options: OPTIONS })),
    });
    const { id } = (
      await api("POST", "/v1/runs", { key: client.live, body: { ...unpriced, input: INPUT, options: OPTIONS } })
    ).body;
    const { usage } = await runWithStatus(client.live, id, "completed");
    expect(usage.cost_usd).toBeNull();
    expect((await get(client)).unpriced_calls).toBe(usage.llm_calls);
  });

  it("that is raised alarms again at its new thresholds", async () => {
    const client = await makeTenant();
    const endpoint = await newEndpoint(client);
    const spent = await spend(client);
    const reachedOf = async (share: number) => (await put(client, { amount_usd: spent / share })).body.reached;
    expect(await reachedOf(1)).toEqual([50, 80, 100]);
    expect(await reachedOf(0.6)).toEqual([50]);
    await spend(client); // 120 % of it
    expect((await get(client)).reached).toEqual([50, 80, 100]);
    expect((await alarms(client, endpoint)).map(({ percent }) => percent)).toEqual([50, 80, 80, 100, 100]);
  });
});
