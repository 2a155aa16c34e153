import { describe, expect, test } from "vitest";
import { formOf, inputSchema, optionsSchema } from "#workflows/plain/contract";
import { readReply } from "#workflows/plain/rules/answer";
import { labelsOf, requestText } from "#workflows/plain/rules/request";
import { FUNCTIONS } from "#workflows/waterfall/samples";

const line = (reply: string, labels: readonly string[] | null = null) =>
  readReply(reply, { form: "line", labels, functions: [] }).answer;

describe("a last line", () => {
  test.each([
    ["We count.\nAnswer: 42", "42"],
    ["Answer: 41\nNo, wrong.\n**Answer:** 42.", "42"],
    ["> answer: `x = 3`", "x = 3"],
    ["Answer:\n42", null],
    ["The answer: 42", null],
    ["42", null],
  ])("%j gives %j", (reply, answer) => expect(line(reply)).toBe(answer));

  test.each([
    ["Answer: B", "B"],
    ["Answer: (b)", "B"],
    ["Answer: b) the seller", "B"],
    ["Answer: **C**.", "C"],
    ["Answer: D", null],
    ["Answer: A contract", "A"],
    ["Answer: the seller", null],
  ])("%j names the label %j", (reply, label) => expect(line(reply, ["A", "B", "C"])).toBe(label));
});

describe("a last block of JSON", () => {
  const json = (reply: string) => readReply(reply, { form: "json", labels: null, functions: [] });

  test("is read, with text before it or without", () => {
    expect(json('So.\n```json\n{"a": 1}\n```').answer_json).toEqual({ a: 1 });
    expect(json('```json\n{"a": 1}\n```\nBetter:\n```json\n{"a": 2}\n```').answer_json).toEqual({ a: 2 });
    expect(json('{"a": 3}').answer_json).toEqual({ a: 3 });
  });

  test("that does not parse is no answer", () => {
    expect(json("```json\n{a: 1}\n```")).toEqual({ answer: null });
  });
});

describe("calls of functions", () => {
  const calls = (reply: string) => readReply(reply, { form: "text", labels: null, functions: FUNCTIONS });

  test("are read from the last block", () => {
    const reply =
      'Booked.\n```json\n{"calls": [{"name": "book_flight", "arguments": {"to": "Rome", "seats": 2}}]}\n```';
    expect(calls(reply).calls).toEqual([{ name: "book_flight", arguments: { to: "Rome", seats: 2 } }]);
    expect(calls(reply).answer).toBe(reply);
  });

  test.each([
    ["no block", "I would book it."],
    ["an unknown function", '```json\n{"calls": [{"name": "fly", "arguments": {}}]}\n```'],
    ["arguments that do not fit", '```json\n{"calls": [{"name": "book_flight", "arguments": {"to": "Rome"}}]}\n```'],
  ])("with %s are no answer", (_case, reply) => expect(calls(reply).answer).toBeNull());
});

describe("the request", () => {
  test("is the only text of the input, or its fields under their names", () => {
    expect(requestText({ question: "Why?" })).toBe("Why?");
    expect(requestText({ question: "Why?", corpus_ids: ["crp_1"], background: null })).toBe("Why?");
    expect(
      requestText({
        question: "Which?",
        choices: [
          { label: "A", text: "one" },
          { label: "B", text: "two" },
        ],
      }),
    ).toBe("## Question\n\nWhich?\n\n## Choices\n\nA) one\nB) two");
    expect(requestText({ existing_ideas: ["a", "b"], depth: 2 })).toBe(
      "## Existing ideas\n\n- a\n- b\n\n## Depth\n\n2",
    );
  });

  test("without anything to read is refused", () => {
    expect(inputSchema.safeParse({ corpus_ids: ["crp_1"] }).error!.issues[0]!.message).toMatch(/^Write a request/);
    expect(inputSchema.safeParse({}).success).toBe(false);
    expect(inputSchema.safeParse({ question: "x".repeat(400_001) }).error!.issues[0]!.message).toMatch(/400000/);
  });

  test("with choices is answered in a last line", () => {
    const input = { question: "Which?", choices: [{ label: "A", text: "one" }] };
    expect(labelsOf(input)).toEqual(["A"]);
    expect(formOf(input, {})).toBe("line");
    expect(formOf({ question: "Why?" }, {})).toBe("text");
    expect(formOf(input, optionsSchema.parse({ form: "text" }))).toBe("text");
  });
});
