import { expect, test } from "vitest";
import { dryRun } from "#engine/estimate/dry-run";
import { workflows } from "#workflows/index";

const deps = {
  agents: { load: async () => [], tools: async () => [] },
  papers: { search: async () => ({ papers: [], failure: null }) },
  runProgram: async () => { throw new Error("no") },
  dataset: async () => { throw new Error("no") },
} as any;
test.each(["requirements", "waterfall"])("%s", async (name) => {
  const workflow = (workflows as any)[name];
  const roles = Object.fromEntries(workflow.roles.map((role: any) => [role.name, { model: "a/b" }]));
  const result = await dryRun(deps, { owner: { tenant_id: "t", mode: "test" }, workflow, input: workflow.input.parse(workflow.example.input), options: workflow.options.parse({}), models: { default: "a/b", embedding: null, seed: null, roles } as any, outcomes: {} });
  expect(result.calls.length).toBeGreaterThan(1);
});
