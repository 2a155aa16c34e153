/** A Gherkin that the parser or the verifier rejects is written again, up to a limit. */
import { describe, expect, it } from "vitest";
import { setUpRuns } from "../../../../support/runs";
import { waterfallAlone } from "../../../../support/waterfall";

const { actionsOf, contentsOf, countOf, runToEnd } = setUpRuns(waterfallAlone);

/** Under the defaults the parser alone checks Gherkin. */
const verify_requirement = true;

describe("a Gherkin that is rejected", () => {
  it("by the parser goes back to its writer with the line, before any verifier is asked", async () => {
    const run = await runToEnd({
      options: { verify_requirement },
      test: { script: { transform_requirement: ["syntax_error", "ok"] } },
    });
    const actions = await actionsOf(run);
    expect(actions.filter((one) => /transform|parse|verify_req|optimize/.test(one))).toEqual([
      "optimize_requirement",
      "transform_requirement",
      "transform_requirement",
      "parse_gherkin",
      "verify_requirement",
    ]);
    expect(run.output.accepted).toBe(true);
  });

  it("by the verifier goes to the Optimization Expert", async () => {
    const run = await runToEnd({
      options: { verify_requirement },
      test: { script: { verify_requirement: ["reject", "accept"] } },
    });
    const actions = await actionsOf(run);
    expect(actions.filter((one) => /optimize|transform|verify_req/.test(one))).toEqual([
      "optimize_requirement",
      "transform_requirement",
      "verify_requirement",
      "optimize_requirement",
      "transform_requirement",
      "verify_requirement",
    ]);
    const versions = await contentsOf(run, "refined_requirement");
    expect(versions[1].refined_requirement).toContain("Mind this above all");
  });

  it("goes directly to its writer if requested", async () => {
    const run = await runToEnd({
      options: { verify_requirement, on_gherkin_rejected: "transform" },
      test: { script: { verify_requirement: ["reject", "accept"] } },
    });
    expect(await countOf(run, "optimize_requirement")).toBe(1);
    expect(run.output.gherkin.text).toContain("this is put right");
  });

  it.each([
    ["verifier", { verify_requirement: ["reject", "reject"] }, /missing/],
    ["parser", { transform_requirement: ["syntax_error", "syntax_error"] }, /^Line \d+, column \d+: expected: /],
  ])("ends the run at the limit under `fail`, by the %s, with the reason", async (_by, script, reason) => {
    const options = { verify_requirement, max_requirement_revisions: 1, on_verifier_limit: "fail" };
    const run = await runToEnd({ options, test: { script } });
    expect(run.output).toMatchObject({
      accepted: false,
      stop_reason: "max_requirement_revisions",
      answer: null,
      executions: 0,
      plan: null,
    });
    expect(run.output.reason).toMatch(reason);
    expect(run.output.gherkin.text).toMatch(/^Feature/);
  });

  it("at the limit continues to an answer all the same, and the output says that it is unverified", async () => {
    const run = await runToEnd({
      options: { verify_requirement, max_requirement_revisions: 1 },
      test: { script: { verify_requirement: ["reject", "reject"] } },
    });
    expect(run.output).toMatchObject({ accepted: true, unverified: [{ kind: "gherkin" }] });
    expect(run.output.unverified[0].reason).toContain("missing");
    expect(run.output.gherkin.text).toMatch(/^Feature/);
  });

  it("continues without any at the limit when the parser understands no version", async () => {
    const run = await runToEnd({
      options: { max_requirement_revisions: 0 },
      test: { script: { transform_requirement: ["syntax_error"] } },
    });
    expect(run.output).toMatchObject({ accepted: true, gherkin: null, unverified: [{ kind: "gherkin" }] });
  });
});
