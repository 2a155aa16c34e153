/** Parallel branches reserve before each call, so no limit is ever exceeded, neither by models nor by encoders. */
import { beforeAll, describe, expect, it } from "vitest";
import { encode as encodeTexts } from "#engine/calls/models";
import { InstanceMemory } from "#engine/durable/memory";
import { StageExecution } from "#engine/durable/stage-execution";
import type { Instance } from "#engine/instance/instance";
import { createLlm, parseProviders } from "#llm";
import { Store } from "#store/store";
import { newAgent } from "../../contract/agent";
import type { SeenCall } from "../../support/model";
import { bindings, callsOf, planFromMock, planModel, replan } from "../../support/parley";
import type { Plan } from "../../support/plans";
import { rowOf, setUpRuns } from "../../support/runs";

const { client, live, send, start, untilStatus, verb } = setUpRuns();

let plan: Plan;
/** The same answers, each of a thousand tokens. */
let long: Plan;
/** Each call reserves its prompt and these. */
const bounded = Object.fromEntries(
  ["stakeholder", "collector", "modeler", "checker", "documenter"].map((role) => [role, { max_output_tokens: 3000 }]),
);
const stakeholders = Array.from({ length: 6 }, (_, n) => ({ name: `Person ${n}`, profile: "lends tools" }));
const body = { input: { idea: "A library that lends tools", stakeholders }, options: { qa_rounds: 1 } };
/** From `vitest.config.ts`: 10 dollars per million input tokens, 100 per million output tokens. */
const priced = { default: "priced/any" };

beforeAll(async () => {
  plan = await planFromMock(client, body);
  long = Object.fromEntries(
    Object.entries(plan).map(([step, answers]) => [step, answers.map((each) => ({ ...each, output_tokens: 1000 }))]),
  );
});

describe("six branches at once", () => {
  it("never use more than max_tokens, and nothing stays reserved; retry with a higher limit continues and repeats no call", async () => {
    const max_tokens = 14_000;
    const models = { ...(await planModel(long)), roles: bounded };
    const id = await live.start({ ...body, limits: { max_tokens }, models });
    const failed = await live.untilFailed(id);
    expect(failed.error).toMatchObject({ code: "budget_exceeded" });
    expect(failed.usage.llm_calls).toBe((await callsOf(id)).length);
    expect(failed.usage.llm_calls).toBeGreaterThan(0);
    expect(failed.usage.input_tokens + failed.usage.output_tokens).toBeLessThanOrEqual(max_tokens);
    expect(await rowOf(id)).toMatchObject({ reserved_calls: 0, reserved_tokens: 0 });
    await live.verb(id, "retry", { limits: { max_tokens: 100_000_000 } });
    await live.untilCompleted(id);
    const steps = (await callsOf(id)).map(({ step }) => step);
    expect(new Set(steps).size).toBe(steps.length);
  });

  it("never cost more than max_cost_usd by the price table, and retry with a higher limit continues", async () => {
    await replan(priced, long);
    const max_cost_usd = 1;
    const id = await live.start({ ...body, limits: { max_cost_usd }, models: { ...priced, roles: bounded } });
    const failed = await live.untilFailed(id);
    expect(failed.error).toMatchObject({ code: "budget_exceeded" });
    const calls = (await callsOf(id)).length;
    expect(calls).toBeGreaterThan(0);
    expect(failed.usage.cost_usd).toBeCloseTo((calls * (100 * 10 + 1000 * 100)) / 1e6, 9);
    expect(failed.usage.cost_usd).toBeLessThanOrEqual(max_cost_usd);
    await live.verb(id, "retry", { limits: { max_cost_usd: 10_000 } });
    const done = await live.untilCompleted(id);
    expect(done.usage.llm_calls).toBe((await callsOf(id)).length);
  });
});

it("six branches share a limit that holds the reservation of one: they wait for each other, and the run completes", async () => {
  const models = { ...(await planModel(plan)), roles: bounded };
  const id = await live.start({ ...body, limits: { max_tokens: 22_000 }, models });
  const done = await live.untilCompleted(id);
  expect(done.usage.llm_calls).toBe((await callsOf(id)).length);
  expect(await rowOf(id)).toMatchObject({ reserved_calls: 0, reserved_tokens: 0 });
});

it("a call that can never fit fails the run before anything is asked, and the error names the role and what to do", async () => {
  const models = await planModel(plan);
  const roles = Object.fromEntries(Object.keys(bounded).map((role) => [role, { max_output_tokens: 50_000 }]));
  const id = await live.start({ ...body, limits: { max_tokens: 50_000 }, models: { ...models, roles } });
  const { error } = await live.untilFailed(id);
  expect(error.code).toBe("budget_exceeded");
  expect(error.detail).toMatch(/next call of \w+ to .* may use up to \d+ tokens.*0 of 50000 tokens/);
  expect(error.detail).toMatch(/higher limit, or start one with a lower models\.roles\.\w+\.max_output_tokens/);
  expect(await callsOf(id)).toEqual([]);
});

