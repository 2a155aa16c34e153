import { describe, expect, test } from "vitest";
import { LlmError, markdownFormat, type ModelTool } from "#llm";
import { answer, callFor, error, fakeProvider, json, llmOver, memory, response, said } from "./fake-provider";
import { GOOD, RELATIONS } from "./relations";

const ASKED = { small: { api: "responses" } };
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (reason: unknown) => reason as LlmError,
  );

const REASONING = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA-sealed" };
const CALL = { type: "function_call", id: "fc_1", call_id: "call_9", name: "add", arguments: '{"a":1}' };
const add: ModelTool = {
  name: "add",
  description: "Adds.",
  parameters: { type: "object", properties: { a: { type: "number" } } },
  call: async () => "2",
};

describe("the Responses API", () => {
  test("is sent a strict schema, bounds, effort and verbosity under its names, and stores nothing", async () => {
    await using provider = await fakeProvider(response([REASONING, said(GOOD)]));
    const answered = await llmOver(provider, {
      small: { api: "responses", price: { input: 1, cached_input: 0.1, output: 5, reasoning: 6 } },
    }).complete(
      callFor(RELATIONS, {
        model: {
          model: "fake/small",
          max_output_tokens: 300,
          top_p: 0.5,
          seed: 7,
          reasoning_effort: "low",
          verbosity: "high",
        },
      }),
    );
    const { path, body } = provider.received[0]!;
    expect(path).toBe("/v1/responses");
    expect(body).toMatchObject({
      model: "small",
      store: false,
      max_output_tokens: 300,
      top_p: 0.5,
      reasoning: { effort: "low" },
      text: { verbosity: "high", format: { type: "json_schema", name: "relations", strict: true } },
      input: [
        { role: "system", content: "You list relations." },
        { role: "user", content: "List them." },
      ],
    });
    expect(body).not.toHaveProperty("seed");
    expect(answered).toMatchObject({
      value: GOOD,
      response_model: "small-2026-10-01",
      parameters: { max_output_tokens: 300, top_p: 0.5, reasoning_effort: "low", verbosity: "high" },
      dropped_parameters: { seed: 7 },
      usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 30, reasoning_tokens: 20 },
    });
    expect(answered.usage.cost_usd).toBeCloseTo((60 * 1 + 40 * 0.1 + 10 * 5 + 20 * 6) / 1_000_000, 12);
  });

  test("a model's own effort and verbosity are sent where the role states none", async () => {
    await using provider = await fakeProvider(response([said(GOOD)]), response([said(GOOD)]));
    const llm = llmOver(provider, { small: { api: "responses", reasoning_effort: "high", verbosity: "low" } });
    const first = await llm.complete(callFor(RELATIONS));
    const second = await llm.complete(callFor(RELATIONS, { model: { model: "fake/small", reasoning_effort: "none" } }));
    expect(first.parameters).toEqual({ reasoning_effort: "high", verbosity: "low" });
    expect(second.parameters).toEqual({ reasoning_effort: "none", verbosity: "low" });
    expect(provider.received.map(({ body }) => body.reasoning)).toEqual([{ effort: "high" }, { effort: "none" }]);
  });

  test("a refused temperature is dropped, recorded as dropped, and not sent again", async () => {
    const refusal = error(
      400,
      "Unsupported parameter: 'temperature' is not supported with this model.",
      {},
      { param: "temperature", code: "unsupported_parameter" },
    );
    await using provider = await fakeProvider(refusal, response([said(GOOD)]), response([said(GOOD)]));
    const llm = llmOver(provider, ASKED);
    const call = callFor(RELATIONS, { model: { model: "fake/small", temperature: 0 } });
    const first = await llm.complete(call);
    expect(first).toMatchObject({ parameters: {}, dropped_parameters: { temperature: 0 } });
    await llm.complete(call);
    expect(provider.received.map(({ body }) => "temperature" in body)).toEqual([true, false, false]);
  });

  test("a value of the effort that the model does not take is an error that names those it takes", async () => {
    const words = "Unsupported value: 'none' is not supported with the 'small' model. Supported values are: 'low'.";
    await using provider = await fakeProvider(error(400, words, {}, { param: "reasoning.effort" }));
    const failed = await failure(
      llmOver(provider, ASKED).complete(
        callFor(RELATIONS, { model: { model: "fake/small", reasoning_effort: "none" } }),
      ),
    );
    expect(failed).toMatchObject({ code: "provider_refused_request", message: expect.stringContaining("'low'") });
    expect(provider.received).toHaveLength(1);
  });

  test("an effort that the model does not know at all is dropped, like any other parameter", async () => {
    await using provider = await fakeProvider(
      error(400, "This model does not support reasoning.effort"),
      response([said(GOOD)]),
    );
    const model = { model: "fake/small", reasoning_effort: "low" } as const;
    const answered = await llmOver(provider, ASKED).complete(callFor(RELATIONS, { model }));
    expect(answered).toMatchObject({ parameters: {}, dropped_parameters: { reasoning_effort: "low" } });
  });

  test("passes encrypted reasoning back with the results of tools, once a model is known to reason", async () => {
    await using provider = await fakeProvider(
      response([REASONING, CALL]),
      response([REASONING, { ...CALL, call_id: "call_10" }, REASONING, { ...CALL, call_id: "call_11" }]),
      response([said(GOOD)]),
    );
    const answered = await llmOver(provider, ASKED).complete(callFor(RELATIONS, { tools: [add] }));
    expect(answered).toMatchObject({ value: GOOD, tool_calls: [{ name: "add", result: "2" }, {}, {}] });
    const [first, second, third] = provider.received.map(({ body }) => body);
    expect(first!.tools).toMatchObject([{ type: "function", name: "add", parameters: add.parameters }]);
    expect(first).not.toHaveProperty("include");
    expect(second!.include).toEqual(["reasoning.encrypted_content"]);
    expect(third!.input!.slice(2)).toEqual([
      REASONING,
      CALL,
      { type: "function_call_output", call_id: "call_9", output: "2" },
      REASONING,
      { ...CALL, call_id: "call_10" },
      REASONING,
      { ...CALL, call_id: "call_11" },
      { type: "function_call_output", call_id: "call_10", output: "2" },
      { type: "function_call_output", call_id: "call_11", output: "2" },
    ]);
  });

  test("a refusal, and an answer that a filter stopped, are output_refused with their usage", async () => {
    const refused = { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "I will not." }] };
    await using provider = await fakeProvider(
      response([refused]),
      response([], { status: "incomplete", incomplete_details: { reason: "content_filter" } }),
    );
    const llm = llmOver(provider, ASKED);
    expect(await failure(llm.complete(callFor(RELATIONS)))).toMatchObject({
      code: "output_refused",
      message: "fake/small refused to answer: I will not.",
      options: { usage: { llm_calls: 1, input_tokens: 100 } },
    });
    expect(await failure(llm.complete(callFor(RELATIONS)))).toMatchObject({ code: "output_refused" });
  });

  test("an answer that reasoning cut off is asked for again with more room", async () => {
    const cut = response([REASONING], { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
    await using provider = await fakeProvider(cut, response([said(GOOD)]));
    const answered = await llmOver(provider, ASKED).complete(
      callFor(RELATIONS, { model: { model: "fake/small", max_output_tokens: 300 } }),
    );
    expect(answered).toMatchObject({ value: GOOD, repairs: 1 });
    const bounds = provider.received.map(({ body }) => body.max_output_tokens as number);
    expect(bounds[0]).toBe(300);
    expect(bounds[1]).toBeGreaterThan(16_000);
    expect(answered.parameters.max_output_tokens).toBe(bounds[1]);
  });

  test.each([
    ["rate_limit_exceeded", "provider_rate_limited", true],
    ["server_error", "provider_unavailable", true],
    ["insufficient_quota", "provider_refused_request", false],
    ["invalid_prompt", "provider_refused_request", false],
    ["context_length_exceeded", "provider_input_too_long", false],
    ["constructor", "provider_refused_request", false],
  ])("a failed response with the code %s is %s", async (code, expected, retryable) => {
    await using provider = await fakeProvider(
      response([], { status: "failed", error: { code, message: "It failed." } }),
    );
    const failed = await failure(llmOver(provider, ASKED).complete(callFor(RELATIONS)));
    expect(failed).toMatchObject({ code: expected, options: { retryable, usage: { input_tokens: 100 } } });
  });
});

