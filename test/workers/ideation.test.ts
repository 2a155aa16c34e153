/** The ideation workflow plays as its paper says, on the rehearsal model, through each preset and branch. */
import { beforeAll, describe, expect, it } from "vitest";
import { ideation } from "#workflows/ideation/workflow";
import { PRESET_NAMES } from "#workflows/ideation/rules/presets";
import {
  artifactsOf,
  call,
  callsOf,
  type Client,
  makeTenant,
  openInteraction,
  planFromRehearsal,
  planModel,
  replan,
  runWithStatus,
  start,
} from "../support/parley";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const TOPIC = "novel prompting methods that can better quantify uncertainty of large language models";
const begin = ({ options, ...body }: { options?: object; [more: string]: unknown } = {}, key = client.test) =>
  start(key, {
    workflow: "ideation",
    input: { topic: TOPIC },
    options: { paper_source: "none", ...options },
    ...body,
  });
const play = async (body: Parameters<typeof begin>[0] = {}) =>
  runWithStatus(client.test, await begin(body), "completed");
const artifacts = (run: { id: string }) => artifactsOf(client.test, run.id);
const contentOf = async (run: { id: string }, id: string) =>
  (await call("GET", `/v1/runs/${run.id}/artifacts/${id}`, { key: client.test })).body.content;
const contentsOf = async (run: { id: string }, kind: string): Promise<any[]> =>
  Promise.all((await artifacts(run)).filter((one) => one.kind === kind).map(({ id }) => contentOf(run, id)));
const countOf = async (run: { id: string }, action: string) =>
  (await artifacts(run)).filter((one) => one.caused_by === action).length;

const UNSEEN = "Whether the ideas are new was not looked up; the filter `novelty` does.";

