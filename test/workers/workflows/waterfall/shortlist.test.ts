/** Planners read a shortlist where a tenant has many agents. */
import { expect, it } from "vitest";
import { setUpRuns } from "../../../support/runs";
import { waterfallOf } from "../../../support/waterfall";

const { artifactsOf, contentOf, play, send } = setUpRuns(waterfallOf);

it("shows planners a shortlist of a large registry", async () => {
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
  const run = await play({
    input: { requirement: "Plan a trip to Lisbon with flights and hotels" },
    options: { clarification: "skip" },
  });
  const listed = (await artifactsOf(run)).find((artifact) => artifact.kind === "agent_shortlist");
  const content = await contentOf(run, listed);
  expect(content).toHaveLength(24);
  expect(content[0]).toMatch(/Travel/);
  for (const task of JSON.parse(run.output.plan.text).tasks) expect(content).toContain(task.primary_agent);
});
