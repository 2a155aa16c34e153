/** Plans name existing agents, and pseudocode is verified. */
import { describe, expect, it } from "vitest";
import { setUpRuns } from "../../../../support/runs";
import { waterfallAlone } from "../../../../support/waterfall";

const { contentsOf, runToEnd, send } = setUpRuns(waterfallAlone);

describe("design", () => {
  it("sends a plan with an unknown agent back to the Decomposition Expert", async () => {
    const run = await runToEnd({ test: { script: { decompose_task: ["unknown_agent", "ok"] } } });
    const plans = await contentsOf(run, "task_plan");
    expect(plans).toHaveLength(2);
    expect(plans[0].tasks[0].primary_agent).toBe(`${plans[1].tasks[0].primary_agent} Deluxe`);
    expect(run.output.accepted).toBe(true);
  });

  it("ends when plans keep naming unknown agents, and names the nearest", async () => {
    const script = { decompose_task: ["unknown_agent", "unknown_agent", "unknown_agent"] };
    const run = await runToEnd({ test: { script } });
    const plan = JSON.parse(run.output.plan.text);
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "unknown_agents", pseudocode: null });
    expect(run.output.reason).toContain(plan.tasks[0].primary_agent.replace(" Deluxe", ""));
  });

  it("has a rejected pseudocode rewritten, with the reason", async () => {
    const run = await runToEnd({ test: { script: { verify_pseudocode: ["reject", "accept"] } } });
    const versions = await contentsOf(run, "pseudocode");
    expect(versions).toHaveLength(2);
    expect(versions[1]).toContain("minding: Something that was asked for is missing");
    expect(run.output.accepted).toBe(true);
  });

  it("continues with the last pseudocode at the limit of its revisions, and says so", async () => {
    const run = await runToEnd({
      options: { max_pseudocode_revisions: 0 },
      test: { script: { verify_pseudocode: ["reject"] } },
    });
    expect(run.output).toMatchObject({
      accepted: true,
      unverified: [{ kind: "pseudocode", reason: expect.stringContaining("missing") }],
    });
  });

  it("ends at the limit of pseudocode revisions under `fail`", async () => {
    const run = await runToEnd({
      options: { max_pseudocode_revisions: 0, on_verifier_limit: "fail" },
      test: { script: { verify_pseudocode: ["reject"] } },
    });
    expect(run.output).toMatchObject({
      accepted: false,
      stop_reason: "max_pseudocode_revisions",
      code: null,
      unverified: [],
    });
  });

  it("leaves out unknown alternatives of a plan, with a note", async () => {
    const run = await runToEnd({ test: { script: { decompose_task: ["unknown_alternative"] } } });
    const plans = await contentsOf(run, "task_plan");
    expect(plans).toHaveLength(2);
    expect(plans[0].tasks[0].alternative_agents).toHaveLength(1);
    expect(plans[1].tasks[0].alternative_agents).toEqual([]);
    expect(plans[1].note).toBe(
      `Left out, because no agent has this name: "${plans[0].tasks[0].alternative_agents[0]}".`,
    );
    expect(run.output).toMatchObject({ accepted: true, executions: 1 });
  });

  it("plans over the caller's choice of agents, and over no others", async () => {
    const { body } = await send("GET", "/v1/agents?limit=3");
    const chosen = body.data.slice(0, 2);
    const run = await runToEnd({ options: { agents: chosen.map(({ id }: any) => id) } });
    const names = chosen.map(({ name }: any) => name);
    const { tasks } = JSON.parse(run.output.plan.text);
    for (const task of tasks) expect(names).toContain(task.primary_agent);
    expect((await contentsOf(run, "agent_profiles"))[0]).toHaveLength(2);
  });
});
