import { describe, expect, test } from "vitest";
import { configurationsOf, inputSchema, optionsSchema } from "#workflows/ideation/contract";
import { identicalCritics } from "#workflows/ideation/rules/identical-critics";
import { personasOf } from "#workflows/ideation/rules/personas";
import { callsPerTrial, configurationOf, PRESETS, type Preset } from "#workflows/ideation/rules/presets";
import { ideation } from "#workflows/ideation/workflow";

const errors = (options: unknown): string[] =>
  optionsSchema.safeParse(options).error?.issues.map((issue) => issue.path.join(".")) ?? [];

describe("options", () => {
  test("have the defaults of the design", () => {
    expect(optionsSchema.parse({})).toEqual({
      profile: "default",
      preset: "panel",
      proposers: 1,
      critics: 3,
      depth: 2,
      proposer_personas: ["researcher"],
      critic_personas: ["methodologist", "scholar", "drawn"],
      ideas: 5,
      trials: 1,
      parallelism: 8,
      grounding_papers: 10,
      duplicate_checks: 0,
      extras: ["critic_papers", "earlier_criticisms", "closest_work", "match_reasons", "final_check"],
      bank_size: 100,
      expand: "top_k",
      proposals: 3,
      tournament_rounds: 10,
      both_orders: false,
      filters: [],
      rubric: false,
      reviews: [],
      interaction_timeout: "7d",
      on_expiry: "proceed",
    });
  });

  test.each([
    ["preset", "best"],
    ["proposers", 0],
    ["proposers", 9],
    ["critics", 9],
    ["depth", -1],
    ["ideas", 0],
    ["ideas", 21],
    ["trials", 101],
    ["parallelism", 33],
    ["paper_source", "arxiv"],
    ["grounding_papers", 31],
    ["bank_size", 9],
    ["bank_size", 201],
    ["method", "  "],
    ["dedup_threshold", 1.1],
    ["expand", "some"],
    ["proposals", 51],
    ["tournament_rounds", 21],
    ["filters", ["taste"]],
    ["filters", ["novelty", "novelty"]],
    ["duplicate_checks", 201],
    ["extras", ["magic"]],
    ["extras", ["match_reasons", "match_reasons"]],
    ["compare", ["single"]],
    ["compare", ["single", "single"]],
    ["proposer_personas", []],
    ["reviews", ["bracket_svg"]],
  ])("refuse %s: %j", (name, value) => {
    expect(errors({ [name]: value })[0]).toMatch(new RegExp(`^${name}`));
  });

  test("need one persona for each agent", () => {
    expect(errors({ preset: "baseline", critics: 2, critic_personas: ["physics"] })).toEqual(["critic_personas"]);
    expect(errors({ preset: "baseline", critic_personas: ["physics", "a poet"] })).toEqual([]);
  });

  test("refuse critics without rounds, and rounds without critics, when both are given", () => {
    expect(errors({ critics: 3, depth: 0 })).toEqual(["depth"]);
    expect(errors({ critics: 0, depth: 5 })).toEqual(["critics"]);
    expect(errors({ critics: 0, critic_personas: ["physics"] })).toEqual(["critics"]);
    expect(errors({ depth: 0, critic_personas: ["physics"] })).toEqual(["depth"]);
    expect(errors({ critics: 0, depth: 0, critic_personas: [] })).toEqual([]);
    expect(errors({ critics: 0 })).toEqual([]);
    expect(errors({ depth: 0 })).toEqual([]);
  });

  test("bound the ideas of a run, and name their number", () => {
    expect(errors({ ideas: 20, trials: 100 })).toEqual([]);
    expect(errors({ ideas: 20, trials: 100, proposers: 2 })).toEqual(["trials"]);
    expect(errors({ ideas: 20, trials: 50, expand: "all" })).toEqual([]);
    expect(errors({ ideas: 20, trials: 51, expand: "all" })).toEqual(["trials"]);
    expect(errors({ ideas: 20, trials: 26, compare: ["single", "baseline"] })).toEqual(["trials"]);
  });

  test("refuse changes of a dialogue beside a comparison, which has its own", () => {
    expect(errors({ compare: ["single", "baseline"], critics: 2, depth: 1 })).toEqual(["critics", "depth"]);
  });

  test("compare any mix of agents, rounds and personas under a name of its own", () => {
    const mix = { name: "deep_panel", critics: 2, depth: 3, critic_personas: ["physics", "a poet"] };
    const [side, other] = configurationsOf(optionsSchema.parse({ compare: [mix, "baseline"] }));
    expect(side).toMatchObject({ name: "deep_panel", proposers: 1, critics: 2, depth: 3 });
    expect(other).toMatchObject({ name: "baseline", critics: 1, depth: 1 });
    expect(errors({ compare: [{ ...mix, name: "baseline" }, "baseline"] })).toEqual(["compare"]);
    expect(errors({ compare: [{ ...mix, critics: 3 }, "baseline"] })).toEqual(["compare.0.critic_personas"]);
    expect(errors({ compare: [{ ...mix, name: "Deep/panel" }, "baseline"] })[0]).toMatch(/^compare/);
  });

  test("check pairs for duplicates by default when ideas come from several dialogues", () => {
    const checks = (options: object) => optionsSchema.parse(options).duplicate_checks;
    expect([{ trials: 2 }, { proposers: 2 }, {}].map(checks)).toEqual([5, 5, 0]);
  });

  test("are the paper's under `compare`, unless the caller sets them", () => {
    const compare = ["single", "baseline"];
    expect(optionsSchema.parse({ compare })).toMatchObject({ duplicate_checks: 0, extras: [], expand: "all" });
    expect(optionsSchema.parse({ compare, duplicate_checks: 2, extras: ["match_reasons"] })).toMatchObject({
      duplicate_checks: 2,
      extras: ["match_reasons"],
    });
  });

  test("are shown in a form that can be sent again", () => {
    for (const given of [
      {},
      { preset: "single" },
      { preset: "single", critics: 2 },
      { compare: ["single", "baseline"] },
    ]) {
      const filled = optionsSchema.parse(given);
      expect(optionsSchema.parse(filled)).toEqual(filled);
    }
  });
});

