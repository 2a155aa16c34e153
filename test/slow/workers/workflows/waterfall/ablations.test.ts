/** Runs without a stage, and one agent alone. */
import { describe, expect, it } from "vitest";
import { setUpRuns } from "../../../../support/runs";
import { waterfallAlone } from "../../../../support/waterfall";

const { actionsOf, runToEnd, traceOf } = setUpRuns(waterfallAlone);

describe("ablations and the baseline", () => {
  it("without requirement analysis plans over the unchanged request", async () => {
    const run = await runToEnd({ options: { skip_stages: ["requirement_analysis"] } });
    expect(run.output).toMatchObject({ accepted: true, gherkin: null });
    expect(run.progress.stages_done).toEqual(["design", "implementation"]);
  });

  it("without design writes the program from the Gherkin, and again after a rejected response", async () => {
    const run = await runToEnd({
      options: { skip_stages: ["design"] },
      test: { script: { verify_response: ["reject", "accept"] } },
    });
    expect(run.output).toMatchObject({ accepted: true, plan: null, pseudocode: null, executions: 2 });
    expect(run.progress.stages_done).toEqual(["requirement_analysis", "implementation"]);
  });

  it("without design rewrites the program when the design is blamed", async () => {
    const run = await runToEnd({
      options: { skip_stages: ["requirement_analysis", "design"] },
      test: { script: { generate_code: ["runtime_error", "ok"], analyze_error: ["design"] } },
    });
    const { actions, count } = await traceOf(run);
    expect(count("generate_code")).toBe(2);
    expect(actions).not.toContain("fix_pseudocode");
    expect(run.output.accepted).toBe(true);
  });

  it("without reflection ends at the first failure", async () => {
    const run = await runToEnd({
      options: { skip_stages: ["reflection"] },
      test: { script: { generate_code: ["syntax_error"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "execution_failed", executions: 1 });
    expect(await actionsOf(run)).not.toContain("analyze_error");
  });

  it("as a single agent answers in one call", async () => {
    const run = await runToEnd({ options: { strategy: "single_agent" } });
    expect(run.output).toMatchObject({ accepted: true, stop_reason: "answered", executions: 0, code: null });
    expect(run.usage.llm_calls).toBe(1);
    expect(run.output.answer).toContain("Lisbon");
  });
});
