import { expect, test } from "vitest";
import { createLlm, LlmError, markdownFormat, parseProviders, type ModelCall } from "#llm";
import { answer, callFor, error, fakeProvider, json, KEY, llmOver, memory, USAGE, type Reply } from "./fake-provider";

const TEXT = markdownFormat();

/** The error of one call whose request gets `reply`; its usage is that of one request. */
async function errorOf(reply: Reply, more: Partial<ModelCall<string>> = {}): Promise<LlmError> {
  await using provider = await fakeProvider(reply);
  const thrown = await llmOver(provider)
    .complete(callFor(TEXT, more))
    .catch((reason: unknown) => reason);
  if (!(thrown instanceof LlmError)) throw new Error(`not an LlmError: ${String(thrown)}`);
  expect(provider.received).toHaveLength(1);
  expect(thrown.options.usage?.llm_calls).toBe(1);
  return thrown;
}

test("a request is sent once, with the labels and the key", async () => {
  await using provider = await fakeProvider(answer("# Draft"));
  const answered = await llmOver(provider).complete(
    callFor(TEXT, { labels: { run: "run_1", step: "modeling/extract#Zähler 你" } }),
  );
  expect(answered).toMatchObject({ value: "# Draft", model: "fake/small", output_mode: "markdown", repairs: 0 });
  const { path, headers, body } = provider.received[0]!;
  expect(path).toBe("/v1/chat/completions");
  expect(headers).toMatchObject({
    authorization: `Bearer ${KEY}`,
    "user-agent": expect.stringMatching(/^OpenAI\/JS \d+\.\d+\.\d+$/),
    "x-parley-run": "run_1",
    "x-parley-step": "modeling/extract#Z%C3%A4hler %E4%BD%A0",
  });
  expect(body).toEqual({
    model: "small",
    messages: [
      { role: "system", content: "You list relations." },
      { role: "user", content: "List them." },
    ],
  });
});

test("a provider without a key gets no Authorization header", async () => {
  await using provider = await fakeProvider(answer("ok"));
  const providers = parseProviders({ PROVIDERS: { fake: { base_url: provider.base_url } } });
  await createLlm({ providers, memory: memory() }).complete(callFor(TEXT));
  expect(provider.received[0]!.headers.authorization).toBeUndefined();
});

test("429 is retryable, with Retry-After in seconds", async () => {
  const failed = await errorOf(error(429, "Slow down.", { "retry-after": "2.5" }));
  expect(failed.code).toBe("provider_rate_limited");
  expect(failed.message).toBe("fake/small answered 429: Slow down.");
  expect(failed.options).toMatchObject({ retryable: true, retry_after_ms: 2500 });
});

test("429 is retryable, with Retry-After as a date", async () => {
  const failed = await errorOf(
    error(429, "Slow down.", { "retry-after": new Date(Date.now() + 60_000).toUTCString() }),
  );
  expect(failed.options.retry_after_ms).toBeGreaterThan(50_000);
  expect(failed.options.retry_after_ms).toBeLessThanOrEqual(60_000);
});

test("a date of Retry-After that has passed means now", async () => {
  const failed = await errorOf(error(429, "Slow down.", { "retry-after": new Date(0).toUTCString() }));
  expect(failed.options.retry_after_ms).toBe(0);
});

test("retry-after-ms takes precedence over Retry-After", async () => {
  const failed = await errorOf(error(429, "Slow down.", { "retry-after-ms": "120", "retry-after": "1" }));
  expect(failed.options.retry_after_ms).toBe(120);
});

test("a 429 with no or an invalid Retry-After has no time", async () => {
  expect((await errorOf(error(429, "Slow down."))).options.retry_after_ms).toBeUndefined();
  expect((await errorOf(error(429, "Slow down.", { "retry-after": "soon" }))).options.retry_after_ms).toBeUndefined();
});

test.each([408, 409, 500, 502, 503, 529])(
  "%i is retryable as provider_unavailable, with its Retry-After",
  async (status) => {
    const failed = await errorOf(error(status, "Try later.", { "retry-after": "1" }));
    expect(failed.code).toBe("provider_unavailable");
    expect(failed.options).toMatchObject({ retryable: true, retry_after_ms: 1000 });
  },
);

test.each([400, 401, 403, 404, 422])("%i is not retryable", async (status) => {
  const failed = await errorOf(error(status, "No such thing."));
  expect(failed.code).toBe("provider_refused_request");
  expect(failed.message).toBe(`fake/small answered ${status}: No such thing.`);
  expect(failed.options.retryable).toBe(false);
});

