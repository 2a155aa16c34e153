/** The calls of proposers, critics and revisers: number, seeds, decoding and prompts, as the endpoint sees them. */
import { describe, expect, it } from "vitest";
import { ideationOf, planOfIdeation, TOPIC } from "../../../../support/ideation";
import { callsOf, planModel } from "../../../../support/parley";
import { setUpRuns } from "../../../../support/runs";
import { PRESET_NAMES } from "#workflows/ideation/rules/presets";

const { client, contentsOf, countOf, live, runToEnd, send } = setUpRuns(ideationOf);

/** Calls for each trial of the paper's configurations (design: options.md). */
const CALLS = {
  single: 1,
  baseline: 3,
  iterative_2: 5,
  iterative_3: 7,
  iterative_4: 9,
  parallel_2: 4,
  parallel_3: 5,
  parallel_4: 6,
  persona_critic: 3,
  persona_proposer: 3,
  recommended: 9,
  panel: 9,
};

describe("calls for each trial, as the endpoint counts them", () => {
  it("knows all presets", () => {
    expect(Object.keys(CALLS).sort()).toEqual([...PRESET_NAMES].sort());
  });

  it.each(Object.entries(CALLS))("%s: %i", async (preset, expected) => {
    const body = ideationOf({ options: { preset, trials: 2, ideas: 2, expand: "none" } });
    const models = await planModel(await planOfIdeation(client, body));
    const id = await live.start({ ...body, models });
    const run = await live.untilCompleted(id);
    const dialogue = (await callsOf(id)).filter(({ step }) => step.startsWith("dialogue/"));
    expect(dialogue).toHaveLength(2 * expected);
    expect(new Set(dialogue.map(({ step }) => step)).size).toBe(2 * expected);
    expect(run.output.metrics.measure).toEqual({ method: "lexical", model: "word-and-pair-cosine", threshold: 0.6 });
  });
});

describe("seeds and decoding, as the endpoint sees them", () => {
  const seedsOf = async (options: object, models: object = {}) => {
    const body = ideationOf({ options: { ideas: 2, expand: "none", ...options } });
    const planned = await planModel(await planOfIdeation(client, body));
    const id = await live.start({ ...body, models: { ...planned, ...models } });
    await live.untilCompleted(id);
    return Object.fromEntries(
      (await callsOf(id)).map(({ step, request }) => [step, request as { seed?: number; temperature?: number }]),
    );
  };

  it("are the paper's: s for a proposal, s + 1 to s + N for critics, s + N + 1 for the revision", async () => {
    const calls = await seedsOf({ preset: "parallel_2", trials: 2 }, { seed: 100 });
    const seed = (key: string) => calls[`dialogue/${key}`]!.seed;
    expect(seed("propose_ideas#parallel_2.t1.p1")).toBe(100);
    expect(seed("critique_ideas#parallel_2.t1.p1.r1.c1")).toBe(101);
    expect(seed("critique_ideas#parallel_2.t1.p1.r1.c2")).toBe(102);
    expect(seed("revise_ideas#parallel_2.t1.p1.r1")).toBe(103);
    expect(seed("propose_ideas#parallel_2.t2.p1")).toBe(101);
  });

  it("count up by rounds with one critic, and the caller's seed for a role takes precedence", async () => {
    const calls = await seedsOf({ preset: "iterative_2" }, { seed: 7, roles: { reviser: { seed: 55 } } });
    const seed = (key: string) => calls[`dialogue/${key}`]!.seed;
    expect([seed("critique_ideas#iterative_2.t1.p1.r1.c1"), seed("critique_ideas#iterative_2.t1.p1.r2.c1")]).toEqual([
      8, 9,
    ]);
    const revised = [seed("revise_ideas#iterative_2.t1.p1.r1"), seed("revise_ideas#iterative_2.t1.p1.r2")];
    expect(new Set(revised).size).toBe(2);
    const again = await seedsOf({ preset: "iterative_2" }, { seed: 8, roles: { reviser: { seed: 55 } } });
    expect([1, 2].map((round) => again[`dialogue/revise_ideas#iterative_2.t1.p1.r${round}`]!.seed)).toEqual(revised);
  });

  it("decode dialogue at temperature 1, proposals and judgments at 0", async () => {
    const calls = await seedsOf({ preset: "baseline", expand: "all" });
    const temperatures = (part: string) =>
      new Set(Object.entries(calls).flatMap(([step, { temperature }]) => (step.startsWith(part) ? [temperature] : [])));
    expect(temperatures("dialogue/")).toEqual(new Set([1]));
    expect(temperatures("proposals/")).toEqual(new Set([0]));
    expect(temperatures("ranking/")).toEqual(new Set([0]));
  });
});

