import { describe, expect, test, vi } from "vitest";
import { createLlm, LlmError, markdownFormat, parseProviders } from "#llm";
import { CapabilityCache, defaultCapabilities } from "#llm/capabilities";
import type { Target } from "#llm/target";
import { answer, callFor, error, fakeProvider, json, llmOver, memory } from "./fake-provider";
import { GOOD, RELATIONS } from "./relations";

const NO_SCHEMA = error(
  400,
  "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
);
const NO_JSON = error(422, "response_format is not supported");
const ASSUMED = {
  api: "chat",
  output_mode: "json_schema",
  max_tokens_parameter: "max_tokens",
  refused_parameters: [],
  tools: "native",
  reasons: false,
  most_output_tokens: null,
};

describe("the ladder", () => {
  test("starts with a strict schema, and stores nothing about a model that accepts it", async () => {
    await using provider = await fakeProvider(answer(GOOD));
    const remembers = memory();
    const answered = await llmOver(provider, {}, remembers).complete(callFor(RELATIONS));
    expect(answered).toMatchObject({ value: GOOD, output_mode: "json_schema", repairs: 0, usage: { llm_calls: 1 } });
    const { messages, response_format } = provider.received[0]!.body;
    expect(response_format).toMatchObject({ type: "json_schema", json_schema: { name: "relations", strict: true } });
    expect(response_format?.json_schema?.schema).toMatchObject({
      required: ["relations"],
      additionalProperties: false,
    });
    expect(messages[0]!.content).toBe("You list relations.");
    expect(remembers.kept.size).toBe(0);
  });

  test("steps down to a JSON object with the schema after the system prompt, counts the refused request, and remembers", async () => {
    await using provider = await fakeProvider(NO_SCHEMA, answer(GOOD), answer(GOOD));
    const remembers = memory();
    const llm = llmOver(provider, {}, remembers);
    const answered = await llm.complete(callFor(RELATIONS));
    expect(answered).toMatchObject({ value: GOOD, output_mode: "json_object", repairs: 0, usage: { llm_calls: 2 } });
    const { messages, response_format } = provider.received[1]!.body;
    expect(response_format).toEqual({ type: "json_object" });
    expect(messages[0]!.content).toMatch(/^You list relations\.\n\n[^]*"additionalProperties":false/);
    expect(remembers.kept.get("fake/small")).toEqual({ ...ASSUMED, output_mode: "json_object" });

    await llm.complete(callFor(RELATIONS));
    expect(provider.received).toHaveLength(3);
    expect(provider.received[2]!.body.response_format).toEqual({ type: "json_object" });
  });

  test("steps down to text, without response_format, and finds the JSON among the words", async () => {
    const wordy = `Sure, {as asked}:\n\`\`\`json\n{"relations": [{"from": "a}", "to": "actor"},]}\n\`\`\`\nAnything else?`;
    await using provider = await fakeProvider(NO_SCHEMA, NO_JSON, answer(wordy));
    const remembers = memory();
    const answered = await llmOver(provider, {}, remembers).complete(callFor(RELATIONS));
    expect(answered).toMatchObject({
      value: { relations: [{ from: "a}", to: "actor" }] },
      output_mode: "text",
      usage: { llm_calls: 3 },
    });
    expect(provider.received[2]!.body.response_format).toBeUndefined();
    expect(provider.received[2]!.body.messages[0]!.content).toContain(`"additionalProperties":false`);
    expect(remembers.kept.get("fake/small")?.output_mode).toBe("text");
  });

  test("begins in another isolate at the remembered output_mode", async () => {
    await using provider = await fakeProvider(answer(GOOD));
    const remembers = memory();
    remembers.kept.set("fake/small", { ...ASSUMED, output_mode: "text" } as never);
    expect((await llmOver(provider, {}, remembers).complete(callFor(RELATIONS))).output_mode).toBe("text");
  });

  test("begins at the top when memory is unreadable", async () => {
    await using provider = await fakeProvider(answer(GOOD));
    const remembers = memory();
    remembers.kept.set("fake/small", { output_mode: "xml" } as never);
    expect((await llmOver(provider, {}, remembers).complete(callFor(RELATIONS))).output_mode).toBe("json_schema");
  });

  test("begins at the configured output_mode, whatever memory has", async () => {
    await using provider = await fakeProvider(answer(GOOD));
    const remembers = memory();
    remembers.kept.set("fake/small", { ...ASSUMED, output_mode: "text" } as never);
    const answered = await llmOver(provider, { small: { output_mode: "json_object" } }, remembers).complete(
      callFor(RELATIONS),
    );
    expect(answered.output_mode).toBe("json_object");
  });

  test("reads memory once per model", async () => {
    await using provider = await fakeProvider(answer(GOOD), answer(GOOD));
    const remembers = memory();
    const recall = vi.spyOn(remembers, "recall");
    const llm = llmOver(provider, {}, remembers);
    await llm.complete(callFor(RELATIONS));
    await llm.complete(callFor(RELATIONS));
    expect(recall).toHaveBeenCalledTimes(1);
  });

  test("keeps a thousand models at most, since callers may name any, and reads memory again for the first", async () => {
    const target = (label: string) =>
      ({ label, assumed: defaultCapabilities("http://fake.test/v1"), configured: {} }) as unknown as Target;
    const remembers = memory();
    const recall = vi.spyOn(remembers, "recall");
    const cache = new CapabilityCache(remembers);
    for (let model = 0; model <= 1000; model++) await cache.get(target(`fake/${model}`));
    await cache.get(target("fake/1"));
    expect(recall).toHaveBeenCalledTimes(1001);
    await cache.get(target("fake/0"));
    expect(recall).toHaveBeenCalledTimes(1002);
  });

  test("steps down for this call only when the provider refuses this schema", async () => {
    await using provider = await fakeProvider(
      error(400, "Invalid schema for response_format 'relations': too deep."),
      answer(GOOD),
      answer(GOOD),
    );
    const remembers = memory();
    const llm = llmOver(provider, {}, remembers);
    expect((await llm.complete(callFor(RELATIONS))).output_mode).toBe("json_object");
    expect(remembers.kept.size).toBe(0);
    expect((await llm.complete(callFor(RELATIONS))).output_mode).toBe("json_schema");
  });

  test("ends at text: a refusal there is final", async () => {
    await using provider = await fakeProvider(NO_SCHEMA, NO_JSON, NO_JSON);
    const remembers = memory();
    const failed = await llmOver(provider, {}, remembers)
      .complete(callFor(RELATIONS))
      .catch((reason: unknown) => reason);
    expect(failed).toMatchObject({
      code: "provider_refused_request",
      options: { retryable: false, usage: { llm_calls: 3 } },
    });
    expect(remembers.kept.size).toBe(0);
  });

  test.each([
    [400, "The prompt is too long.", "provider_input_too_long"],
    [401, "response_format: sign in first", "provider_refused_request"],
    [404, "The model `small` does not exist.", "provider_refused_request"],
  ])("does not apply to a %i with the message %j", async (status, words, code) => {
    await using provider = await fakeProvider(error(status, words));
    const failed = await llmOver(provider)
      .complete(callFor(RELATIONS))
      .catch((reason: unknown) => reason);
    expect(failed).toMatchObject({ code, message: `fake/small answered ${status}: ${words}` });
    expect(provider.received).toHaveLength(1);
  });

  test("does not apply to Markdown", async () => {
    await using provider = await fakeProvider(error(400, "unsupported response_format"));
    const failed = await llmOver(provider)
      .complete(callFor(markdownFormat()))
      .catch((reason: unknown) => reason);
    expect(failed).toBeInstanceOf(LlmError);
    expect(provider.received).toHaveLength(1);
  });

  test("does not lose the answer when memory cannot be written", async () => {
    await using provider = await fakeProvider(NO_SCHEMA, answer(GOOD));
    const logged = vi.spyOn(console, "warn").mockImplementation(() => {});
    const remembers = { ...memory(), remember: () => Promise.reject(new Error("D1 is away")) };
    expect((await llmOver(provider, {}, remembers).complete(callFor(RELATIONS))).value).toEqual(GOOD);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });
});

