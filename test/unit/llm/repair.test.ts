import { describe, expect, test } from "vitest";
import { LlmError, markdownFormat, type ModelCall, type OutputFormat } from "#llm";
import { answer, callFor, error, fakeProvider, llmOver, type FakeProvider } from "./fake-provider";
import { GOOD, RELATIONS, WRONG } from "./relations";

async function failureOf<T>(
  provider: FakeProvider,
  output: OutputFormat<T>,
  more: Partial<ModelCall<T>> = {},
): Promise<LlmError> {
  const thrown = await llmOver(provider)
    .complete(callFor(output, more))
    .catch((reason: unknown) => reason);
  if (!(thrown instanceof LlmError)) throw new Error(`not an LlmError: ${String(thrown)}`);
  return thrown;
}

describe("repair", () => {
  test("shows the model its own answer and the errors", async () => {
    await using provider = await fakeProvider(answer(WRONG), answer(GOOD));
    const answered = await llmOver(provider).complete(callFor(RELATIONS));
    expect(answered).toMatchObject({
      value: GOOD,
      repairs: 1,
      usage: { llm_calls: 2, input_tokens: 200, output_tokens: 20 },
    });
    const [first, second] = provider.received.map(({ body }) => body.messages);
    expect(second!.slice(0, 2)).toEqual(first);
    expect(second![2]).toEqual({ role: "assistant", content: JSON.stringify(WRONG) });
    expect(second![3]!.content).toContain(`- relations.0.to: must be one of "actor", "use_case".`);
    expect(second![3]!.content).toContain(`"additionalProperties":false`);
  });

  test("shows malformed JSON with the parser's message", async () => {
    await using provider = await fakeProvider(answer(`{"relations": [`), answer(GOOD));
    expect((await llmOver(provider).complete(callFor(RELATIONS))).repairs).toBe(1);
    expect(provider.received[1]!.body.messages[3]!.content).toMatch(/not valid JSON: .*(end|position)/i);
  });

  test("shows the errors that the output's own check found", async () => {
    await using provider = await fakeProvider(answer({ relations: [] }), answer(GOOD));
    expect((await llmOver(provider).complete(callFor(RELATIONS))).repairs).toBe(1);
    expect(provider.received[1]!.body.messages[3]!.content).toContain("- relations: must not be empty.");
  });

  test("is tried once: then the error has the problems of both answers", async () => {
    await using provider = await fakeProvider(answer(WRONG), answer("no JSON at all"));
    const failed = await failureOf(provider, RELATIONS);
    expect(failed.code).toBe("output_invalid");
    expect(failed.message).toMatch(
      /^Neither answer of fake\/small could be used\. The first was not as asked: relations\.0\.to: must be/,
    );
    expect(failed.message).toMatch(/The second was not as asked: The answer is not valid JSON/);
    expect(failed.options).toMatchObject({ retryable: false, usage: { llm_calls: 2, output_tokens: 20 } });
    expect(provider.received).toHaveLength(2);
  });

  test("that fails tells when the model refused a temperature: another sample may then differ", async () => {
    const refused = error(
      400,
      "Unsupported value: 'temperature' does not support 0. Only the default (1) value is supported.",
    );
    await using provider = await fakeProvider(refused, answer(WRONG), answer(WRONG));
    const failed = await failureOf(provider, RELATIONS, { model: { model: "fake/small", temperature: 0 } });
    expect(failed).toMatchObject({ code: "output_invalid", options: { ignores_temperature: true } });
    await using other = await fakeProvider(answer(WRONG), answer(WRONG));
    expect((await failureOf(other, RELATIONS)).options).not.toHaveProperty("ignores_temperature");
  });

  test("repairs syntax by code on the output_mode text only", async () => {
    const trailing = `{"relations": [{"from": "a", "to": "actor"},]}`;
    await using strict = await fakeProvider(answer(trailing), answer(GOOD));
    expect(
      (await llmOver(strict, { small: { output_mode: "json_object" } }).complete(callFor(RELATIONS))).repairs,
    ).toBe(1);
    await using loose = await fakeProvider(answer(trailing));
    expect((await llmOver(loose, { small: { output_mode: "text" } }).complete(callFor(RELATIONS))).repairs).toBe(0);
  });

  test("stays on the output_mode that the first round found", async () => {
    await using provider = await fakeProvider(
      error(400, "Invalid schema for response_format"),
      answer(WRONG),
      answer(GOOD),
    );
    expect(await llmOver(provider).complete(callFor(RELATIONS))).toMatchObject({
      output_mode: "json_object",
      repairs: 1,
      usage: { llm_calls: 3 },
    });
    expect(provider.received[2]!.body.messages[0]!.content).toContain(`"additionalProperties":false`);
  });

  test("that meets a failing provider reports the usage of both requests", async () => {
    await using provider = await fakeProvider(answer(WRONG), error(503, "Overloaded.", { "retry-after": "3" }));
    const failed = await failureOf(provider, RELATIONS);
    expect(failed.code).toBe("provider_unavailable");
    expect(failed.options).toEqual({
      retryable: true,
      model: "fake/small",
      status: 503,
      retry_after_ms: 3000,
      usage: {
        llm_calls: 2,
        input_tokens: 100,
        cached_input_tokens: 0,
        output_tokens: 10,
        reasoning_tokens: 0,
        cost_usd: null,
      },
    });
  });
});

