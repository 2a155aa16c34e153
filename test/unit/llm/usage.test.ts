import { expect, test } from "vitest";
import { Problem } from "#core/errors";
import { addUsage, createLlm, markdownFormat, parseProviders, NO_USAGE, type RequestEstimate, type Usage } from "#llm";
import { answer, callFor, error, fakeProvider, json, llmOver, memory } from "./fake-provider";
import { GOOD, RELATIONS, WRONG } from "./relations";

const PRICED = { small: { price: { input: 2, cached_input: 0.5, output: 10 } } };

test("cached tokens are counted, at their own price", async () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 800 } };
  await using provider = await fakeProvider(answer(GOOD, { usage }));
  const answered = await llmOver(provider, PRICED).complete(callFor(RELATIONS));
  expect(answered.usage).toEqual({
    llm_calls: 1,
    input_tokens: 1000,
    cached_input_tokens: 800,
    output_tokens: 100,
    reasoning_tokens: 0,
    cost_usd: (200 * 2 + 800 * 0.5 + 100 * 10) / 1_000_000,
  });
});

test("cached tokens without their own price cost the same as others", async () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 800 } };
  await using provider = await fakeProvider(answer(GOOD, { usage }));
  const answered = await llmOver(provider, { small: { price: { input: 2, output: 10 } } }).complete(callFor(RELATIONS));
  expect(answered.usage.cost_usd).toBe(0.002);
});

test("a sum of usage has the sum of known costs, and null only if none is known", () => {
  const of = (cost_usd: number | null): Usage => ({ ...NO_USAGE, llm_calls: 1, input_tokens: 2, cost_usd });
  const sum = (...costs: (number | null)[]) => costs.map(of).reduce(addUsage, NO_USAGE);
  expect(sum(null, 1, null, 2)).toEqual({ ...NO_USAGE, llm_calls: 4, input_tokens: 8, cost_usd: 3 });
  expect(sum(null, null).cost_usd).toBeNull();
  expect(sum(null, 0).cost_usd).toBe(0);
});

test("the cost of a model without a price is unknown", async () => {
  await using provider = await fakeProvider(answer(WRONG), answer(GOOD));
  expect((await llmOver(provider).complete(callFor(RELATIONS))).usage.cost_usd).toBeNull();
});

test.each([
  ["no usage", {}],
  ["null", { usage: null }],
  ["nonsense", { usage: { prompt_tokens: "many" } }],
])("usage is estimated for a server that reports %s", async (_, reported) => {
  await using provider = await fakeProvider(
    json(200, { choices: [{ message: { content: "12345678" } }], ...reported }),
  );
  const answered = await llmOver(provider).complete(callFor(markdownFormat(), { system: "1234", user: "12345678" }));
  expect(answered.usage).toMatchObject({ llm_calls: 1, input_tokens: 3, cached_input_tokens: 0, output_tokens: 2 });
});

test("reserve is called before each request, with an upper estimate of it", async () => {
  const order: string[] = [];
  await using provider = await fakeProvider(
    (...met) => (order.push("request"), error(400, "seed is not supported")(...met)),
    (...met) => (order.push("request"), answer(WRONG)(...met)),
    (...met) => (order.push("request"), answer(GOOD)(...met)),
  );
  const estimates: RequestEstimate[] = [];
  await llmOver(provider, PRICED).complete(
    callFor(RELATIONS, {
      model: { model: "fake/small", seed: 1, max_output_tokens: 500 },
      system: "äöü",
      user: "12345",
      reserve: async (estimate) => {
        order.push("reserve");
        estimates.push(estimate);
      },
    }),
  );
  expect(order).toEqual(["reserve", "request", "reserve", "request", "reserve", "request"]);
  // Eleven bytes of prompt and the schema of the answer, at two bytes per token.
  const { name, schema } = provider.received[0]!.body.response_format!.json_schema!;
  const input = Math.ceil((11 + JSON.stringify({ type: "json_schema", name, schema }).length) / 2);
  expect(estimates[0]).toEqual({ calls: 1, tokens: input + 500, cost_usd: (input * 2 + 500 * 10) / 1_000_000 });
  expect(estimates[1]).toEqual(estimates[0]);
  expect(estimates[2]!.tokens).toBeGreaterThan(input + 500 + JSON.stringify(WRONG).length / 2);
});

test("a request without a bound reserves 16,384 tokens of output, and its cost is unknown without a price", async () => {
  await using provider = await fakeProvider(answer("ok"));
  const estimates: RequestEstimate[] = [];
  const reserve = async (estimate: RequestEstimate) => void estimates.push(estimate);
  await llmOver(provider).complete(callFor(markdownFormat(), { system: "12", user: "34", reserve }));
  expect(estimates).toEqual([{ calls: 1, tokens: 2 + 16_384, cost_usd: null }]);
});

test("reserve can forbid the first request: nothing is sent, and its own error is thrown", async () => {
  await using provider = await fakeProvider(answer("ok"));
  const forbidden = new Problem("budget_exceeded", "max_llm_calls is 0");
  const call = callFor(markdownFormat(), { reserve: () => Promise.reject(forbidden) });
  await expect(llmOver(provider).complete(call)).rejects.toBe(forbidden);
  expect(provider.received).toHaveLength(0);
});

test("reserve can forbid the repair, after the usage of the first request was reported", async () => {
  await using provider = await fakeProvider(answer(WRONG), answer(GOOD));
  const forbidden = new Problem("budget_exceeded", "max_llm_calls is 1");
  const reported: Usage[] = [];
  let asked = 0;
  const call = callFor(RELATIONS, {
    reserve: async () => {
      if (++asked > 1) throw forbidden;
    },
    spent: (usage) => void reported.push(usage),
  });
  await expect(llmOver(provider).complete(call)).rejects.toBe(forbidden);
  expect(provider.received).toHaveLength(1);
  expect(reported).toMatchObject([{ llm_calls: 1, input_tokens: 100, output_tokens: 10 }]);
});

test("the usage of a failed request is reported too", async () => {
  await using provider = await fakeProvider(error(500, "down"));
  const reported: Usage[] = [];
  const call = callFor(RELATIONS, { spent: (usage) => void reported.push(usage) });
  await expect(llmOver(provider, PRICED).complete(call)).rejects.toThrow("down");
  expect(reported).toEqual([
    { llm_calls: 1, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0, cost_usd: 0 },
  ]);
});

test("a provider's queue expects at most 4,096 tokens of output of a request, whatever its bound", async () => {
  const expected: number[] = [];
  const acquirePermit = async (_gate: unknown, tokens: number) => {
    expected.push(tokens);
    return { release: () => {} };
  };
  const bounds = [100, 16_384, undefined];
  await using provider = await fakeProvider(...bounds.map(() => answer("ok")));
  const llm = createLlm({
    providers: parseProviders({ PROVIDERS: { fake: { base_url: provider.base_url, max_concurrency: 1 } } }),
    memory: memory(),
  });
  for (const max_output_tokens of bounds) {
    const model = { model: "fake/small", max_output_tokens };
    await llm.complete(callFor(markdownFormat(), { model, system: "12", user: "34", acquirePermit }));
  }
  expect(expected).toEqual([2 + 100, 2 + 4096, 2 + 4096]);
});