describe("a run of the recommended mix", () => {
  let run: any;
  beforeAll(async () => {
    run = await play({ options: { paper_source: undefined } });
  });

  it("gives ideas, a ranking, three proposals and pictures, in the form that its contract says", () => {
    const output = ideation.output.parse(run.output) as any;
    expect(output).toMatchObject({ stop_reason: "expanded", dropped: [] });
    expect(output.ideas.map(({ id }: any) => id)).toEqual(["i1", "i2", "i3", "i4", "i5"]);
    expect(output.ranking.map(({ place }: any) => place)).toEqual([1, 2, 3, 4, 5]);
    expect(output.proposals.map(({ idea }: any) => idea)).toEqual(
      output.ranking.slice(0, 3).map(({ idea }: any) => idea),
    );
    for (const { document } of output.proposals) {
      expect(document.media_type).toBe("text/markdown");
      // The paper's seven sections, the first of which is the title, and the closest work.
      expect(document.text.match(/^## .+$/gm)).toHaveLength(7);
      expect(document.text).toContain("(from memory, to be checked)");
    }
    expect(output.documents.report.text.match(/^## .+$/gm)).toEqual([
      "## To keep in mind",
      "## Ranking",
      "## Most alike",
      "## Proposals",
      "## Other ideas",
      "## Papers",
    ]);
    expect(output.documents.report.text).toContain(UNSEEN);
    expect(output.metrics.configurations).toMatchObject([{ precision_at: null, mean_score: null, win_rate: null }]);
    expect(output.documents.bracket).toMatchObject({
      media_type: "image/svg+xml",
      text: expect.stringMatching(/^<svg /),
    });
    expect(output.documents.similarity.text).toMatch(/^<svg /);
    expect(output.documents.ideas.text.match(/^## /gm)).toHaveLength(5);
    expect(output.metrics).toMatchObject({
      ideas: 5,
      kept: 5,
      non_duplicate_ratio: 1,
      measure: { method: "embedding", model: "rehearsal", threshold: 0.8 },
    });
  });

  it("takes nine calls for its one trial: a proposal, and twice three critiques and a revision", async () => {
    const dialogue = (await artifacts(run)).filter(({ stage, model }) => stage === "dialogue" && model !== null);
    expect(dialogue.map(({ caused_by }) => caused_by).sort()).toEqual([
      ...Array.from({ length: 6 }, () => "critique_ideas"),
      "propose_ideas",
      "revise_ideas",
      "revise_ideas",
    ]);
  });

  it("names in a critique's heading who speaks", async () => {
    const [trial] = await contentsOf(run, "trial");
    const subjects = (await artifacts(run)).filter(({ kind }) => kind === "critique").map(({ subject }) => subject);
    expect(subjects).toContain(`recommended.t1.p1.r2.c3, ${trial.critics[2].name}`);
  });

  it("asks about the most alike pairs, and the judge says what decided", async () => {
    expect(await countOf(run, "check_duplicate")).toBe(5);
    const [ranking] = await contentsOf(run, "ranking");
    for (const { reasons } of ranking.rounds.flatMap((round: any) => round.matches))
      expect(reasons).toEqual([expect.stringContaining("more directly than")]);
    const verdict = (await artifacts(run)).find(({ kind }) => kind === "match_verdict");
    expect(verdict.subject).toMatch(/^round 1: i\d .+ against i\d .+$/);
  });

  it("fills a paper bank by the librarian's queries, and grounds the trial on ten of them", async () => {
    const [bank] = await contentsOf(run, "paper_bank");
    expect(bank.queries).toHaveLength(10);
    expect(bank.queries[0]).toMatchObject({ kind: "keyword", query: `keyword: ${TOPIC}` });
    expect(bank.papers.every(({ score }: any) => score >= 1 && score <= 10)).toBe(true);
    expect(run.output.paper_source).toEqual({ source: "semantic_scholar", papers: bank.papers.length, note: UNSEEN });
    const [trial] = await contentsOf(run, "trial");
    expect(trial.papers).toHaveLength(10);
    const best = new Set(bank.papers.slice(0, 20).map(({ title }: any) => title));
    expect(trial.papers.every((title: string) => best.has(title))).toBe(true);
  });

  it("has three critics of different fields, and keeps who they were", async () => {
    const [trial] = await contentsOf(run, "trial");
    expect(new Set(trial.critics.map(({ name }: any) => name)).size).toBe(3);
    expect(trial).toMatchObject({ configuration: "recommended", trial: 1, seed: 2024 });
  });

  it("shows its options with what the preset fills in, and takes them again", async () => {
    expect(run.options).toMatchObject({ preset: "recommended", proposers: 1, critics: 3, depth: 2, expand: "top_k" });
    const again = await call("POST", "/v1/runs", {
      key: client.test,
      body: { workflow: "ideation", input: run.input, options: run.options },
    });
    expect(again.status).toBe(201);
    expect(again.body.options).toEqual(run.options);
  });
});

/** What the paper's configurations cost for each trial (design: options.md). */
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
};

describe("calls for each trial, as the endpoint counts them", () => {
  it("knows all presets", () => {
    expect(Object.keys(CALLS).sort()).toEqual([...PRESET_NAMES].sort());
  });

  it.each(Object.entries(CALLS))("%s: %i", async (preset, expected) => {
    const body = {
      workflow: "ideation",
      input: { topic: TOPIC },
      options: { preset, trials: 2, ideas: 2, paper_source: "none", expand: "none" },
    };
    const models = await planModel({
      ...(await planFromRehearsal(client, body)),
      "*": [{ content: '{"reason":"It is clearer.","accepted":"A"}' }],
    });
    const id = await start(client.live, { ...body, models });
    const run = await runWithStatus(client.live, id, "completed");
    const dialogue = (await callsOf(id)).filter(({ act }) => act.startsWith("dialogue/"));
    expect(dialogue).toHaveLength(2 * expected);
    expect(new Set(dialogue.map(({ act }) => act)).size).toBe(2 * expected);
    expect(run.output.metrics.measure).toEqual({ method: "lexical", model: "word-and-pair-cosine", threshold: 0.6 });
  });
});

describe("seeds and decoding, as the endpoint sees them", () => {
  const seedsOf = async (options: object, models: object = {}) => {
    const body = {
      workflow: "ideation",
      input: { topic: TOPIC },
      options: { ideas: 2, paper_source: "none", expand: "none", ...options },
    };
    const planned = await planModel({
      ...(await planFromRehearsal(client, body)),
      "*": [{ content: '{"reason":"It is clearer.","accepted":"A"}' }],
    });
    const id = await start(client.live, { ...body, models: { ...planned, ...models } });
    await runWithStatus(client.live, id, "completed");
    return Object.fromEntries(
      (await callsOf(id)).map(({ act, request }) => [act, request as { seed?: number; temperature?: number }]),
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

  it("count up by rounds with one critic, and a seed of the caller's for a role stands", async () => {
    const calls = await seedsOf({ preset: "iterative_2" }, { seed: 7, roles: { reviser: { seed: 55 } } });
    const seed = (key: string) => calls[`dialogue/${key}`]!.seed;
    expect([seed("critique_ideas#iterative_2.t1.p1.r1.c1"), seed("critique_ideas#iterative_2.t1.p1.r2.c1")]).toEqual([
      8, 9,
    ]);
    expect([seed("revise_ideas#iterative_2.t1.p1.r1"), seed("revise_ideas#iterative_2.t1.p1.r2")]).toEqual([55, 55]);
  });

  it("decode dialogue at temperature 1, proposals and judgments at 0", async () => {
    const calls = await seedsOf({ preset: "baseline", expand: "all" });
    const temperatures = (part: string) =>
      new Set(Object.entries(calls).flatMap(([act, { temperature }]) => (act.startsWith(part) ? [temperature] : [])));
    expect(temperatures("dialogue/")).toEqual(new Set([1]));
    expect(temperatures("proposals/")).toEqual(new Set([0]));
    expect(temperatures("ranking/")).toEqual(new Set([0]));
  });
});

describe("what critics read", () => {
  const critiquesOf = async (extras?: string[]) => {
    const body = {
      workflow: "ideation",
      input: { topic: TOPIC, papers: [{ title: "A Paper of Ours", abstract: "It asks three times." }] },
      options: { preset: "iterative_2", ideas: 2, expand: "none", ...(extras && { extras }) },
    };
    const models = await planModel({
      ...(await planFromRehearsal(client, body)),
      "*": [{ content: '{"reason":"It is clearer.","accepted":"A"}' }],
    });
    const id = await start(client.live, { ...body, models });
    await runWithStatus(client.live, id, "completed");
    const said = new Map((await callsOf(id)).map(({ act, request }) => [act, JSON.stringify(request.messages)]));
    return [1, 2].map((round) => said.get(`dialogue/critique_ideas#iterative_2.t1.p1.r${round}.c1`)!);
  };

  it("is their trial's papers, with novelty to object to, and in later rounds what was objected before", async () => {
    const [first, second] = await critiquesOf();
    for (const said of [first, second]) expect(said).toMatch(/- novelty: .+name=\\"papers\\">\\n- A Paper of Ours/);
    expect(first).not.toContain("earlier criticism");
    expect(second).toContain('<material name=\\"earlier criticism\\">');
  });

  it("is the ideas alone, as in the paper, when told so", async () => {
    for (const said of await critiquesOf([])) expect(said).not.toMatch(/novelty|name=\\"papers|earlier criticism/);
  });
});

describe("critics that would say the same", () => {
  const create = (options: object, models: object = {}) =>
    call("POST", "/v1/runs", {
      key: client.test,
      body: { workflow: "ideation", input: { topic: TOPIC }, options, models },
    });

  it("are refused with the reason", async () => {
    const reply = await create({ preset: "parallel_3" }, { roles: { critic: { temperature: 0 } } });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([
      { path: "options.critics", code: "identical_critics", message: expect.stringContaining("temperature 0") },
    ]);
  });

  it("in one of two configurations too", async () => {
    const reply = await create({ compare: ["baseline", "parallel_2"] }, { roles: { critic: { temperature: 0 } } });
    expect(reply.status).toBe(422);
  });

  it.each([
    ["one critic", { preset: "baseline" }, {}],
    ["personas that differ", { preset: "recommended" }, {}],
    ["a second one that samples", { preset: "parallel_2" }, { critic_2: { temperature: 0.5 } }],
  ])("are none with %s", async (_what, options, roles) => {
    expect((await create(options, { roles: { critic: { temperature: 0 }, ...roles } })).status).toBe(201);
  });
});

describe("duplicates", () => {
  it("are dropped, each with what it repeats and how alike they are", async () => {
    const run = await play({
      options: { preset: "single", trials: 2, expand: "none" },
      test: { script: { propose_ideas: ["distinct", "duplicate"] } },
    });
    expect(run.output.ideas).toHaveLength(10);
    expect(run.output.dropped.map(({ idea }: any) => idea)).toEqual(["i6", "i7", "i8", "i9", "i10"]);
    for (const { because } of run.output.dropped) {
      expect(because).toMatchObject({ cause: "similar", similar_to: "i1" });
      expect(because.similarity).toBeGreaterThan(0.8);
    }
    expect(run.output.metrics).toMatchObject({ ideas: 10, kept: 5, non_duplicate_ratio: 0.5 });
    const [matrix] = await contentsOf(run, "similarity_matrix");
    expect(matrix.rows).toHaveLength(10);
    expect(matrix.rows[5][0]).toBeGreaterThan(0.8);
  });

  it("by name are told apart from duplicates by meaning", async () => {
    const run = await play({
      options: { preset: "single", trials: 3, ideas: 3, expand: "none", dedup_threshold: 1 },
      test: { script: { propose_ideas: ["distinct", "same_names", "same_names"] } },
    });
    const causes = run.output.dropped.map(({ because }: any) => because.cause);
    expect(causes).toHaveLength(6);
    expect(new Set(causes)).toEqual(new Set(["same_name"]));
  });

  it("that the measure does not see are dropped when the ranker says so, the later one, with its reason", async () => {
    const run = await play({
      options: { preset: "single", expand: "none", duplicate_checks: 2 },
      test: { script: { check_duplicate: ["same", "different"] } },
    });
    expect(await countOf(run, "check_duplicate")).toBe(2);
    const [{ closest }] = await contentsOf(run, "kept_ideas");
    const [[earlier, later]] = closest.map(({ ideas }: any) => ideas);
    expect(closest.map(({ verdict }: any) => verdict?.same ?? null)).toEqual([true, false, null, null, null]);
    expect(run.output.dropped).toEqual([
      {
        idea: later,
        because: {
          cause: "same_idea",
          similar_to: earlier,
          similarity: closest[0].similarity,
          reason: expect.stringContaining("in one way"),
        },
      },
    ]);
    expect(run.output.metrics).toMatchObject({ kept: 4, non_duplicate_ratio: 0.8 });
    expect(run.output.documents.report.text).toContain("the same idea as");
  });

  it("are looked for by words when no encoder is wanted", async () => {
    const run = await play({
      options: { preset: "single", trials: 2, expand: "none" },
      models: { embedding: null },
      test: { script: { propose_ideas: ["distinct", "duplicate"] } },
    });
    expect(run.output.metrics.measure).toEqual({ method: "lexical", model: "word-and-pair-cosine", threshold: 0.6 });
    expect(run.output.kept).toHaveLength(5);
  });
});

describe("what is made of kept ideas", () => {
  it("none: a ranking and no proposal", async () => {
    const run = await play({ options: { preset: "single", expand: "none" } });
    expect(run.output).toMatchObject({ stop_reason: "ranked", proposals: [] });
    expect(run.progress.stages_done).not.toContain("proposals");
  });

  it("all: every kept idea becomes a proposal, and proposals are ranked", async () => {
    const run = await play({ options: { preset: "single", expand: "all", tournament_rounds: 2 } });
    expect(run.output.proposals).toHaveLength(5);
    expect(run.progress.stages_done.indexOf("proposals")).toBeLessThan(run.progress.stages_done.indexOf("ranking"));
    const [ranking] = await contentsOf(run, "ranking");
    expect(ranking.of).toBe("proposals");
    expect(ranking.rounds).toHaveLength(2);
  });

  it("top_k: as many proposals as were asked for", async () => {
    const run = await play({ options: { preset: "single", proposals: 2 } });
    expect(run.output.proposals).toHaveLength(2);
  });

  it("the judge never reads test cases or the fallback plan of a proposal", async () => {
    const body = {
      workflow: "ideation",
      input: { topic: TOPIC },
      options: { preset: "single", ideas: 2, expand: "all", paper_source: "none" },
    };
    const models = await planModel({
      ...(await planFromRehearsal(client, body)),
      "*": [{ content: '{"reason":"It is clearer.","accepted":"A"}' }],
    });
    const id = await start(client.live, { ...body, models });
    const run = await runWithStatus(client.live, id, "completed");
    const [fallback] = /If .+ does not beat/.exec(run.output.proposals[0].document.text)!;
    const judged = (await callsOf(id)).filter(({ act }) => act.startsWith("ranking/judge_pair"));
    expect(judged.length).toBeGreaterThan(0);
    for (const { request } of judged) {
      const said = JSON.stringify(request.messages);
      expect(said).toContain("Step-by-step experiment plan");
      expect(said).not.toContain(fallback!.slice(0, 20));
      expect(said).not.toMatch(/misleading detail|fallback/i);
    }
  });
});

describe("the tournament", () => {
  it("has those play off between whom only the draw would choose, and says so", async () => {
    // Two rounds among four, the first always winning nothing by merit: whoever is level at the cut and has not met plays once more.
    const run = await play({ options: { preset: "single", ideas: 8, tournament_rounds: 1, proposals: 2 } });
    const [ranking] = await contentsOf(run, "ranking");
    expect(ranking.rounds).toHaveLength(1); // four have won
    expect(ranking.play_off).toHaveLength(6);
    expect(await countOf(run, "judge_pair")).toBe(4 + 6);
    const wins = (id: string) => ranking.play_off.filter(({ winner }: any) => winner === id).length;
    const four = run.output.ranking.slice(0, 4);
    expect(four.map(({ idea }: any) => wins(idea))).toEqual([3, 2, 1, 0]);
    expect(four.map(({ score, tied }: any) => ({ score, tied }))).toEqual(
      Array.from({ length: 4 }, () => ({ score: 2, tied: false })),
    );
    expect(run.output.ranking.slice(4).every(({ tied }: any) => tied)).toBe(true);
    expect(run.output.documents.bracket.text).toContain("Play-off, to settle who is written out");
    expect(run.output.documents.report.text).toContain("play-off");
  });

  it("asks both orders when told so, and gives nobody a win that depends on the order", async () => {
    const run = await play({
      options: { preset: "single", ideas: 4, expand: "none", both_orders: true, tournament_rounds: 1 },
      test: { script: { judge_pair: ["first"] } },
    });
    expect(await countOf(run, "judge_pair")).toBe(4);
    const [ranking] = await contentsOf(run, "ranking");
    expect(ranking.rounds[0].matches.map(({ winner }: any) => winner)).toEqual([null, null]);
    expect(run.output.ranking.map(({ score }: any) => score)).toEqual([1.5, 1.5, 1.5, 1.5]);
  });

  it("scores by a rubric when asked to", async () => {
    const run = await play({ options: { preset: "single", ideas: 2, expand: "none", rubric: true } });
    expect(run.output.ranking.every(({ rubric }: any) => rubric.originality >= 1 && rubric.clarity <= 10)).toBe(true);
    expect(await countOf(run, "score_rubric")).toBe(2);
  });

  it("needs no match for one idea", async () => {
    const run = await play({ options: { preset: "single", ideas: 1 } });
    expect(await countOf(run, "judge_pair")).toBe(0);
    expect(run.output.ranking).toMatchObject([{ place: 1, idea: "i1", score: 1 }]);
    expect(run.output.proposals).toHaveLength(1);
  });
});

describe("filters", () => {
  it("drop an idea at the first that it does not pass, with the reason", async () => {
    const run = await play({
      options: { preset: "single", ideas: 3, expand: "none", filters: ["significance", "consistency"] },
      test: { script: { check_idea: ["fail", "pass", "pass"] } },
    });
    expect(run.output.dropped).toEqual([
      { idea: "i1", because: { cause: "consistency", reason: expect.stringContaining("does not pass") } },
    ]);
    expect(await countOf(run, "check_idea")).toBe(1 + 2 + 2);
    expect(run.output.kept).toEqual(["i2", "i3"]);
  });

  it("end the run with nothing when nothing is left", async () => {
    const run = await play({
      options: { preset: "single", ideas: 2, filters: ["feasibility"] },
      test: { script: { check_idea: ["fail", "fail"] } },
    });
    expect(run.output).toMatchObject({ stop_reason: "nothing_left", kept: [], ranking: [], proposals: [] });
    expect(run.output.documents.ideas.text).toContain("No idea is left.");
  });

  it("look for what has been published: in the source of papers", async () => {
    const run = await play({
      options: {
        preset: "single",
        ideas: 2,
        expand: "none",
        filters: ["novelty"],
        paper_source: "semantic_scholar",
        bank_size: 10,
      },
      test: { script: { check_novelty: ["known", "new"] } },
    });
    expect(run.output.dropped).toMatchObject([{ idea: "i1", because: { cause: "novelty" } }]);
    const made = (await artifacts(run)).filter(({ stage }) => stage === "filtering");
    const searches = made.filter(({ kind }) => kind === "paper_search");
    expect(searches).toHaveLength(2);
    const verdicts = made.filter(({ caused_by }) => caused_by === "check_novelty");
    expect(verdicts.flatMap(({ inputs }) => inputs).toSorted()).toEqual(searches.map(({ id }) => id).toSorted());
  });

  it("say so when there are no papers to look in", async () => {
    const run = await play({ options: { preset: "single", ideas: 1, expand: "none", filters: ["novelty"] } });
    expect(run.output.paper_source.note).toContain("Novelty could not be checked");
    expect(run.output.kept).toEqual(["i1"]);
  });
});

describe("papers of the request", () => {
  const papers = Array.from({ length: 5 }, (_, index) => ({
    title: `Uncertainty of language models, part ${index + 1}`,
    abstract: `The ${index + 1}th way to ask a model how sure it is.`,
  }));

  it("ground the ideas, unscored when none has to be left out", async () => {
    const run = await play({
      input: { topic: TOPIC, papers },
      options: { preset: "single", expand: "none", paper_source: undefined },
    });
    expect(run.output.paper_source).toEqual({ source: "given", papers: 5, note: UNSEEN });
    expect(await countOf(run, "score_papers")).toBe(0);
    const [trial] = await contentsOf(run, "trial");
    expect([...trial.papers].sort()).toEqual(papers.map(({ title }) => title));
  });

  it("are scored by the librarian when trials draw from the best", async () => {
    const run = await play({
      input: { topic: TOPIC, papers },
      options: { preset: "single", expand: "none", grounding_papers: 1, paper_source: undefined },
    });
    expect(await countOf(run, "score_papers")).toBe(1);
    expect((await contentsOf(run, "trial"))[0].papers).toHaveLength(1);
  });

  it("differ from trial to trial", async () => {
    const run = await play({
      input: { topic: TOPIC, papers },
      options: { preset: "single", trials: 4, expand: "none", grounding_papers: 2, paper_source: undefined },
    });
    const seen = (await contentsOf(run, "trial")).map((trial) => trial.papers.join());
    expect(new Set(seen).size).toBeGreaterThan(1);
  });

  it("are not looked for when none are wanted", async () => {
    const run = await play({
      options: { preset: "single", expand: "none", grounding_papers: 0, paper_source: "semantic_scholar" },
    });
    expect(run.output.paper_source).toEqual({ source: "none", papers: 0, note: UNSEEN });
    expect(await countOf(run, "search_papers")).toBe(0);
  });

  it("are asked for in three kinds of queries", async () => {
    const run = await play({
      options: { preset: "single", expand: "none", paper_source: "semantic_scholar" },
      test: { script: { write_paper_query: ["recommendations", "references", "keyword"] } },
    });
    const [bank] = await contentsOf(run, "paper_bank");
    expect(bank.queries.slice(0, 4).map(({ kind }: any) => kind)).toEqual([
      "keyword",
      "recommendations",
      "references",
      "keyword",
    ]);
  });
});

describe("corpora", () => {
  const post = (path: string, body: object) => call("POST", path, { key: client.test, body });
  const newCorpus = async () => {
    const { body: corpus } = await post("/v1/corpora", { name: "Notes on uncertainty", language: "en" });
    for (const [source, text] of Object.entries({
      "Field notes":
        "To quantify the uncertainty of language models, ask the same question three times and compare the answers.",
      Cookery: "Boil the potatoes, and add salt.",
    }))
      expect((await post(`/v1/corpora/${corpus.id}/documents`, { source, text, date: "2021-05-01" })).status).toBe(201);
    return corpus.id as string;
  };

  it("ground the ideas by the passages that suit the topic, as papers", async () => {
    const id = await newCorpus();
    const run = await play({
      input: { topic: TOPIC, corpus_ids: [id] },
      options: { preset: "single", ideas: 1, expand: "none", paper_source: undefined, filters: ["novelty"] },
    });
    const [bank] = await contentsOf(run, "paper_bank");
    expect(bank.papers[0]).toMatchObject({ title: "Field notes", year: 2021 });
    expect(bank.papers[0].abstract).toContain("ask the same question three times");
    expect(run.output.paper_source).toMatchObject({
      source: "given",
      note: "Whether the ideas are new was looked up among the given papers only.",
    });
    const made = await artifacts(run);
    const looked = made.find(({ act }) => act === "filtering/retrieve#novelty.i1");
    const verdict = made.find(({ caused_by }) => caused_by === "check_novelty");
    expect(verdict.inputs).toEqual([looked.id]);
  });

  it("that there are not are refused", async () => {
    const id = await newCorpus();
    const reply = await post("/v1/runs", {
      workflow: "ideation",
      input: { topic: TOPIC, corpus_ids: [id, "cor_none"] },
    });
    expect(reply.status).toBe(422);
    expect(reply.body.errors[0].path).toBe("input.corpus_ids.1");
  });

  it("that are deleted meanwhile are told of, and the run goes on without", async () => {
    const id = await newCorpus();
    const run = await begin({
      input: { topic: TOPIC, corpus_ids: [id] },
      options: {
        preset: "single",
        ideas: 1,
        expand: "none",
        paper_source: undefined,
        filters: ["novelty"],
        checkpoints: ["idea_set"],
      },
    });
    const interaction = await openInteraction(client.test, run);
    await call("DELETE", `/v1/corpora/${id}`, { key: client.test });
    await post(`/v1/interactions/${interaction.id}/answer`, { decision: "approve" });
    const { output } = await runWithStatus(client.test, run, "completed");
    expect(output.paper_source.note).toContain(`These corpora are gone: ${id}.`);
    expect(output.kept).toEqual(["i1"]);
  });
});

describe("several proposers", () => {
  it("each hold their own dialogue with the critics, and put their ideas together", async () => {
    const run = await play({
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

describe("a comparison", () => {
  it("holds two presets against each other, each measured by itself", async () => {
    const run = await play({
      options: { compare: ["single", "baseline"], trials: 2, ideas: 3, tournament_rounds: 3 },
      test: { script: { propose_ideas: ["distinct", "duplicate"] } },
    });
    const [one, other] = run.output.metrics.configurations;
    expect(one).toMatchObject({ configuration: "single", ideas: 6, kept: 3, non_duplicate_ratio: 0.5, ranked: 3 });
    expect(other).toMatchObject({ configuration: "baseline", ideas: 6, ranked: 3 });
    expect(run.options.expand).toBe("all");
    expect(run.output.proposals).toHaveLength(one.kept + other.kept);
    for (const side of [one, other]) {
      expect(Object.keys(side.precision_at)).toEqual(["5", "all"]);
      expect(side.precision_at.all).toBe(0.5);
      expect(side.mean_score).toBeGreaterThanOrEqual(1);
    }
    // As the paper has it: no question about duplicates, and the judge's bare letter.
    expect(run.options).toMatchObject({ duplicate_checks: 0, extras: [] });
    expect(await countOf(run, "check_duplicate")).toBe(0);
    const [ranking] = await contentsOf(run, "ranking");
    expect(ranking.rounds.flatMap(({ matches }: any) => matches).every(({ reasons }: any) => !reasons.length)).toBe(
      true,
    );
    expect(run.output.proposals.every(({ document }: any) => !document.text.includes("Closest work"))).toBe(true);
    expect(one.precision_at["5"] + other.precision_at["5"]).toBeCloseTo(1);
    expect(one.win_rate + other.win_rate).toBeCloseTo(1);
  });
});

describe("a run that fails in the middle of its dialogues", () => {
  it("goes on from there on retry: no call that was answered is made again", async () => {
    const body = {
      workflow: "ideation",
      input: { topic: TOPIC },
      options: { preset: "parallel_2", trials: 3, ideas: 2, paper_source: "none", expand: "none" },
    };
    const plan = {
      ...(await planFromRehearsal(client, body)),
      "*": [{ content: '{"reason":"It is clearer.","accepted":"A"}' }],
    };
    const broken = "dialogue/critique_ideas#parallel_2.t2.p1.r1.c1";
    const models = await planModel({ ...plan, [broken]: [{ status: 400, body: { error: { message: "no" } } }] });
    const id = await start(client.live, { ...body, models });
    await runWithStatus(client.live, id, "failed");
    await replan(models, plan);
    expect((await call("POST", `/v1/runs/${id}/retry`, { key: client.live })).status).toBe(200);
    const run = await runWithStatus(client.live, id, "completed");
    expect(run.output.ideas).toHaveLength(6);
    const answered = (await callsOf(id)).filter(({ status }) => status === 200).map(({ act }) => act);
    expect(new Set(answered).size).toBe(answered.length);
    expect(answered.filter((act) => act.startsWith("dialogue/"))).toHaveLength(12);
  });
});