test.each([
  [400, undefined],
  [401, true],
  [402, true],
  [403, true],
  [404, true],
  [422, undefined],
])("%i says whether another model may answer: %s", async (status, refused) => {
  expect((await errorOf(error(status, "No."))).options.model_refused).toBe(refused);
});

test("a refusal quotes at most 500 characters of the provider, and never the key", async () => {
  const failed = await errorOf(error(401, `Wrong key ${KEY}! ${"x".repeat(2000)}`));
  expect(failed.message).toContain("Wrong key [key]!");
  expect(failed.message).not.toContain(KEY);
  expect(failed.message.length).toBeLessThan(540);
});

test("a refusal in another form than OpenAI's is quoted too", async () => {
  expect((await errorOf(json(400, { detail: "no such route" }))).message).toContain("no such route");
  expect((await errorOf(json(400, { error: "model not loaded" }))).message).toBe(
    "fake/small answered 400: model not loaded",
  );
  expect((await errorOf(json(404, ""))).message).toBe("fake/small answered 404: (nothing)");
});

test("a refused connection is retryable as provider_unreachable", async () => {
  const gone = await fakeProvider();
  await gone[Symbol.asyncDispose]();
  const failed = await llmOver(gone)
    .complete(callFor(TEXT))
    .catch((reason: unknown) => reason);
  expect(failed).toMatchObject({ code: "provider_unreachable", options: { retryable: true, usage: { llm_calls: 1 } } });
  expect((failed as Error).message).toMatch(/^fake\/small could not be reached: .*ECONNREFUSED/);
});

test("a connection that breaks off within the answer is retryable as provider_unreachable", async () => {
  const failed = await errorOf((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write(`{"choices": [`);
    setTimeout(() => response.destroy(), 20);
  });
  expect(failed).toMatchObject({ code: "provider_unreachable", options: { retryable: true } });
});

test("no answer in time is retryable as provider_timeout", async () => {
  const failed = await errorOf(() => {}, { timeout_ms: 150 });
  expect(failed).toMatchObject({ code: "provider_timeout", message: "fake/small did not answer within 0.15 s." });
  expect(failed.options.retryable).toBe(true);
});

test("an answer that starts in time and does not end in time is a provider_timeout as well", async () => {
  const failed = await errorOf(
    (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(`{"choices": [`);
    },
    { timeout_ms: 150 },
  );
  expect(failed.code).toBe("provider_timeout");
});

test.each([
  ["an error with status 200", json(200, { error: { message: "upstream is down" } }), /upstream is down/],
  ["no choices", json(200, { choices: [] }), /not with a chat completion/],
  ["broken JSON", json(200, `{"choices": [`), /not JSON/],
])("%s is retryable as provider_unavailable", async (_, reply, message) => {
  const failed = await errorOf(reply);
  expect(failed).toMatchObject({ code: "provider_unavailable", options: { retryable: true } });
  expect(failed.message).toMatch(message);
});

test("a refusal field is output_refused, with the usage that it cost", async () => {
  const failed = await errorOf(answer(null, { refusal: "I can't." }));
  expect(failed).toMatchObject({ code: "output_refused", message: "fake/small refused to answer: I can't." });
  expect(failed.options).toMatchObject({
    retryable: false,
    usage: { input_tokens: USAGE.prompt_tokens, output_tokens: 10 },
  });
});

test("a content filter is output_refused", async () => {
  const failed = await errorOf(answer("half of a senten", { finish_reason: "content_filter" }));
  expect(failed).toMatchObject({ code: "output_refused", options: { retryable: false } });
});

test("a provider that is no longer configured is named", async () => {
  const llm = createLlm({ providers: parseProviders({}), memory: memory() });
  const failed = await llm.complete(callFor(TEXT)).catch((reason: unknown) => reason);
  expect(failed).toMatchObject({ code: "provider_unreachable", options: { retryable: false } });
  expect((failed as Error).message).toContain("fake/small");
});

const TOO_LONG: [server: string, status: number, message: string][] = [
  [
    "OpenAI",
    400,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  ],
  ["Anthropic", 400, "prompt is too long: 210000 tokens > 200000 maximum"],
  ["llama.cpp", 400, "the request exceeds the available context size, try increasing it"],
  ["Groq", 400, "Please reduce the length of the messages or completion. context_length_exceeded"],
  ["a proxy", 413, "Request Entity Too Large"],
];
test.each(TOO_LONG)("%s: the message that a prompt is too long is recognised", async (_, status, message) => {
  const failed = await errorOf(error(status, message));
  expect(failed).toMatchObject({ code: "provider_input_too_long", options: { retryable: false } });
});
