/** The workflow `plain`: one call, whatever the input. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { setUpRuns } from "../../../support/runs";
import { FUNCTIONS } from "#workflows/waterfall/samples";

const { runToEnd, send, traceOf } = setUpRuns((body: object = {}) => ({
  workflow: "plain",
  input: { question: "Is a signed offer binding?" },
  ...body,
}));
const choices = [
  { label: "A", text: "Yes." },
  { label: "B", text: "No." },
];

describe("a plain run", () => {
  it("answers in one call, and its output fits its schema", async () => {
    const run = await runToEnd();
    expect(run.usage.llm_calls).toBe(1);
    expect(run.output).toMatchObject({ stop_reason: "answered", document: { kind: "answer" } });
    expect(run.output.answer).toContain("Is a signed offer binding?");
    const { body } = await send("GET", "/v1/workflows/plain");
    z.fromJSONSchema(body.output).parse(run.output);
  });

  it.each([
    ["the input of a debate", { question: "Is it binding?", choices }, {}, "A"],
    ["the input of requirements", { idea: "A library that lends tools.", title: "Tools" }, {}, /tools/],
    ["the input of waterfall", { requirement: "Add 2 and 3." }, { form: "line" }, "1"],
    ["the input of ideation", { topic: "Calibration.", existing_ideas: ["Ask twice."] }, {}, /Calibration/],
  ])("takes %s", async (_case, input, options, answer) => {
    const run = await runToEnd({ input, options });
    expect(run.output.answer).toEqual(typeof answer === "string" ? answer : expect.stringMatching(answer));
  });

  it("returns calls of the caller's functions", async () => {
    const run = await runToEnd({
      input: { requirement: "Book a flight." },
      options: { functions: FUNCTIONS.slice(0, 1) },
    });
    expect(run.output.calls).toEqual([{ name: "book_flight", arguments: expect.any(Object) }]);
  });

  it("without the form that was asked for has no answer, and is not asked again", async () => {
    const run = await runToEnd({ options: { form: "line" }, test: { script: { answer: ["formless"] } } });
    expect(run.output).toMatchObject({ answer: null, stop_reason: "formless", document: { kind: "answer" } });
    expect(run.usage.llm_calls).toBe(1);
  });

  it("runs the paper's profile", async () => {
    const run = await runToEnd({ options: { profile: "paper" } });
    expect(run.output.stop_reason).toBe("answered");
    expect((await traceOf(run)).actions).toEqual(["answer"]);
  });

  it("refuses an input without anything to read", async () => {
    const { status, body } = await send("POST", "/v1/runs", { workflow: "plain", input: { corpus_ids: ["crp_1"] } });
    expect(status).toBe(422);
    expect(body.errors[0]).toMatchObject({ path: "input", message: expect.stringContaining("Write a request") });
  });
});