describe("a configuration", () => {
  test("is the preset's, with the caller's changes", () => {
    expect(configurationOf("recommended", { critics: 5 })).toMatchObject({ critics: 5, depth: 2, proposers: 1 });
    expect(configurationOf("baseline", { proposer_personas: ["physics", "biology"] })).toMatchObject({ proposers: 2 });
    expect(configurationOf("baseline", { critic_personas: ["physics", "biology"] })).toMatchObject({ critics: 2 });
  });

  test("has no critics without rounds, and no rounds without critics", () => {
    for (const change of [{ critics: 0 }, { depth: 0 }])
      expect(configurationOf("recommended", change)).toMatchObject({ critics: 0, depth: 0, critic_personas: [] });
  });

  test("gets one critic or one round, when only the other was requested", () => {
    expect(configurationOf("single", { critics: 2 })).toMatchObject({ critics: 2, depth: 1 });
    expect(configurationOf("single", { depth: 3 })).toMatchObject({ critics: 1, depth: 3 });
  });

  test("costs the calls of the design", () => {
    const calls = (name: Preset) => callsPerTrial(configurationOf(name));
    expect(Object.fromEntries((Object.keys(PRESETS) as Preset[]).map((name) => [name, calls(name)]))).toEqual({
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
    });
    expect(callsPerTrial(configurationOf("recommended", { proposers: 2 }))).toBe(18);
  });

  test("exists once, or once for each compared preset", () => {
    expect(configurationsOf(optionsSchema.parse({})).map(({ name }) => name)).toEqual(["panel"]);
    expect(
      configurationsOf(optionsSchema.parse({ compare: ["single", "parallel_4"] })).map(({ name }) => name),
    ).toEqual(["single", "parallel_4"]);
  });
});