describe("a truncated answer", () => {
  test("gets one round that asks for a shorter one", async () => {
    await using provider = await fakeProvider(
      answer(`{"relations": [{"from": "a",`, { finish_reason: "length" }),
      answer(GOOD),
    );
    expect(await llmOver(provider).complete(callFor(RELATIONS))).toMatchObject({ value: GOOD, repairs: 1 });
    const { messages } = provider.received[1]!.body;
    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(messages[1]!.content).toMatch(/^List them\.\n\n.*cut off.*shorter/s);
  });

  test("is output_truncated when it happens again, and names the limit", async () => {
    const cut = answer("{", { finish_reason: "length" });
    await using provider = await fakeProvider(cut, cut);
    const failed = await failureOf(provider, RELATIONS, { model: { model: "fake/small", max_output_tokens: 50 } });
    expect(failed).toMatchObject({ code: "output_truncated", options: { retryable: false, usage: { llm_calls: 2 } } });
    expect(failed.message).toContain("cut off at 50 output tokens");
  });

  test("differs from an empty one when a model spent its limit on thinking", async () => {
    const thinking = answer("", { finish_reason: "length" });
    await using provider = await fakeProvider(thinking, thinking);
    expect((await failureOf(provider, markdownFormat())).code).toBe("output_truncated");
  });
});

describe("an empty answer", () => {
  test.each([[""], [null], ["  \n"], ["<think>Well, nothing then.</think>"]])(
    "(%j) gets one more round",
    async (nothing) => {
      await using provider = await fakeProvider(answer(nothing), answer(GOOD));
      expect(await llmOver(provider).complete(callFor(RELATIONS))).toMatchObject({ value: GOOD, repairs: 1 });
    },
  );

  test("is output_empty when it happens again", async () => {
    await using provider = await fakeProvider(answer(""), answer(null));
    const failed = await failureOf(provider, RELATIONS);
    expect(failed).toMatchObject({ code: "output_empty", options: { retryable: false, usage: { llm_calls: 2 } } });
    expect(failed.message).toBe(
      "Neither answer of fake/small could be used. The first was empty. The second was empty.",
    );
  });
});

describe("a Markdown answer", () => {
  test("loses its thinking and the fence around all of it", async () => {
    await using provider = await fakeProvider(
      answer("<think>Hm.\n</think>\n```markdown\n# Draft\n\n```mermaid\ngraph LR\n```\n```"),
    );
    const answered = await llmOver(provider).complete(callFor(markdownFormat()));
    expect(answered).toMatchObject({
      value: "# Draft\n\n```mermaid\ngraph LR\n```",
      output_mode: "markdown",
      repairs: 0,
    });
  });

  test("that fails its check is repaired with the document in view", async () => {
    const format = markdownFormat((text) => (text.startsWith("# ") ? [] : ["The document must begin with a title."]));
    await using provider = await fakeProvider(answer("Draft"), answer("# Draft"));
    expect(await llmOver(provider).complete(callFor(format))).toMatchObject({ value: "# Draft", repairs: 1 });
    const { messages, response_format } = provider.received[1]!.body;
    expect(response_format).toBeUndefined();
    expect(messages[2]).toEqual({ role: "assistant", content: "Draft" });
    expect(messages[3]!.content).toContain("- The document must begin with a title.");
  });
});
