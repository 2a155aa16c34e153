import { describe, expect, test } from "vitest";
import { extractJson, withoutThinking } from "#llm/extract";
import { unfence } from "#llm/code-fences";

describe("on the output_mode text", () => {
  test.each([
    ["alone", `{"a": 1}`],
    ["in a fence", '```json\n{"a": 1}\n```'],
    ["in a fence among words", 'Here:\n```\n{"a": 1}\n```\nDone.'],
    ["after words with braces", `Take {this} and {that}: {"a": 1}`],
    ["before words with braces", `{"a": 1} as {you} wished`],
    ["after a lone quote", `A 5" screen: {"a": 1} fits`],
    ["with a trailing comma", `Here: {"a": 1,} ok`],
    ["with single quotes", `{'a': 1}`],
    ["cut off", `So: {"a": 1`],
  ])("JSON is found %s", (_, text) => {
    expect(extractJson(text, "text")).toEqual({ ok: true, value: { a: 1 } });
  });

  test("braces and quotes inside strings do not count", () => {
    expect(extractJson(`Well, {"a": "} \\" {"} then`, "text")).toEqual({ ok: true, value: { a: `} " {` } });
  });

  test("words without an object are refused", () => {
    expect(extractJson("I would rather not.", "text")).toEqual({
      ok: false,
      problem: "The answer holds no JSON object.",
    });
  });

  test("a long answer of quotes or braces only is parsed quickly", () => {
    const started = performance.now();
    extractJson(`{"${`\\"`.repeat(100_000)}`, "text");
    extractJson("{}{".repeat(100_000), "text");
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

test.each(["json_schema", "json_object"] as const)(
  "on the output_mode %s nothing is mended but a fence around it all",
  (output_mode) => {
    expect(extractJson('```json\n{"a": 1}\n```', output_mode)).toEqual({ ok: true, value: { a: 1 } });
    expect(extractJson(`Here: {"a": 1}`, output_mode).ok).toBe(false);
    expect(extractJson(`{"a": 1,}`, output_mode).ok).toBe(false);
  },
);

test("only thinking before the answer is removed", () => {
  expect(withoutThinking("\n<think>\nHm {x}\n</think>\n\nYes.")).toBe("Yes.");
  expect(withoutThinking("The tag <think> opens; </think> closes.")).toBe("The tag <think> opens; </think> closes.");
  expect(withoutThinking("<think>and then it stopped")).toBe("");
});

test.each([
  ["a wrapped document", "```markdown\n# A\n```", "# A"],
  ["one wrapped without a word", "```\n# A\n\ntext\n```\n", "# A\n\ntext"],
  ["a wrapped document with a code block", "```md\n# A\n```js\nx\n```\nend\n```", "# A\n```js\nx\n```\nend"],
  ["one wrapped in longer fences", "````\n```\nx\n```\n````", "```\nx\n```"],
])("the fence is removed from %s", (_, text, inside) => {
  expect(unfence(text)).toBe(inside);
});

test.each([
  ["a document that begins and ends with code", "```\na\n```\ntext\n```\nb\n```"],
  ["a block of code", "```js\nlet a;\n```"],
  ["a document with a block in it", "# A\n```\nx\n```"],
])("the fence stays on %s", (_, text) => {
  expect(unfence(text)).toBe(text);
});
