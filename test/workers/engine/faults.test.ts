/** Each fault of a model is handled: by a retry after a wait, by one repair, or by a failure with its own code. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../support/model";
import { bindings, callsOf, planFromMock, planModel, until } from "../../support/parley";
import { changed, type Plan } from "../../support/plans";
import { setUpRuns } from "../../support/runs";

const { client, live, start, untilCompleted, untilFailed, verb } = setUpRuns();

let plan: Plan;
const body = { input: { idea: "A library that lends tools" }, options: { qa_rounds: 0 } };

beforeAll(async () => {
  plan = await planFromMock(client, body);
});

const FIRST = /^elicitation\/speak_user_stories#/;
const withFirst = (...before: Answer[]) => changed(plan, FIRST, (answers) => [...before, ...answers]);
const firstCalls = async (id: string) => (await callsOf(id)).filter((one) => FIRST.test(one.step));
const stories = async (id: string) => (await live.artifactsOf(id)).find((one) => one.kind === "user_stories");

describe("in test mode, every fault can be injected", () => {
  it.each(["rate_limited", "server_error", "timeout", "malformed", "truncated"])(
    "%s once does not fail the run",
    async (fault) => {
      const id = await start({ ...body, test: { faults: { llm: [fault] } } });
      const run = await untilCompleted(id);
      const clean = await untilCompleted(await start(body));
      expect(run.usage.llm_calls).toBe(clean.usage.llm_calls + 1);
    },
  );

  it.each([
    ["malformed", "output_invalid"],
    ["truncated", "output_truncated"],
  ])("%s twice fails the run as %s, and retry finishes it", async (fault, code) => {
    // Two calls start at once (stories and criteria): four faults meet both of them, and both repairs.
    const id = await start({ ...body, test: { faults: { llm: [fault, fault, fault, fault] } } });
    expect((await untilFailed(id)).error.code).toBe(code);
    expect((await verb(id, "retry")).status).toBe(200);
    await untilCompleted(id);
  });

  it("a refusal fails the run as output_refused, and retry finishes it", async () => {
    const id = await start({ ...body, test: { faults: { llm: ["refusal"] } } });
    expect((await untilFailed(id)).error.code).toBe("output_refused");
    await verb(id, "retry");
    await untilCompleted(id);
  });
});

describe("a live provider", () => {
  it("that answers 429 is asked again after its Retry-After", async () => {
    const id = await live.start({
      ...body,
      models: await planModel(withFirst({ status: 429, headers: { "retry-after": "1" } })),
    });
    await live.untilCompleted(id);
    const [first, second] = await firstCalls(id);
    expect(second!.started_at - first!.ended_at!).toBeGreaterThanOrEqual(950);
  });

  it("that answers 500 twice is asked a third time", async () => {
    const id = await live.start({
      ...body,
      models: await planModel(withFirst({ status: 500 }, { status: 503 })),
    });
    await live.untilCompleted(id);
    expect(await firstCalls(id)).toHaveLength(3);
    expect((await stories(id)).usage.llm_calls).toBe(3);
  });

  it("that does not answer in time is asked again", async () => {
    const slow = { content: "late", delay_ms: 4000 };
    const id = await live.start({ ...body, models: await planModel(withFirst(slow)) });
    await live.untilCompleted(id);
    expect(await firstCalls(id)).toHaveLength(2);
  });

  it("that asks for a wait of more than an hour is not asked again", async () => {
    const id = await live.start({
      ...body,
      models: await planModel(withFirst({ status: 429, headers: { "retry-after": "7200" } })),
    });
    expect((await live.untilFailed(id)).error.code).toBe("provider_rate_limited");
    expect(await firstCalls(id)).toHaveLength(1);
  });

  it("that refuses the request is not asked again, and its message is shown without the key", async () => {
    const id = await live.start({
      ...body,
      models: await planModel(withFirst({ status: 401, body: { error: { message: "Incorrect API key" } } })),
    });
    const failed = await live.untilFailed(id);
    expect(failed.error).toMatchObject({ code: "provider_refused_request", status: 502 });
    expect(failed.error.detail).toContain("Incorrect API key");
    expect(JSON.stringify(failed)).not.toContain("sk-test");
    expect(await firstCalls(id)).toHaveLength(1);
  });

  it("whose output does not fit gets the errors, once", async () => {
    const id = await live.start({
      ...body,
      models: await planModel(withFirst({ content: '{"wrong": true}' })),
    });
    await live.untilCompleted(id);
    const [, repair] = await firstCalls(id);
    expect(repair!.request.messages).toHaveLength(4);
    expect(repair!.request.messages.at(-2)!.content).toContain('"wrong"');
    expect((await stories(id)).repairs).toBe(1);
  });

  it("that does not support json_schema is asked on a lower output_mode, which the next run remembers", async () => {
    const models = await planModel(
      withFirst({ status: 400, body: { error: { message: "response_format json_schema is not supported" } } }),
    );
    const id = await live.start({ ...body, models });
    await live.untilCompleted(id);
    expect((await stories(id)).output_mode).toBe("json_object");
    const remembered = await bindings.DB.prepare("SELECT capabilities FROM model_capabilities WHERE model = ?")
      .bind(models.default)
      .first<{ capabilities: string }>();
    expect(JSON.parse(remembered!.capabilities).output_mode).toBe("json_object");
    const next = await live.start({ ...body, models });
    await live.untilCompleted(next);
    expect((await callsOf(next))[0]!.request.response_format).toEqual({ type: "json_object" });
  });

  it("gets the constant part first: the same system prompt for the same action", async () => {
    const ideas = ["A library of tools", "A library of tools for boats"];
    const systems = new Set<string>();
    for (const idea of ideas) {
      const id = await live.start({ ...body, input: { idea }, models: await planModel(plan) });
      await live.untilStatus(id, "completed", "failed");
      systems.add((await firstCalls(id))[0]!.request.messages[0]!.content);
    }
    expect(systems.size).toBe(1);
  });
});

describe("a provider that cannot be reached", () => {
  it("is shown while the run waits for it, and fails the run when the wait is used up", async () => {
    const limits = { provider_wait: "8s" };
    const id = await live.start({ ...body, limits, models: { default: "nowhere/model" } });
    const { failing_providers } = await until("the run shows the outage", async () => {
      const run = (await live.send("GET", `/v1/runs/${id}`)).body;
      return run.failing_providers.length > 0 && run.status === "running" && run;
    });
    const outage = {
      provider: "nowhere",
      model: "nowhere/model",
      code: "provider_unreachable",
      reason: "It cannot be reached.",
      since: expect.any(String),
      next_attempt_at: expect.any(String),
    };
    expect(failing_providers).toEqual([outage]);
    const failed = await live.untilFailed(id);
    expect(failed.error.code).toBe("provider_unavailable");
    expect(failed.error.detail).toContain("nowhere/model could not be reached");
    expect(failed.failing_providers).toEqual([]);
    const told = (await live.eventsOf(id)).filter(({ type }) => type === "run.provider_failing");
    expect(told.map(({ data }) => data)).toEqual([{ ...outage, status: "running" }]);
  }, 60_000);

  it("is shown after its first request that times out, and the wait counts from that request's start", async () => {
    const models = await planModel({ "*": [{ delay_ms: 10_000, content: "too late" }] });
    const id = await live.start({ ...body, limits: { provider_wait: "5s" }, models });
    expect((await live.untilFailed(id)).error.code).toBe("provider_unavailable");
    const told = (await live.eventsOf(id)).find(({ type }) => type === "run.provider_failing")!;
    expect(told.data.code).toBe("provider_timeout");
    const calls = [...Map.groupBy(await callsOf(id), ({ step }) => step).values()];
    expect(calls.map(({ length }) => length)).toEqual(calls.map(() => 2));
    for (const [, second] of calls) expect(Date.parse(told.created_at)).toBeLessThan(second!.started_at);
    // LLM_TIMEOUT_MS of tests is 3 s.
    const began = Math.min(...calls.map(([first]) => first!.started_at));
    expect(Date.parse(told.data.since) - began).toBeLessThan(3000);
  }, 60_000);

  it("is replaced by the role's next model, which is at the artifacts and in the manifest", async () => {
    const { default: planned } = await planModel(plan);
    const id = await live.start({ ...body, models: { default: ["nowhere/model", planned] } });
    const run = await live.untilCompleted(id);
    expect(run.models.default).toBe("nowhere/model");
    expect(run.models.roles.collector).toMatchObject({ model: "nowhere/model", fallbacks: [planned] });
    const models = (await live.artifactsOf(id)).flatMap(({ model }) => model ?? []);
    expect(new Set(models)).toEqual(new Set([planned]));
    const { usage_by_model } = (await live.send("GET", `/v1/runs/${id}/manifest`)).body;
    expect(usage_by_model).toEqual([{ model: planned, steps: models.length, usage: expect.anything() }]);
  }, 60_000);
});

it("a model that the provider does not know is replaced by the role's next one", async () => {
  const { default: planned } = await planModel(plan);
  const { default: gone } = await planModel({ "*": [{ status: 404, body: { error: { message: "no such model" } } }] });
  const id = await live.start({ ...body, models: { default: planned, roles: { collector: [gone, planned] } } });
  await live.untilCompleted(id);
  const draft = (await live.artifactsOf(id)).find(({ role }) => role === "collector");
  expect(draft.model).toBe(planned);
  const events = (await live.eventsOf(id)).map(({ type }) => type);
  expect(events).not.toContain("run.provider_failing");
}, 60_000);

it("a provider of a fallback that is not configured is refused, with its place in the list", async () => {
  const models = { roles: { collector: ["openai/test-model", "elsewhere/model"] } };
  const { status, body: problem } = await live.send("POST", "/v1/runs", { ...body, workflow: "requirements", models });
  expect([status, problem.code]).toEqual([422, "unknown_provider"]);
  expect(problem.errors[0].path).toBe("models.roles.collector.1");
});

it("a limit in dollars needs the prices of fallbacks too", async () => {
  const models = { default: ["priced/any", "openai/test-model"] };
  const request = { ...body, workflow: "requirements", models, limits: { max_cost_usd: 1 } };
  const { status, body: problem } = await live.send("POST", "/v1/runs", request);
  expect([status, problem.errors[0].code]).toEqual([422, "no_price"]);
});