describe("parameters", () => {
  const model = { model: "fake/small", temperature: 0, top_p: 1, max_output_tokens: 300, seed: 7 };

  test("are sent under their names, and absent ones are not sent", async () => {
    await using provider = await fakeProvider(answer(GOOD));
    await llmOver(provider).complete(callFor(RELATIONS, { model }));
    const { messages: _, response_format: __, ...rest } = provider.received[0]!.body;
    expect(rest).toEqual({ model: "small", temperature: 0, top_p: 1, max_tokens: 300, seed: 7 });
  });

  test("bound the output by max_completion_tokens at OpenAI", async () => {
    const sent: unknown[] = [];
    const llm = createLlm({
      providers: parseProviders({ OPENAI_API_KEY: "sk-1", PROVIDERS: '{"openai":{"api":"chat"}}' }),
      memory: memory(),
      fetch: async (_input, init) => {
        sent.push(JSON.parse(String(init?.body)));
        return Response.json({ choices: [{ finish_reason: "stop", message: { content: "hi" } }] });
      },
    });
    await llm.complete(callFor(markdownFormat(), { model: { ...model, model: "openai/gpt-x" } }));
    expect(sent).toMatchObject([{ max_completion_tokens: 300 }]);
    expect(sent[0]).not.toHaveProperty("max_tokens");
  });

  test.each([
    [
      "max_tokens",
      "max_completion_tokens",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ],
    ["max_completion_tokens", "max_tokens", "Unrecognized request argument supplied: max_completion_tokens"],
  ] as const)("a model that refuses %s is sent %s, and so from then on", async (before, after, words) => {
    await using provider = await fakeProvider(error(400, words), answer(GOOD), answer(GOOD));
    const remembers = memory();
    const llm = llmOver(provider, { small: { max_tokens_parameter: before } }, remembers);
    const answered = await llm.complete(callFor(RELATIONS, { model }));
    await llm.complete(callFor(RELATIONS, { model }));
    expect(answered).toMatchObject({ output_mode: "json_schema", usage: { llm_calls: 2 } });
    expect(provider.received.map(({ body }) => [body[before], body[after]])).toEqual([
      [300, undefined],
      [undefined, 300],
      [undefined, 300],
    ]);
    expect(remembers.kept.get("fake/small")?.max_tokens_parameter).toBe(after);
  });

  test("a refusal of both names of the bound is final", async () => {
    await using provider = await fakeProvider(
      error(400, "unknown field max_tokens"),
      error(400, "unknown field max_completion_tokens"),
    );
    const failed = await llmOver(provider)
      .complete(callFor(RELATIONS, { model }))
      .catch((reason: unknown) => reason);
    expect(failed).toMatchObject({ code: "provider_refused_request", options: { usage: { llm_calls: 2 } } });
  });

  test("refused ones are dropped one by one, permanently", async () => {
    await using provider = await fakeProvider(
      error(
        400,
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      ),
      json(422, { detail: [{ loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] }),
      answer(GOOD),
      answer(GOOD),
    );
    const remembers = memory();
    const llm = llmOver(provider, {}, remembers);
    await llm.complete(callFor(RELATIONS, { model }));
    await llm.complete(callFor(RELATIONS, { model }));
    expect(provider.received.map(({ body }) => ["temperature" in body, "top_p" in body, "seed" in body])).toEqual([
      [true, true, true],
      [false, true, true],
      [false, true, false],
      [false, true, false],
    ]);
    expect(remembers.kept.get("fake/small")).toEqual({ ...ASSUMED, refused_parameters: ["temperature", "seed"] });
  });

  test("are learnt together with the output_mode", async () => {
    await using provider = await fakeProvider(error(400, "seed is not supported"), NO_SCHEMA, answer(GOOD));
    const remembers = memory();
    await llmOver(provider, {}, remembers).complete(callFor(RELATIONS, { model }));
    expect(remembers.kept.get("fake/small")).toEqual({
      ...ASSUMED,
      output_mode: "json_object",
      refused_parameters: ["seed"],
    });
  });

  test.each([
    "temperature: 1.9 is above the maximum of 1",
    "max_tokens is too large: 300. This model takes at most 100.",
  ])("with a value out of range (%s) are an error of the caller, and not dropped", async (words) => {
    await using provider = await fakeProvider(error(400, words));
    const remembers = memory();
    const failed = await llmOver(provider, {}, remembers)
      .complete(callFor(RELATIONS, { model }))
      .catch((reason: unknown) => reason);
    expect(failed).toMatchObject({ code: "provider_refused_request" });
    expect(provider.received).toHaveLength(1);
  });

  test("that are configured as refused are never sent", async () => {
    await using provider = await fakeProvider(answer(GOOD));
    await llmOver(provider, { small: { refused_parameters: ["seed", "max_output_tokens"] } }).complete(
      callFor(RELATIONS, { model }),
    );
    const { body } = provider.received[0]!;
    expect(body).not.toHaveProperty("seed");
    expect(body).not.toHaveProperty("max_tokens");
    expect(body).not.toHaveProperty("max_output_tokens");
  });
});