describe("agents of a program with their own model, twelve calls at once", () => {
  const request = {
    workflow: "waterfall",
    input: { requirement: "Say it twelve times" },
    options: { clarification: "skip", skip_stages: ["design"] },
  };
  const own = { default: "priced/any" };

  /** A run whose program calls one agent twelve times in parallel; its other models have prices too, and answer like the mock run. */
  async function begin(limits: object) {
    const agent = newAgent({ model: own.default });
    const agents = [await send("POST", "/v1/agents", agent), await live.send("POST", "/v1/agents", agent)];
    const [forMockModel, wanted] = agents.map((made) => ({
      ...request,
      options: { ...request.options, agents: [made.body.id] },
    }));
    const source = `export default async function main(agents) {
      const said = await Promise.all(Array.from({ length: 12 }, (_, n) => agents.call(${JSON.stringify(agent.name)}, "say " + n, null)));
      return said.join(" ");
    }`;
    const mocked = await planFromMock(client, forMockModel!);
    await replan({ default: "openai/priced" }, { ...mocked, "implementation/generate_code#1": [{ content: source }] });
    await replan(own, { "*": [{ content: "yes", delay_ms: 300, output_tokens: 1000 }] });
    const id = await live.start({ ...wanted, limits, models: { default: "openai/priced" } });
    const ofAgent = async () => (await callsOf(id)).filter(({ step }) => step.includes("/execution#"));
    return { id, ofAgent };
  }
  /** The maximum of these calls in flight at the same time. */
  const most = (calls: readonly SeenCall[]) =>
    Math.max(
      ...calls.map(({ started_at: at }) => calls.filter((one) => one.started_at <= at && at < one.ended_at!).length),
    );

  it.each([
    ["max_cost_usd", 2],
    ["max_tokens", 22_000],
  ] as const)("never use more than %s together, and retry with more asks nobody twice", async (limit, value) => {
    const { id, ofAgent } = await begin({ [limit]: value });
    const failed = await live.untilFailed(id);
    expect(failed.error).toMatchObject({ code: "budget_exceeded" });
    const calls = await ofAgent();
    expect(most(calls)).toBe(1); // each call reserves 16,384 output tokens at 100 dollars per million
    const all = (await callsOf(id)).length;
    const others = all - calls.length;
    const output_tokens = others * 20 + calls.length * 1000;
    expect(failed.usage).toMatchObject({ llm_calls: all, input_tokens: all * 100, output_tokens });
    expect(failed.usage.cost_usd).toBeCloseTo(others * 0.003 + calls.length * 0.101, 9);
    expect(await rowOf(id)).toMatchObject({ reserved_calls: 0, reserved_tokens: 0 });
    await live.verb(id, "retry", { limits: { [limit]: 1_000_000 } });
    const done = await live.untilCompleted(id);
    expect(done.output.answer).toBe(Array(12).fill("yes").join(" "));
    expect(new Set((await ofAgent()).map(({ step }) => step)).size).toBe(12);
    expect(await ofAgent()).toHaveLength(12);
  });
});

it("an output without its own bound gets one when tokens are limited, so that it cannot exceed its reservation", async () => {
  const request = {
    workflow: "waterfall",
    input: { requirement: "Count to ten." },
    options: { strategy: "single_agent", clarification: "skip" },
  };
  const models = await planModel(await planFromMock(client, request));
  const bound = async (limits: object) => {
    const id = await live.start({ ...request, limits, models });
    await live.untilCompleted(id);
    return ((await callsOf(id))[0]!.request as { max_tokens?: number }).max_tokens;
  };
  expect(await bound({})).toBeUndefined();
  expect(await bound({ max_tokens: 1_000_000 })).toBe(16_384);
});

describe("ten encoders at once", () => {
  const price = { input: 1_000_000, output: 0 };
  let asked = 0;
  const llm = createLlm({
    providers: parseProviders({
      PROVIDERS: { encoder: { base_url: "http://encoder.test/v1", models: { e: { price } } } },
    }),
    memory: { recall: async () => null, remember: async () => {} },
    fetch: async () => {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return Response.json({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 10 } });
    },
  });

  /** Each text of forty bytes reserves twenty tokens, at a dollar each. */
  const encode = async (limits: object) => {
    const id = await start({ limits, test: { latency_ms: 60_000 } });
    await untilStatus(id, "running");
    const none = { max_llm_calls: null, max_tokens: null, max_cost_usd: null, timeout: null };
    const { reserved_calls: others } = (await rowOf(id))!;
    const instance = {
      run_id: id,
      epoch: 1,
      spec: { mode: "live", limits: { ...none, ...limits } },
      deps: { store: new Store(bindings.DB, bindings.BUCKET), llm, llm_timeout_ms: 1000 },
    } as unknown as Instance;
    const key = { stage: "s", iteration: 1, generation: 1 };
    const of = { segment: { startedAt: Date.now(), steps: 0, lastCheckedAt: Date.now() }, previous: null };
    const stage = new StageExecution(instance, new InstanceMemory(), key, new Promise(() => {}), of);
    asked = 0;
    const step = (n: number) => encodeTexts(stage, { model: "encoder/e", texts: ["x".repeat(40)], step: `s/e#${n}` });
    const ended = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => step(n)));
    await verb(id, "cancel");
    const refused = ended.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    return { asked, refused, others: others! };
  };

  it("make no more calls than max_llm_calls", async () => {
    const { refused, others } = await encode({ max_llm_calls: 6 });
    expect(asked).toBe(6 - others);
    expect(refused).toEqual(Array(10 - asked).fill("budget_exceeded"));
  });

  it("cost no more than max_cost_usd", async () => {
    const { refused } = await encode({ max_cost_usd: 70 });
    expect(asked).toBe(6); // each uses half of what it reserves, and gives back the rest to those that wait
    expect(refused).toEqual(Array(4).fill("budget_exceeded"));
  });
});
