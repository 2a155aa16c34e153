import { describe, expect, test } from "vitest";
import { createLlm, LlmError, markdownFormat, parseProviders, type ModelCall, type OutputFormat } from "#llm";
import type { LlmFault } from "#core/vocabulary";
import { callFor } from "./fake-provider";
import { GOOD, RELATIONS } from "./relations";

/** The layer without providers and without a network: only the mock model can answer. */
const llm = createLlm({
  providers: parseProviders({}),
  memory: {
    recall: () => Promise.reject(new Error("not asked")),
    remember: () => Promise.reject(new Error("not told")),
  },
  fetch: () => Promise.reject(new Error("nothing may leave the process")),
});

const DOCUMENT = "# Draft\n\nA cashier counts coins.\n\n```mermaid\ngraph LR\n```\n\nThat is all.";

function completeMock<T>(
  output: OutputFormat<T>,
  content: string,
  faults: LlmFault[],
  more: Partial<ModelCall<T>> = {},
) {
  const left = [...faults];
  const mock = { content: () => content, nextFault: () => left.shift() ?? ("ok" as const), latency_ms: 0 };
  return llm.complete(callFor(output, { mock, ...more }));
}

const json = (...faults: LlmFault[]) => completeMock(RELATIONS, JSON.stringify(GOOD), faults);
const markdown = (...faults: LlmFault[]) => completeMock(markdownFormat(), DOCUMENT, faults);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (reason: unknown) => reason as LlmError,
  );

describe("the mock model", () => {
  test("answers JSON and Markdown, free of charge, whatever model the role has", async () => {
    expect(await json()).toEqual({
      value: GOOD,
      model: "mock",
      output_mode: "json_schema",
      parameters: {},
      dropped_parameters: {},
      response_model: "mock",
      repairs: 0,
      tool_calls: [],
      usage: {
        llm_calls: 1,
        input_tokens: 8,
        cached_input_tokens: 0,
        output_tokens: 11,
        reasoning_tokens: 0,
        cost_usd: 0,
      },
    });
    expect(await markdown()).toMatchObject({ value: DOCUMENT, model: "mock", output_mode: "markdown", repairs: 0 });
  });

  test("answers the same twice", async () => {
    expect(await json()).toEqual(await json());
  });

  test("parses its own content like a model's", async () => {
    const failed = await failure(completeMock(RELATIONS, `{"relations": []}`, []));
    expect(failed).toMatchObject({ code: "output_invalid", options: { usage: { llm_calls: 2 } } });
  });

  test("is reserved and accounted for like a model", async () => {
    const seen: string[] = [];
    const reserve = async () => void seen.push("reserve");
    await completeMock(markdownFormat(), DOCUMENT, [], { reserve, spent: () => void seen.push("spent") });
    expect(seen).toEqual(["reserve", "spent"]);
  });

  test("takes the configured time", async () => {
    const started = performance.now();
    await llm.complete(
      callFor(markdownFormat(), { mock: { content: () => "ok", nextFault: () => "ok", latency_ms: 60 } }),
    );
    expect(performance.now() - started).toBeGreaterThan(50);
  });

  test("slower than the call's timeout is a provider_timeout", async () => {
    const mock = { content: () => "ok", nextFault: () => "ok" as const, latency_ms: 60_000 };
    expect(await failure(llm.complete(callFor(markdownFormat(), { mock, timeout_ms: 50 })))).toMatchObject({
      code: "provider_timeout",
    });
  });

  test("whose content throws shows that error, not a broken connection", async () => {
    const bug = new TypeError("a bug in mock()");
    const content = () => {
      throw bug;
    };
    await expect(
      llm.complete(callFor(RELATIONS, { mock: { content, nextFault: () => "ok", latency_ms: 0 } })),
    ).rejects.toBe(bug);
  });
});

describe("the mock fault", () => {
  test("rate_limited is retryable, at once", async () => {
    expect(await failure(json("rate_limited"))).toMatchObject({
      code: "provider_rate_limited",
      options: { retryable: true, retry_after_ms: 0, usage: { llm_calls: 1, cost_usd: 0 } },
    });
  });

  test("server_error is a retryable provider_unavailable", async () => {
    expect(await failure(json("server_error"))).toMatchObject({
      code: "provider_unavailable",
      options: { retryable: true },
    });
  });

  test("timeout is a retryable provider_timeout, without the wait", async () => {
    const started = performance.now();
    expect(await failure(json("timeout"))).toMatchObject({ code: "provider_timeout", options: { retryable: true } });
    expect(performance.now() - started).toBeLessThan(4000);
  });

  test("malformed is repaired, and output_invalid when it happens twice", async () => {
    expect(await json("malformed")).toMatchObject({ value: GOOD, repairs: 1 });
    expect(await markdown("malformed")).toMatchObject({ value: DOCUMENT, repairs: 1 });
    expect(await failure(json("malformed", "malformed"))).toMatchObject({ code: "output_invalid" });
    expect(await failure(markdown("malformed", "malformed"))).toMatchObject({ code: "output_invalid" });
  });

  test("malformed is refused of any Markdown, wherever the middle falls", async () => {
    for (let length = 1; length <= DOCUMENT.length; length++) {
      expect(
        await completeMock(markdownFormat(), DOCUMENT.slice(-length), ["malformed"], {}).then(
          ({ repairs }) => repairs,
          () => "failed",
        ),
      ).not.toBe(0);
    }
  });

  test("truncated is asked for again, and output_truncated when it happens twice", async () => {
    expect(await markdown("truncated")).toMatchObject({ value: DOCUMENT, repairs: 1 });
    expect(await failure(markdown("truncated", "truncated"))).toMatchObject({ code: "output_truncated" });
  });

  test("refusal is output_refused", async () => {
    expect(await failure(json("refusal"))).toMatchObject({ code: "output_refused", options: { retryable: false } });
  });

  test("ok is no fault, and each request gets the next entry", async () => {
    expect(await json("ok", "refusal")).toMatchObject({ repairs: 0 });
    expect(await failure(json("malformed", "server_error"))).toMatchObject({
      code: "provider_unavailable",
      options: { usage: { llm_calls: 2 } },
    });
  });
});
