/** Planners read a shortlist where a tenant has many agents. */
import { beforeAll, expect, it } from "vitest";
import { setUpRuns } from "../../../../support/runs";
import { waterfallOf } from "../../../../support/waterfall";

const { actionsOf, contentsOf, runToEnd, send } = setUpRuns(waterfallOf);

beforeAll(async () => {
  for (let number = 1; number <= 20; number++) {
    const agent = {
      name: `Filing Clerk ${number}`,
      description: "Puts letters into folders.",
      capabilities: ["filing"],
      when_to_use: "When a letter lies about.",
      input: "a letter",
      output: "a folder",
      instructions: "You file letters.",
    };
    expect((await send("POST", "/v1/agents", agent)).status).toBe(201);
  }
});

const body = {
  input: { requirement: "Plan a trip to Lisbon with flights and hotels" },
  options: { clarification: "skip" },
};

it("ranks a large registry by the meaning of its agents' cards, where there is an embedding model", async () => {
  const run = await runToEnd(body);
  const [names] = await contentsOf(run, "agent_shortlist");
  expect(names).toHaveLength(24);
  expect(names).toContain("Travel Planner");
  const actions = await actionsOf(run);
  expect(actions).toContain("embed");
  expect(actions).not.toContain("choose_agents");
  for (const task of JSON.parse(run.output.plan.text).tasks) expect(names).toContain(task.primary_agent);
});

it("has a model choose from a large registry where there is none", async () => {
  const run = await runToEnd({ ...body, models: { embedding: null } });
  const [{ agents }] = await contentsOf(run, "agent_shortlist");
  expect(agents).toHaveLength(24);
  expect(agents[0]).toMatch(/Travel/);
  expect(await actionsOf(run)).not.toContain("embed");
  for (const task of JSON.parse(run.output.plan.text).tasks) expect(agents).toContain(task.primary_agent);
});