describe("the material that critics read", () => {
  const critiquesOf = async (extras?: string[]) => {
    const body = ideationOf({
      input: { topic: TOPIC, papers: [{ title: "A Paper of Ours", abstract: "It asks three times." }] },
      options: { preset: "iterative_2", ideas: 2, expand: "none", paper_source: undefined, ...(extras && { extras }) },
    });
    const models = await planModel(await planOfIdeation(client, body));
    const id = await live.start({ ...body, models });
    await live.untilCompleted(id);
    const said = new Map((await callsOf(id)).map(({ step, request }) => [step, JSON.stringify(request.messages)]));
    return [1, 2].map((round) => said.get(`dialogue/critique_ideas#iterative_2.t1.p1.r${round}.c1`)!);
  };

  it("is their trial's papers, so that they can object to novelty, and in later rounds the earlier criticisms", async () => {
    const [first, second] = await critiquesOf();
    for (const said of [first, second]) expect(said).toMatch(/- novelty: .+name=\\"papers\\">\\n- p1. A Paper of Ours/);
    expect(first).not.toContain("earlier criticism");
    expect(second).toContain('<material name=\\"earlier criticism\\">');
  });

  it("is the ideas alone, as in the paper, without extras", async () => {
    for (const said of await critiquesOf([])) expect(said).not.toMatch(/- novelty|name=\\"papers|earlier criticism/);
  });
});

describe("critics that would give the same criticism", () => {
  const create = (options: object, models: object = {}) =>
    send("POST", "/v1/runs", { workflow: "ideation", input: { topic: TOPIC }, options, models });

  it("are refused with the reason", async () => {
    const reply = await create({ preset: "parallel_3" }, { roles: { critic: { temperature: 0 } } });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([
      { path: "options.critics", code: "identical_critics", message: expect.stringContaining("temperature 0") },
    ]);
  });

  it("are refused in one of two configurations too", async () => {
    const reply = await create({ compare: ["baseline", "parallel_2"] }, { roles: { critic: { temperature: 0 } } });
    expect(reply.status).toBe(422);
  });

  it.each([
    ["one critic", { preset: "baseline" }, {}],
    ["personas that differ", { preset: "recommended" }, {}],
    ["a second one that samples", { preset: "parallel_2" }, { critic_2: { temperature: 0.5 } }],
  ])("are not refused with %s", async (_what, options, roles) => {
    expect((await create(options, { roles: { critic: { temperature: 0 }, ...roles } })).status).toBe(201);
  });
});

describe("several proposers", () => {
  it("each have their own dialogue with the critics, and their ideas are merged", async () => {
    const run = await runToEnd({
      options: {
        preset: "baseline",
        proposers: 2,
        critics: 2,
        depth: 1,
        proposer_personas: ["Physics-AI", "a poet"],
        ideas: 2,
        expand: "none",
      },
    });
    expect(run.output.ideas).toHaveLength(4);
    const [trial] = await contentsOf(run, "trial");
    expect(trial.dialogues.map(({ proposer }: any) => proposer.name)).toEqual(["physics", "custom"]);
    expect(trial.dialogues.map(({ critiques }: any) => critiques.length)).toEqual([2, 2]);
    expect(await countOf(run, "revise_ideas")).toBe(2);
  });
});

it("critics of the second round read what the revision changed and the author's replies, not everything again", async () => {
  const papers = Array.from({ length: 4 }, (_, index) => ({
    title: `Paper ${index + 1}`,
    abstract: `It measures quantity number ${index + 1}, and says how.`,
    year: null,
  }));
  const body = ideationOf({
    input: { topic: TOPIC, papers },
    options: { preset: "iterative_2", ideas: 3, expand: "none", paper_source: undefined },
  });
  const id = await live.start({ ...body, models: await planModel(await planOfIdeation(client, body)) });
  const run = await live.untilCompleted(id);
  const [first, second] = ["r1", "r2"].map((round) => `dialogue/critique_ideas#iterative_2.t1.p1.${round}.c1`);
  const said = new Map((await callsOf(id)).map(({ step, request }) => [step, request.messages.at(-1)!.content]));
  expect(said.get(first!)).not.toContain("(As before:");
  expect(said.get(second!)).toContain("(As before: problem, existing methods, motivation");
  const [proposed] = await live.contentsOf(run, "proposed_ideas");
  expect(said.get(first!)).toContain(proposed.ideas[0].problem);
  expect(said.get(second!)).not.toContain(proposed.ideas[0].problem);
  const [bank] = await live.contentsOf(run, "paper_bank");
  for (const { key, title, abstract } of bank.papers) {
    expect(said.get(first!)).toContain(`- ${key}. ${title}: ${abstract}`);
    expect(said.get(second!)).toContain(`- ${key}. ${title}`);
  }
  const [set] = await live.contentsOf(run, "idea_set");
  expect(set.ideas).toHaveLength(3);
  for (const idea of set.ideas) expect(idea.problem).not.toBe("");
});
