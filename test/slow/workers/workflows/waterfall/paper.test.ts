/** The profile `paper`: every expert of the paper acts, whatever the request. */
import { expect, it } from "vitest";
import { setUpRuns } from "../../../../support/runs";
import { type Body, waterfallAlone } from "../../../../support/waterfall";

const { actionsOf, contentsOf, runToEnd } = setUpRuns((body: Body = {}) =>
  waterfallAlone({
    input: { requirement: "Write a poem about the sea" },
    ...body,
    options: { profile: "paper", ...body.options },
  }),
);

it("has all experts act, also for a plan with one agent, and improves no accepted response", async () => {
  const run = await runToEnd({ test: { script: { verify_response: ["improve"] } } });
  expect(run.output).toMatchObject({ accepted: true, executions: 1 });
  expect((await actionsOf(run)).filter((one) => !/human|keep|read|parse|execute|write_answer/.test(one))).toEqual([
    "ask_clarifications",
    "optimize_requirement",
    "transform_requirement",
    "verify_requirement",
    "decompose_task",
    "write_pseudocode",
    "verify_pseudocode",
    "generate_code",
    "call_agent",
    "verify_response",
  ]);
  const [verdict] = await contentsOf(run, "response_verdict");
  expect(verdict).not.toHaveProperty("improvements");
});

it("follows the Analyst when the same failure comes back", async () => {
  const script = { generate_code: ["runtime_error"], fix_code: ["no_fix", "fix"], analyze_error: ["implementation"] };
  const run = await runToEnd({ test: { script } });
  expect(run.output).toMatchObject({ accepted: true, executions: 3 });
  expect(await actionsOf(run)).not.toContain("change_layer");
});

it("lets an option of the request prevail", async () => {
  const run = await runToEnd({ options: { verify_requirement: false } });
  expect(await actionsOf(run)).not.toContain("verify_requirement");
});
