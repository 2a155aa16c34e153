/** A run's limits are reserved before each call, parallel branches included, and never passed. */
import { beforeAll, expect, it } from "vitest";
import { newAgent } from "../../contract/agent";
import { bindings, call, callsOf, planFromMock, planModel, replan, until } from "../../support/parley";
import { type Plan, slowed } from "../../support/plans";
import { setUpRuns } from "../../support/runs";

const {
  answer,
  artifactsOf,
  client,
  live,
  openInteraction,
  send,
  start,
  untilCompleted,
  untilFailed,
  untilStatus,
  verb,
} = setUpRuns();

let plan: Plan;
const stakeholders = Array.from({ length: 6 }, (_, n) => ({ name: `Person ${n}`, profile: "lends tools" }));
const body = { input: { idea: "A library that lends tools", stakeholders }, options: { qa_rounds: 1 } };

beforeAll(async () => {
  plan = await planFromMock(client, body);
});

it("never makes more calls than max_llm_calls, even with six parallel branches; retry with a higher limit continues", async () => {
  const id = await live.start({ ...body, limits: { max_llm_calls: 4 }, models: await planModel(plan) });
  const failed = await live.untilFailed(id);
  expect(failed.error).toMatchObject({ code: "budget_exceeded" });
  expect(await callsOf(id)).toHaveLength(4);
  expect(failed.usage.llm_calls).toBe(4);
  expect((await live.eventsOf(id)).map((event) => event.type)).toContain("run.budget_warning");
  await live.verb(id, "retry", { limits: { max_llm_calls: 1000 } });
  const done = await live.untilCompleted(id);
  expect(done.limits.max_llm_calls).toBe(1000);
  expect(done.usage.llm_calls).toBe((await callsOf(id)).length);
});

it("counts the calls that a cancel cuts off, when the run has limits, and their tokens never", async () => {
  const models = await planModel(slowed(plan, /./, 800));
  const id = await live.start({ ...body, limits: { max_llm_calls: 50 }, models });
  await until(
    "six calls in flight",
    async () => (await callsOf(id)).filter(({ ended_at }) => ended_at === null).length === 6,
  );
  const { usage } = (await live.verb(id, "cancel")).body;
  const calls = await callsOf(id);
  const answered = calls.length - 6;
  expect(usage).toMatchObject({ llm_calls: calls.length, input_tokens: answered * 100, output_tokens: answered * 20 });
  await live.verb(id, "retry");
  const done = await live.untilCompleted(id);
  expect(done.usage.llm_calls).toBe((await callsOf(id)).length);
});

it("counts tokens, cached ones too, and ends the run at max_tokens", async () => {
  const id = await live.start({ ...body, limits: { max_tokens: 8_000 }, models: await planModel(plan) });
  const failed = await live.untilFailed(id);
  expect(failed.error.code).toBe("budget_exceeded");
  const calls = (await callsOf(id)).length;
  expect(failed.usage).toMatchObject({
    input_tokens: 100 * calls,
    cached_input_tokens: 40 * calls,
    output_tokens: 20 * calls,
    reasoning_tokens: 0,
    cost_usd: null,
  });
});

it("counts its timeout neither while it waits for a person nor while it is paused", async () => {
  const id = await start({ options: { reviews: ["requirement_draft"] }, limits: { timeout: "1m" } });
  const interaction = await openInteraction(id);
  const anHourGoesBy = () =>
    bindings.DB.prepare(
      `UPDATE runs SET active_since = active_since - 3600000, started_at = started_at - 3600000,
         created_at = created_at - 3600000 WHERE id = ?`,
    )
      .bind(id)
      .run();
  const post = (path: string, json?: object) => call("POST", path, { key: client.test, body: json });
  await anHourGoesBy();
  await post(`/v1/runs/${id}/pause`);
  await post(`/v1/interactions/${interaction.id}/answer`, { decision: "approve" });
  await untilStatus(id, "paused");
  await anHourGoesBy();
  await post(`/v1/runs/${id}/resume`);
  await untilCompleted(id);
});

it("a call beyond a limit fails the run as budget_exceeded; its artifacts are kept, and a retry with a higher limit continues from them", async () => {
  const id = await start({ options: { qa_rounds: 0 }, limits: { max_llm_calls: 3 } });
  expect((await untilFailed(id)).error.code).toBe("budget_exceeded");
  const made = async () => (await artifactsOf(id)).filter(({ model }) => model !== null);
  const kept = await made();
  expect(kept).toHaveLength(3);
  await verb(id, "retry", { limits: { max_llm_calls: null } });
  const done = await untilCompleted(id);
  const all = await made();
  expect(all.slice(0, 3)).toEqual(kept);
  expect(done.usage.llm_calls).toBe(all.length);
});

it("ends a run that was active for longer than its timeout", async () => {
  const id = await start({ options: { reviews: ["requirement_draft"] }, limits: { timeout: "1m" } });
  const interaction = await openInteraction(id);
  await bindings.DB.prepare("UPDATE runs SET active_ms = active_ms + 61000 WHERE id = ?").bind(id).run();
  await answer(interaction, { decision: "approve" });
  const failed = await untilFailed(id);
  expect(failed.error).toMatchObject({ code: "budget_exceeded" });
  expect(failed.error.detail).toContain("timeout");
});

/** A model with a price: 10 dollars per million input tokens, 100 per million output tokens. */
const priced = { default: "openai/priced" };

it("never costs more than max_cost_usd", async () => {
  await replan(
    priced,
    Object.fromEntries(Object.entries(plan).map(([step, [first]]) => [step, [{ ...first, output_tokens: 1000 }]])),
  );
  const roles = ["stakeholder", "collector", "modeler", "checker", "documenter"];
  const bounded = Object.fromEntries(roles.map((role) => [role, { max_output_tokens: 3000 }]));
  const id = await live.start({ ...body, limits: { max_cost_usd: 1 }, models: { ...priced, roles: bounded } });
  const failed = await live.untilFailed(id);
  expect(failed.error.code).toBe("budget_exceeded");
  const calls = (await callsOf(id)).length;
  expect(calls).toBeGreaterThan(0);
  expect(failed.usage.cost_usd).toBeCloseTo((calls * (100 * 10 + 1000 * 100)) / 1e6, 9);
  expect(failed.usage.cost_usd).toBeLessThanOrEqual(1);
});

it("ends at a worker agent whose model lost its price after the run was created", async () => {
  const worker = newAgent({ model: priced.default });
  const mocked = (await send("POST", "/v1/agents", worker)).body;
  const agent = (await live.send("POST", "/v1/agents", worker)).body;
  const waterfall = ({ id: agentId }: { id: string }) => ({
    workflow: "waterfall",
    input: { requirement: "Translate a letter" },
    options: { clarification: "infer", agents: [agentId] },
  });
  const answers = await planFromMock(client, waterfall(mocked));
  const first = answers["requirement_analysis/ask_clarifications#1"]!;
  await replan(priced, { ...answers, "requirement_analysis/ask_clarifications#1": [{ ...first[0], delay_ms: 1500 }] });
  const id = await live.start({ ...waterfall(agent), limits: { max_cost_usd: 100 }, models: priced });
  const { default: unpriced } = await planModel(answers);
  const change = await live.send("PATCH", `/v1/agents/${agent.id}`, { model: unpriced });
  expect(change.status).toBe(200);
  const { error } = await live.untilFailed(id);
  expect(error.code).toBe("budget_exceeded");
  expect(error.detail).toContain(`No price is configured for ${unpriced}`);
  expect((await callsOf(id)).filter((one) => one.step.includes("/execution#"))).toEqual([]);
});
