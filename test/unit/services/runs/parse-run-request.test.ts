/** Requests of runs under a profile: what the profile gives, and what the request decides. */
import { expect, test } from "vitest";
import { z } from "zod";
import { parseProviders } from "#llm";
import { parseRunRequest } from "#services/runs/parse-run-request";
import { describeWorkflow } from "#services/runs/describe-workflow";
import type { Services } from "#services/services";
import { commonOptions } from "#workflow-kit/options";
import { defineWorkflow, type WorkflowDefinition } from "#workflow-kit/workflow";

const workflow: WorkflowDefinition = defineWorkflow({
  name: "toy",
  version: 1,
  title: "Toy",
  summary: "",
  source: { title: "None", url: null },
  stages: ["one"],
  roles: [
    { name: "speaker", summary: "", decoding: { temperature: 0.7, top_p: 0.9 }, paper_decoding: { temperature: 0 } },
    { name: "judge", summary: "", decoding: { temperature: 0.2 } },
  ],
  actions: [],
  kinds: {},
  review_kinds: ["k"],
  input: z.strictObject({}),
  options: z.strictObject({
    rounds: z.int().default(2),
    extras: z.array(z.string()).default(["ours"]),
    ...commonOptions(["k"]),
  }),
  paper_options: { rounds: 7, extras: [] },
  output: z.unknown(),
  about: () => ({ title: null, excerpt: "" }),
  example: { input: {} },
  run: async () => ({}),
});

const services = {
  store: { budgets: { refuses: async () => false } },
  workflows: { toy: workflow },
  settings: { url_policy: { allow_private: true } },
  providers: parseProviders({ OPENAI_API_KEY: "k", OPENAI_MODEL: "m" }),
} as unknown as Services;

const parsed = async (options: unknown, models: object = {}) => {
  const body = { workflow: "toy", input: {}, options, models };
  const { request, models: resolved } = await parseRunRequest(
    services,
    { tenant_id: "t", mode: "live", workflows: null },
    body,
  );
  return { options: request.options as Record<string, unknown>, roles: resolved.roles };
};

test("the profile paper fills in the paper's options and decoding, and they are stored as resolved", async () => {
  const { options, roles } = await parsed({ profile: "paper" });
  expect(options).toMatchObject({ profile: "paper", rounds: 7, extras: [], reviews: [] });
  expect(roles).toEqual({
    speaker: { model: "openai/m", temperature: 0 },
    judge: { model: "openai/m", temperature: 0.2 },
  });
});

test("what the request states wins over the profile", async () => {
  const { options, roles } = await parsed(
    { profile: "paper", rounds: 3 },
    { roles: { speaker: { temperature: 0.4 } } },
  );
  expect(options).toMatchObject({ rounds: 3, extras: [] });
  expect(roles.speaker).toEqual({ model: "openai/m", temperature: 0.4 });
});

test("the default profile changes nothing", async () => {
  for (const given of [undefined, {}, { profile: "default" }]) {
    const { options, roles } = await parsed(given);
    expect(options).toMatchObject({ profile: "default", rounds: 2, extras: ["ours"] });
    expect(roles.speaker).toEqual({ model: "openai/m", temperature: 0.7, top_p: 0.9 });
  }
});

test("an unknown profile is an error of its own", async () => {
  await expect(parsed({ profile: "papers" })).rejects.toMatchObject({ errors: [{ path: "options.profile" }] });
});

test("a described workflow shows the paper's values", () => {
  const { paper_options, roles } = describeWorkflow(workflow);
  expect(paper_options).toEqual({ rounds: 7, extras: [] });
  expect(roles.map(({ paper_decoding }) => paper_decoding)).toEqual([{ temperature: 0 }, { temperature: 0.2 }]);
});
