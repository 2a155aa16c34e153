/** The bound of an output: room for hidden reasoning, and bounds that a model refuses as too large. */
import { describe, expect, test } from "vitest";
import { LlmError, markdownFormat, type ResolvedModel } from "#llm";
import { answer, callFor, error, fakeProvider, llmOver, memory, type FakeProvider } from "./fake-provider";
import { GOOD, RELATIONS } from "./relations";

const ALLOWANCE = 16_384;
const MODEL: ResolvedModel = { model: "fake/small", max_output_tokens: 3000 };

/** An answer whose hidden reasoning used these tokens of its output. */
const reasoned = (content: string, completion_tokens: number, reasoning_tokens: number, finish_reason = "length") =>
  answer(content, {
    finish_reason,
    usage: { prompt_tokens: 10, completion_tokens, completion_tokens_details: { reasoning_tokens } },
  });
const boundsOf = ({ received }: FakeProvider) => received.map(({ body }) => body.max_tokens);

describe("hidden reasoning", () => {
  test("that used up the bound is given room: the same is asked again with a larger bound, and the next call has it at once", async () => {
    await using provider = await fakeProvider(reasoned("", 3000, 3000), answer(GOOD), answer(GOOD));
    const remembers = memory();
    const answered = await llmOver(provider, {}, remembers).complete(callFor(RELATIONS, { model: MODEL }));
    expect(answered).toMatchObject({ value: GOOD, repairs: 1 });
    const [first, second] = provider.received.map(({ body }) => body.messages);
    expect(second).toEqual(first);
    expect(remembers.kept.get("fake/small")).toMatchObject({ reasons: true });
    await llmOver(provider, {}, remembers).complete(callFor(RELATIONS, { model: MODEL }));
    expect(boundsOf(provider)).toEqual([3000, 3000 + 2 * ALLOWANCE, 3000 + ALLOWANCE]);
  });

  test.each([
    ["an empty text at the bound", answer("", { finish_reason: "length" })],
    ["unfinished thinking in the text", answer("<think>Hm, let me see", { finish_reason: "length" })],
  ])("is inferred from %s, although the server does not count it", async (_, cut) => {
    await using provider = await fakeProvider(cut, answer("# Draft"));
    await llmOver(provider).complete(callFor(markdownFormat(), { model: MODEL }));
    expect(boundsOf(provider)).toEqual([3000, 3000 + 2 * ALLOWANCE]);
    expect(provider.received[1]!.body.messages[1]!.content).toBe("List them.");
  });

  test("that is configured has its room from the first request on, and that is reserved", async () => {
    await using provider = await fakeProvider(answer(GOOD));
    const reserved: number[] = [];
    const reserve = async ({ tokens }: { tokens: number }) => void reserved.push(tokens);
    await llmOver(provider, { small: { reasons: true } }).complete(callFor(RELATIONS, { model: MODEL, reserve }));
    expect(boundsOf(provider)).toEqual([3000 + ALLOWANCE]);
    expect(reserved[0]).toBeGreaterThan(3000 + ALLOWANCE);
  });

  test("beside an answer that filled its bound changes nothing: a shorter one is asked for", async () => {
    const full = reasoned("{", 3000 + ALLOWANCE, 5000);
    await using provider = await fakeProvider(full, answer(GOOD));
    await llmOver(provider, { small: { reasons: true } }).complete(callFor(RELATIONS, { model: MODEL }));
    expect(provider.received[1]!.body.messages[1]!.content).toContain("much shorter");
  });

  test("that never ends is named in the error", async () => {
    await using provider = await fakeProvider(reasoned("", 3000, 3000), reasoned("", 35_768, 35_768));
    const failed = await llmOver(provider)
      .complete(callFor(RELATIONS, { model: MODEL }))
      .catch((reason: unknown) => reason);
    expect(failed).toBeInstanceOf(LlmError);
    expect((failed as LlmError).code).toBe("output_truncated");
    expect((failed as LlmError).message).toContain(`cut off at ${3000 + 2 * ALLOWANCE} output tokens, which hidden`);
  });

  test("needs no room where no bound is sent", async () => {
    await using provider = await fakeProvider(reasoned("", 8000, 8000), answer(GOOD));
    await llmOver(provider).complete(callFor(RELATIONS));
    expect(boundsOf(provider)).toEqual([undefined, undefined]);
    expect(provider.received[1]!.body.messages[1]!.content).toContain("much shorter");
  });
});

describe("a bound that the model refuses as too large", () => {
  const BIG: ResolvedModel = { model: "fake/small", max_output_tokens: 16_384 };

  test.each([
    [
      "max_tokens is too large: 16384. This model supports at most 4096 completion tokens, whereas you provided 16384.",
      4096,
    ],
    ["Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8192],
    ["`max_tokens` must be less than or equal to `8,192`, the maximum value for this model", 8192],
    ["max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens", 8192],
    ["max_tokens is too high", 8192],
  ])("is lowered, and remembered: %s", async (refusal, lower) => {
    await using provider = await fakeProvider(error(400, refusal), answer(GOOD), answer(GOOD));
    const remembers = memory();
    await llmOver(provider, {}, remembers).complete(callFor(RELATIONS, { model: BIG }));
    expect(remembers.kept.get("fake/small")).toMatchObject({ most_output_tokens: lower });
    await llmOver(provider, {}, remembers).complete(callFor(RELATIONS, { model: BIG }));
    expect(boundsOf(provider)).toEqual([16_384, lower, lower]);
  });

  test("beside a long prompt is halved for this call only", async () => {
    const refusal =
      "This model's maximum context length is 20000 tokens. However, you requested 26384 tokens (10000 in the messages, 16384 in the completion).";
    await using provider = await fakeProvider(error(400, refusal), answer(GOOD));
    const remembers = memory();
    await llmOver(provider, {}, remembers).complete(callFor(RELATIONS, { model: BIG }));
    expect(boundsOf(provider)).toEqual([16_384, 8192]);
    expect(remembers.kept.size).toBe(0);
  });

  test("although it is small, is the end: the prompt itself is too long", async () => {
    const refusal = error(400, "The prompt and max_tokens together exceed the context window.");
    await using provider = await fakeProvider(...Array.from({ length: 9 }, () => refusal));
    const call = llmOver(provider).complete(callFor(RELATIONS, { model: BIG }));
    await expect(call).rejects.toMatchObject({ code: "provider_input_too_long" });
    expect(boundsOf(provider)).toEqual([16_384, 8192, 4096, 2048, 1024]);
  });
});
