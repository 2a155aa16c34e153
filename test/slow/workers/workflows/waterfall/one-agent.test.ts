/** One agent answers a request that needs no team: code writes its program, and a verifier's remarks improve its answer. */
import { describe, expect, it } from "vitest";
import { setUpRuns } from "../../../../support/runs";
import { waterfallAlone } from "../../../../support/waterfall";

const { actionsOf, contentsOf, runToEnd, traceOf } = setUpRuns((body: object = {}) =>
  waterfallAlone({ input: { requirement: "Write a poem about the sea" }, ...body }),
);

describe("a request for one agent", () => {
  it("needs five calls when it is clear, and no pseudocode", async () => {
    const run = await runToEnd({ test: { script: { ask_clarifications: ["none"] } } });
    expect(run.output).toMatchObject({ accepted: true, executions: 1, pseudocode: null, unverified: [] });
    expect(run.usage.llm_calls).toBe(5);
    const called = (await actionsOf(run)).filter((one) => !/human|keep|read|parse|execute|write_answer/.test(one));
    expect(called).toEqual([
      "ask_clarifications",
      "transform_requirement",
      "decompose_task",
      "write_program",
      "call_agent",
      "verify_response",
    ]);
  });

  it("is answered by the planned agent, which gets the user's words unchanged and answers word for word", async () => {
    const run = await runToEnd({ test: { script: { ask_clarifications: ["none"] } } });
    const [result] = await contentsOf(run, "agent_result");
    expect(result.agent).toBe(JSON.parse(run.output.plan.text).tasks[0].primary_agent);
    expect(result.input).toEqual({ requirement: "Write a poem about the sea", context: null, functions: [] });
    expect(run.output.answer).toBe(result.value);
    expect(run.output.code.text).toContain(JSON.stringify(result.agent));
  });

  it("keeps JSON of the agent as the text that it is", async () => {
    const run = await runToEnd({ test: { script: { call_agent: ["json"] } } });
    const [result] = await contentsOf(run, "agent_result");
    expect(typeof result.value).toBe("string");
    expect(run.output.answer).toBe(result.value);
    expect(run.output.answer_json).toEqual(JSON.parse(result.value));
  });

  it("goes back to its agent with draft, objection and suggestions when its response is rejected", async () => {
    const run = await runToEnd({ test: { script: { verify_response: ["reject", "accept"] } } });
    expect(run.output).toMatchObject({ accepted: true, executions: 2 });
    const [first, second] = await contentsOf(run, "agent_result");
    const [verdict] = await contentsOf(run, "response_verdict");
    expect(second).toMatchObject({
      agent: first.agent,
      input: { draft: first.value, objection: verdict.reason, suggestions: [] },
    });
    const { count } = await traceOf(run);
    expect([count("write_pseudocode"), count("generate_code")]).toEqual([0, 0]);
  });

  it("gets better passages when the verifier accepts it and names improvements; the rest stays word for word", async () => {
    const run = await runToEnd({ test: { script: { verify_response: ["improve"] } } });
    expect(run.output).toMatchObject({ accepted: true, executions: 2 });
    const [first, second] = await contentsOf(run, "agent_result");
    const [verdict, ...others] = await contentsOf(run, "response_verdict");
    expect(others).toEqual([]);
    expect(second.input).toMatchObject({ draft: first.value, objection: null, suggestions: verdict.improvements });
    expect(JSON.parse(second.value)).toMatchObject([{ passage: first.value }]);
    expect(run.output.answer).toMatch(/ Better than before: /);
    expect(run.output.answer.startsWith(first.value)).toBe(true);
    expect(run.output.document.text).toBe(run.output.answer);
  });

  it("is not written once more when that is switched off, or no execution is left", async () => {
    for (const options of [{ improve_response: false }, { max_executions: 1 }]) {
      const run = await runToEnd({ options, test: { script: { verify_response: ["improve"] } } });
      expect(run.output).toMatchObject({ accepted: true, executions: 1 });
    }
  });

  it("keeps the accepted answer when the agent fails to improve it", async () => {
    const script = { verify_response: ["improve"], call_agent: ["answer", "refuse"] };
    const run = await runToEnd({ test: { script } });
    expect(run.output).toMatchObject({ accepted: true, stop_reason: "accepted", executions: 2 });
    expect(run.output.answer).toMatch(/^Here stands what a /);
    expect(run.output).not.toHaveProperty("reason");
    expect(run.progress.stages_done).not.toContain("reflection");
  });

  it("has the designers of the paper when its agent fails", async () => {
    const run = await runToEnd({ test: { script: { call_agent: ["refuse", "answer"] } } });
    expect(run.output).toMatchObject({ accepted: true, executions: 2 });
    expect((await actionsOf(run)).filter((one) => /analyze|generate/.test(one))).toEqual([
      "analyze_error",
      "generate_code",
    ]);
  });

  it("returns calls of the caller's functions, whose schemas the agent gets", async () => {
    const parameters = { type: "object", properties: { lines: { type: "integer", minimum: 4 } }, required: ["lines"] };
    const functions = [{ name: "print_poem", description: "Prints a poem.", parameters }];
    const run = await runToEnd({ options: { functions } });
    expect(run.output).toMatchObject({ accepted: true, executions: 1, answer: expect.stringContaining("has done it") });
    expect(run.output.calls).toEqual([{ name: "print_poem", arguments: { lines: 4 } }]);
    const [result] = await contentsOf(run, "agent_result");
    expect(result.input.functions).toEqual(functions);
  });
});

it("a response of several agents is improved by the agent that wrote it", async () => {
  const run = await runToEnd({
    input: { requirement: "Plan a weekend in Lisbon, and add up what it costs" },
    test: { script: { verify_response: ["improve"] } },
  });
  expect(run.output).toMatchObject({ accepted: true, executions: 2 });
  const results = await contentsOf(run, "agent_result");
  expect(results).toHaveLength(4);
  expect(results[3]).toMatchObject({ agent: results[2].agent, input: { draft: results[2].value } });
});
