/** A run without faults runs as its paper says, with a real program in the sandbox. */
import { beforeAll, describe, expect, it } from "vitest";
import { setUpRuns } from "../../../support/runs";
import { waterfallAlone } from "../../../support/waterfall";

const { actionsOf, artifactsOf, contentsOf, eventsOf, runToEnd } = setUpRuns(waterfallAlone);

describe("a run without faults", () => {
  let run: any;
  let actions: string[];
  beforeAll(async () => {
    run = await runToEnd();
    actions = await actionsOf(run);
  });

  it("has the answer as a document", async () => {
    const { document, answer } = run.output;
    expect(document).toMatchObject({ kind: "answer", media_type: "text/markdown", text: answer });
  });

  it("is accepted with the last agent's answer, and with every document", () => {
    expect(run.output).toMatchObject({ accepted: true, stop_reason: "accepted", executions: 1 });
    expect(run.output.answer).toContain("has done it");
    expect(run.output.gherkin.text).toMatch(/^Feature: /);
    expect(JSON.parse(run.output.plan.text).tasks).toHaveLength(3);
    expect(run.output.pseudocode.text).toContain("function Main");
    expect(run.output.code.text).toContain("export default async function main(agents, {");
    expect(run.output).not.toHaveProperty("calls");
    expect(run.output).not.toHaveProperty("reason");
    expect(run.output.unverified).toEqual([]);
  });

  it("goes through three stages, and has its experts act once in the paper's order", () => {
    expect(run.progress.stages_done).toEqual(["requirement_analysis", "design", "implementation"]);
    expect(actions).toEqual([
      "human_interaction",
      "ask_clarifications",
      "keep_log",
      "optimize_requirement",
      "keep_log",
      "transform_requirement",
      "parse_gherkin",
      "read_registry",
      "decompose_task",
      "write_pseudocode",
      "verify_pseudocode",
      "generate_code",
      "call_agent",
      "call_agent",
      "call_agent",
      "execute_program",
      "read_result",
      "write_answer",
      "verify_response",
    ]);
  });

  it("ran the program: its agent calls, their results and its output are in the log", async () => {
    const [log] = await contentsOf(run, "execution_log");
    expect(log).toMatchObject({ status: "returned", calls: 3, value: run.output.answer });
    expect(log.log).toEqual([{ level: "log", text: "2 results are there" }]);
    expect(log.agent_calls.map((one: any) => one.completed_seq)).toEqual([1, 2, 3]);
    expect(log.agent_calls.every((one: any) => one.ok && one.line > 0)).toBe(true);
    const results = await contentsOf(run, "agent_result");
    expect(results.at(-1).input.results).toEqual(results.slice(0, 2).map((one) => one.value));
  });

  it("names the mock model and the addressees in every artifact of a model", async () => {
    const made = (await artifactsOf(run)).filter((artifact) => artifact.usage.llm_calls > 0);
    expect(new Set(made.map((artifact) => artifact.model))).toEqual(new Set(["mock"]));
    expect(new Set(made.map((artifact) => artifact.role)).size).toBe(9);
  });

  it("records the syntax tree of the Gherkin", async () => {
    const [ast] = await contentsOf(run, "gherkin_ast");
    expect(ast.feature.children[0].scenario.steps.length).toBeGreaterThan(2);
  });
});

it("numbers its events without a gap, and reports each artifact once", async () => {
  const run = await runToEnd({ test: { script: { generate_code: ["runtime_error"] } } });
  const events = await eventsOf(run.id);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  const announced = events
    .filter((event) => event.type === "run.artifact_created")
    .map((event) => event.data.artifact_id);
  expect(announced.toSorted()).toEqual((await artifactsOf(run)).map((artifact) => artifact.id).toSorted());
});