describe("the choice of the API", () => {
  const TOOLS_ELSEWHERE = error(
    400,
    "Function tools with reasoning_effort are not supported for small in /v1/chat/completions. To use function tools, use /v1/responses.",
  );

  test("goes to the Responses API when a model wants it, and remembers", async () => {
    await using provider = await fakeProvider(TOOLS_ELSEWHERE, response([said(GOOD)]), response([said(GOOD)]));
    const remembers = memory();
    const llm = llmOver(provider, {}, remembers);
    expect(await llm.complete(callFor(RELATIONS, { tools: [add] }))).toMatchObject({ value: GOOD });
    await llm.complete(callFor(RELATIONS));
    expect(provider.received.map(({ path }) => path)).toEqual([
      "/v1/chat/completions",
      "/v1/responses",
      "/v1/responses",
    ]);
    expect(remembers.kept.get("fake/small")).toMatchObject({ api: "responses", tools: "native" });
  });

  test.each([
    ["a server without the path", json(404, { detail: "Not Found" })],
    ["a server that allows no POST there", json(405, { detail: "Method Not Allowed" })],
  ])("goes back to Chat Completions at %s", async (_name, refusal) => {
    await using provider = await fakeProvider(refusal, answer(GOOD));
    const remembers = memory();
    remembers.kept.set("fake/small", { api: "responses" } as never);
    expect(await llmOver(provider, {}, remembers).complete(callFor(RELATIONS))).toMatchObject({ value: GOOD });
    expect(provider.received.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/chat/completions"]);
    expect(remembers.kept.get("fake/small")).toMatchObject({ api: "chat" });
  });

  test("stays with the API that the operator has chosen, and describes tools in the prompt where it refuses them", async () => {
    await using provider = await fakeProvider(TOOLS_ELSEWHERE, answer(GOOD));
    const llm = llmOver(provider, { small: { api: "chat" } });
    expect(await llm.complete(callFor(RELATIONS, { tools: [add] }))).toMatchObject({ value: GOOD });
    expect(provider.received.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/chat/completions"]);
    expect(provider.received[1]!.body).not.toHaveProperty("tools");
  });

  test("a model that its provider does not know is no reason to ask the other API", async () => {
    await using provider = await fakeProvider(
      error(404, "The model `small` does not exist", {}, { code: "model_not_found" }),
    );
    const failed = await failure(llmOver(provider, ASKED).complete(callFor(RELATIONS)));
    expect(failed).toMatchObject({ code: "provider_refused_request", options: { model_refused: true } });
  });
});

describe("what compatible servers send", () => {
  test("content as a list of parts, and JSON as plain text", async () => {
    await using provider = await fakeProvider(answer(null), (sink) => {
      sink.writeHead(200, { "content-type": "text/plain" });
      const message = {
        role: "assistant",
        content: [
          { type: "text", text: "# Hel" },
          { type: "text", text: "lo" },
        ],
      };
      sink.end(JSON.stringify({ choices: [{ index: 0, finish_reason: "stop", message }] }));
    });
    expect(await llmOver(provider).complete(callFor(markdownFormat()))).toMatchObject({ value: "# Hello" });
  });

  test("text of reasoning beside a response's message, and items of kinds that nobody asked for", async () => {
    const open = { type: "reasoning", id: "rs_2", summary: [], content: [{ type: "reasoning_text", text: "Hm." }] };
    const search = { type: "web_search_call", id: "ws_1", status: "completed" };
    await using provider = await fakeProvider(
      response([open, search, said(GOOD)], { usage: undefined, model: undefined }),
    );
    expect(await llmOver(provider, ASKED).complete(callFor(RELATIONS))).toMatchObject({
      value: GOOD,
      response_model: null,
      usage: { llm_calls: 1 },
    });
  });

  test.each([
    ["a number", 402, "provider_refused_request"],
    ["a name", "insufficient_quota", "provider_refused_request"],
    ["a passing state", 503, "provider_unavailable"],
  ])("an error with status 200, whose code is %s", async (_name, code, expected) => {
    await using provider = await fakeProvider(json(200, { error: { code, message: "No credits." } }));
    expect(await failure(llmOver(provider).complete(callFor(RELATIONS)))).toMatchObject({
      code: expected,
      message: expect.stringContaining("No credits."),
    });
  });

  test.each([
    ["a page", "<!doctype html><title>Welcome</title>"],
    ["null", "null"],
  ])("%s in place of an answer is not asked for again", async (_name, body) => {
    await using provider = await fakeProvider(json(200, body, { "content-type": "text/html" }));
    expect(await failure(llmOver(provider).complete(callFor(RELATIONS)))).toMatchObject({
      code: "provider_unavailable",
      options: { retryable: false },
    });
  });

  test("a redirect is not followed with the prompt", async () => {
    await using elsewhere = await fakeProvider(answer(GOOD));
    await using provider = await fakeProvider((sink) =>
      sink.writeHead(307, { location: `${elsewhere.base_url}/chat/completions` }).end(),
    );
    expect(await failure(llmOver(provider).complete(callFor(RELATIONS)))).toMatchObject({
      code: "provider_refused_request",
      message: expect.stringContaining("Redirects are not followed; set base_url to where it points, http://127.0.0.1"),
    });
    expect(elsewhere.received).toHaveLength(0);
  });

  test("a response that is too large is given up, and not asked for again", async () => {
    await using provider = await fakeProvider(answer("x".repeat(11 * 1024 * 1024)));
    expect(await failure(llmOver(provider).complete(callFor(markdownFormat())))).toMatchObject({
      code: "provider_unavailable",
      message: "fake/small answered, but the response is larger than 10 MiB.",
      options: { retryable: false },
    });
  });

  test("tool calls without ids", async () => {
    const calls = [{ type: "function", function: { name: "add", arguments: { a: 1 } } }];
    const message = { role: "assistant", content: null, tool_calls: calls };
    const completion = json(200, { choices: [{ index: 0, finish_reason: "tool_calls", message }] });
    await using provider = await fakeProvider(completion, answer(GOOD));
    const answered = await llmOver(provider).complete(callFor(RELATIONS, { tools: [add] }));
    expect(answered.tool_calls).toMatchObject([{ name: "add", arguments: { a: 1 }, ok: true }]);
    const [, , asked, result] = provider.received[1]!.body.messages;
    expect(asked!.tool_calls).toMatchObject([{ id: "call_1", function: { arguments: '{"a":1}' } }]);
    expect(result).toMatchObject({ role: "tool", tool_call_id: "call_1", content: "2" });
  });
});
