/** A program that fails, and a response that is rejected, are repaired up to a limit. */
import { describe, expect, it } from "vitest";
import { setUpRuns } from "../../../../support/runs";
import { waterfallAlone } from "../../../../support/waterfall";

const { actionsOf, contentsOf, countOf, runToEnd, traceOf } = setUpRuns(waterfallAlone);

describe("a program that fails", () => {
  it.each([
    ["syntax_error", "syntax", /expecting|unexpected/i],
    ["runtime_error", "runtime", /undefined/],
    ["endless_loop", "out_of_fuel", /fuel/],
    ["no_answer", "no_answer", /main returned nothing/],
    ["no_agent", "no_answer", /main called no agent/],
    ["unknown_agent", "runtime", /There is no agent ".* Deluxe"\. Nearest are/],
  ])("by a %s is analysed as implementation and repaired by the Code Fixer", async (outcome, kind, message) => {
    const run = await runToEnd({ test: { script: { generate_code: [outcome] } } });
    expect(run.output).toMatchObject({ accepted: true, executions: 2 });
    const actions = await actionsOf(run);
    expect(actions.filter((one) => /analyze|fix/.test(one))).toEqual(["analyze_error", "fix_code"]);
    const [log] = await contentsOf(run, "execution_log");
    if (kind !== "no_answer") expect(log.error).toMatchObject({ kind, message: expect.stringMatching(message) });
    if (kind === "syntax" || outcome === "runtime_error") expect(log.error.line).toBeGreaterThan(2);
    const [report] = await contentsOf(run, "error_report");
    expect(report.error_aspect).toBe("implementation");
    expect(run.progress.stages_done).toEqual(["requirement_analysis", "design", "implementation", "reflection"]);
  });

  it.each(["refuse", "silent"])(
    "because its agents %s is blamed on the design, which uses an alternative",
    async (outcome) => {
      const run = await runToEnd({ test: { script: { call_agent: [outcome, "answer"] } } });
      expect(run.output).toMatchObject({ accepted: true, executions: 2 });
      const actions = await actionsOf(run);
      expect(actions.filter((one) => /analyze|fix|generate/.test(one))).toEqual([
        "generate_code",
        "analyze_error",
        "fix_pseudocode",
        "generate_code",
      ]);
      const [first, second] = await contentsOf(run, "pseudocode");
      const agentsIn = (text: string) => [...text.matchAll(/ask "([^"]+)"/g)].map(([, name]) => name);
      expect(agentsIn(second)).not.toEqual(agentsIn(first));
      const [log] = await contentsOf(run, "execution_log");
      expect(log).toMatchObject({ status: "failed", error: { name: "AgentError" } });
      expect(log.agent_calls.every((one: any) => !one.ok)).toBe(true);
    },
  );

  it("twice in a row for the same reason causes the other layer to be blamed", async () => {
    const script = {
      generate_code: ["runtime_error", "ok"],
      fix_code: ["no_fix"],
      analyze_error: ["implementation", "implementation"],
    };
    const run = await runToEnd({ test: { script } });
    const reports = await contentsOf(run, "error_report");
    expect(reports.map((report) => report.error_aspect)).toEqual(["implementation", "implementation", "design"]);
    const actions = await actionsOf(run);
    expect(actions.filter((one) => /change_layer|fix/.test(one))).toEqual([
      "fix_code",
      "change_layer",
      "fix_pseudocode",
    ]);
    expect(run.output).toMatchObject({ accepted: true, executions: 3 });
  });

  it("has a repaired pseudocode verified if requested", async () => {
    const run = await runToEnd({
      options: { verify_repaired_pseudocode: true },
      test: { script: { call_agent: ["refuse", "answer"] } },
    });
    expect(await countOf(run, "verify_pseudocode")).toBe(2);
    expect(run.output.accepted).toBe(true);
  });

  it("ends the run at the limit of repairs, with the last reason", async () => {
    const run = await runToEnd({
      options: { max_repairs: 1 },
      test: { script: { generate_code: ["runtime_error"], fix_code: ["no_fix"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "max_repairs", executions: 2, answer: null });
    expect(run.output.reason).toMatch(/^TypeError: /);
  });

  it("ends the run at the limit of executions", async () => {
    const run = await runToEnd({
      options: { max_executions: 2 },
      test: { script: { generate_code: ["runtime_error"], fix_code: ["no_fix"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "max_executions", executions: 2 });
  });
});

describe("a response that is rejected", () => {
  it("goes back to the design with the reason, and to a new program", async () => {
    const run = await runToEnd({ test: { script: { verify_response: ["reject", "accept"] } } });
    const { count } = await traceOf(run);
    expect(run.output).toMatchObject({ accepted: true, executions: 2 });
    expect(count("write_pseudocode")).toBe(2);
    expect(count("generate_code")).toBe(2);
    expect(count("verify_pseudocode")).toBe(1);
    expect(run.output.answer).toContain("minding");
  });

  it("ends the run at the limit without an answer under `fail`", async () => {
    const run = await runToEnd({
      options: { max_response_revisions: 0, on_verifier_limit: "fail" },
      test: { script: { verify_response: ["reject"] } },
    });
    expect(run.output).toMatchObject({
      accepted: false,
      stop_reason: "max_response_revisions",
      answer: null,
      document: null,
      unverified: [],
    });
  });

  it("ends the run at the limit, with the best response so far", async () => {
    const run = await runToEnd({
      options: { max_response_revisions: 1 },
      test: { script: { verify_response: ["reject", "reject"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "max_response_revisions", executions: 2 });
    expect(run.output.answer).toContain("has done it");
    expect(run.output.reason).toContain("missing");
    expect(run.output.unverified).toEqual([{ kind: "response", reason: run.output.reason }]);
  });

  it("keeps the response when a later program fails", async () => {
    const run = await runToEnd({
      options: { max_repairs: 0 },
      test: { script: { verify_response: ["reject"], generate_code: ["ok", "runtime_error"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "max_repairs", executions: 2 });
    expect(run.output.answer).toContain("has done it");
  });
});