describe("personas", () => {
  const names = (entries: string[], seed = 1) => personasOf(entries, seed, "critics").map(({ name }) => name);

  test("are built in, in any spelling, or the caller's own words", () => {
    expect(names(["Physics-AI", "psychology", "researcher", "You are a poet."])).toEqual([
      "physics",
      "psychology",
      "researcher",
      "custom",
    ]);
    expect(personasOf(["You are a poet."], 1, "critics")[0]!.text).toBe("You are a poet.");
  });

  test("of a field get a text for proposing or for criticising, not both", () => {
    const textFor = (who: "proposers" | "critics") => personasOf(["finance"], 1, who)[0]!.text;
    expect(textFor("proposers")).toMatch(/build methods on/);
    expect(textFor("proposers")).not.toMatch(/go wrong/);
    expect(textFor("critics")).toMatch(/go wrong/);
    expect(textFor("critics")).not.toMatch(/build methods/);
  });

  test("that are drawn differ from each other and from named ones, and depend on the seed", () => {
    const drawn = names(["drawn", "drawn", "drawn", "drawn", "physics"]);
    expect(new Set(drawn).size).toBe(5);
    expect(names(["drawn"], 5)).toEqual(names(["drawn"], 5));
    expect(new Set(Array.from({ length: 30 }, (_, seed) => names(["drawn"], seed)[0])).size).toBe(5);
  });
});

describe("identical critics", () => {
  const critics = (personas: string[], roles: Record<string, object>) =>
    identicalCritics({ critics: personas.length, critic_personas: personas }, roles as any).length;
  const greedy = { critic: { model: "a/b", temperature: 0 } };

  test("have the same persona and model at temperature 0, whatever their seeds", () => {
    expect(critics(["researcher", "researcher"], greedy)).toBe(1);
    expect(critics(["Physics-AI", "physics"], greedy)).toBe(1);
    expect(critics(["a poet", " a poet"], greedy)).toBe(1);
    expect(critics(["a poet", "a poet"], { ...greedy, critic_2: { model: "a/b", temperature: 0, seed: 4 } })).toBe(1);
    expect(
      critics(
        Array.from({ length: 6 }, () => "drawn"),
        greedy,
      ),
    ).toBe(1);
  });

  test("differ when persona, model or temperature differ", () => {
    expect(critics(["researcher"], greedy)).toBe(0);
    expect(critics(["researcher", "physics"], greedy)).toBe(0);
    expect(critics(["drawn", "drawn", "physics"], greedy)).toBe(0);
    expect(critics(["researcher", "researcher"], { critic: { model: "a/b", temperature: 0.1 } })).toBe(0);
    expect(critics(["researcher", "researcher"], { ...greedy, critic_2: { model: "a/c", temperature: 0 } })).toBe(0);
  });
});

describe("input", () => {
  const paths = (input: unknown) =>
    inputSchema.safeParse(input).error?.issues.map((issue) => issue.path.join(".")) ?? [];

  test("accepts a topic of 1 to 20,000 characters", () => {
    expect(paths({ topic: "x".repeat(20_000) })).toEqual([]);
    expect(paths({ topic: "x".repeat(20_001) })).toEqual(["topic"]);
    expect(paths({ topic: " \n" })).toEqual(["topic"]);
    expect(paths({})).toEqual(["topic"]);
  });

  test("accepts papers with title and abstract, and only web addresses", () => {
    const paper = { title: "A", abstract: "B" };
    expect(paths({ topic: "x", papers: [{ ...paper, year: 2024, url: "https://example.com/a" }] })).toEqual([]);
    expect(paths({ topic: "x", papers: [{ ...paper, url: "javascript:alert(1)" }] })).toEqual(["papers.0.url"]);
    expect(paths({ topic: "x", papers: [{ title: "A" }] })).toEqual(["papers.0.abstract"]);
    expect(paths({ topic: "x", papers: [] })).toEqual(["papers"]);
  });
});

test("the example of the workflow is valid", () => {
  expect(inputSchema.safeParse(ideation.example.input).success).toBe(true);
  expect(optionsSchema.safeParse(ideation.example.options).success).toBe(true);
});

test("a paper whose year or address is unknown may say so with null", () => {
  const papers = [{ title: "A Paper", abstract: "On something.", year: null, url: null }];
  expect(inputSchema.parse({ topic: "Cheaper evaluation", papers }).papers).toEqual(papers);
});
