/** A proposal is written with what critics and judge said of its idea, read once more at the end, and traced to what it was made from. */
import { beforeAll, describe, expect, it } from "vitest";
import { ideationOf, planOfIdeation, TOPIC } from "../../../../support/ideation";
import { callsOf, openInteraction, planModel } from "../../../../support/parley";
import { setUpRuns } from "../../../../support/runs";

const { answer, artifactsOf, client, countOf, live, runToEnd, start, untilCompleted } = setUpRuns(ideationOf);
const SHORT = { preset: "baseline", ideas: 3, proposals: 1 };
const PAPERS = Array.from({ length: 3 }, (_, index) => ({
  title: `Paper ${index + 1}`,
  abstract: `Abstract ${index}.`,
}));

describe("what an artifact was made from", () => {
  let made: any[];
  let run: any;
  beforeAll(async () => {
    run = await runToEnd({ options: { ...SHORT, duplicate_checks: 2, rubric: true, filters: ["feasibility"] } });
    made = await artifactsOf(run);
  });
  const by = (action: string) => made.filter(({ caused_by }) => caused_by === action);
  const ids = (artifacts: any[]) => artifacts.map(({ id }) => id);

  it("verdicts name the idea set, and the kept ideas and the ranking name the verdicts", () => {
    const set = made.find(({ kind }) => kind === "idea_set");
    for (const action of ["check_duplicate", "judge_pair", "score_rubric", "check_idea"]) {
      expect(by(action).length, action).toBeGreaterThan(0);
      for (const { inputs } of by(action)) expect(inputs, action).toEqual([set.id]);
    }
    expect(by("deduplicate")[0].inputs).toEqual([set.id, ...ids(by("check_duplicate"))]);
    expect([...by("play_tournament")[0].inputs].sort()).toEqual(
      ids([...by("judge_pair"), ...by("score_rubric")]).sort(),
    );
  });

  it("a proposal names the idea set, the ranking, and the criticisms before the last revision", () => {
    const set = made.find(({ kind }) => kind === "idea_set");
    expect(by("expand_idea")[0].inputs).toEqual([set.id, ...ids(by("play_tournament")), ...ids(by("critique_ideas"))]);
    expect(by("check_proposal")[0].inputs).toEqual(ids(by("expand_idea")));
    expect(by("mend_proposal")[0].inputs).toEqual(ids([...by("expand_idea"), ...by("check_proposal")]));
  });

  it("of two proposals that are judged, the verdict names both", async () => {
    const all = await runToEnd({ options: { ...SHORT, ideas: 2, expand: "all" } });
    const artifacts = await artifactsOf(all);
    const match = artifacts.find(({ caused_by }) => caused_by === "judge_pair");
    const proposals = artifacts.filter(({ caused_by }) => caused_by === "mend_proposal");
    expect([...match.inputs].sort()).toEqual(ids(proposals).sort());
  });
});

describe("the writer of a proposal, as the endpoint sees it", () => {
  it("is given the papers, the last criticisms of the idea, and the judge's reasons; no step is cut at 4,096 tokens", async () => {
    const body = ideationOf({
      input: { topic: TOPIC, papers: PAPERS },
      options: { ...SHORT, ideas: 2, critics: 3, paper_source: undefined },
    });
    const models = await planModel(await planOfIdeation(client, body));
    const id = await live.start({ ...body, models, limits: { max_tokens: 2_000_000 } } as object);
    await live.untilCompleted(id);
    const calls = new Map((await callsOf(id)).map(({ step, request }) => [step.split("#")[0]!, request as any]));
    const said = JSON.stringify(calls.get("proposals/expand_idea").messages);
    expect(said).toContain("- p1. Paper 1");
    expect(said).toContain('<material name=\\"criticisms\\">');
    expect(said).toMatch(/<material name=\\"verdicts\\">\\n- (won|lost) against/);
    for (const step of ["dialogue/propose_ideas", "dialogue/revise_ideas", "proposals/expand_idea"]) {
      const { max_tokens, max_completion_tokens } = calls.get(step);
      expect(max_completion_tokens ?? max_tokens, step).toBe(16_384);
    }
  });
});

describe("the final check", () => {
  it("mends the sections that have an error, and the document has them", async () => {
    const run = await runToEnd({ options: SHORT, test: { script: { check_proposal: ["mended"] } } });
    expect(await countOf(run, "check_proposal")).toBe(1);
    expect(run.output.document).toEqual(run.output.proposals[0].document);
    expect(run.output.document.text).toContain("The sign: no gain in the first test.");
  });

  it("changes nothing that a person has approved, and is not made without its extra", async () => {
    const id = await start({ options: { ...SHORT, reviews: ["proposal"] } });
    await answer(await openInteraction(client.test, id), { decision: "approve" });
    expect(await countOf(await untilCompleted(id), "check_proposal")).toBe(0);
    const bare = await runToEnd({ options: { ...SHORT, extras: ["match_reasons"] } });
    expect(await countOf(bare, "check_proposal")).toBe(0);
  });
});

describe("the main document", () => {
  it("is the best proposal by the ranking, and the report when there is no proposal", async () => {
    const all = await runToEnd({ options: { ...SHORT, expand: "all" } });
    const best = all.output.ranking[0].idea;
    expect(all.output.document).toEqual(all.output.proposals.find(({ idea }: any) => idea === best).document);
    const none = await runToEnd({ options: { ...SHORT, expand: "none" } });
    expect(none.output.document).toEqual(none.output.documents.report);
  });
});

describe("under the profile `paper`", () => {
  it("a run has the paper's prompts, options and decoding, and proposals of seven sections", async () => {
    const body = ideationOf({ options: { ideas: 2, profile: "paper" } });
    const models = await planModel(await planOfIdeation(client, body));
    const id = await live.start({ ...body, models });
    const run = await live.untilCompleted(id);
    expect(run.options).toMatchObject({
      preset: "recommended",
      method: "prompting",
      extras: [],
      duplicate_checks: 0,
      expand: "all",
    });
    expect(run.output.proposals[0].document.text.match(/^## .+$/gm)).toHaveLength(6);
    const calls = new Map((await callsOf(id)).map(({ step, request }) => [step.split("#")[0]!, request as any]));
    const critique = calls.get("dialogue/critique_ideas");
    expect(critique).toMatchObject({ temperature: 1, top_p: 1 });
    expect(JSON.stringify(critique.messages)).toContain("missing_prompt_detail");
    expect(JSON.stringify(calls.get("ranking/judge_pair").messages)).toContain(
      "You review for a leading AI conference",
    );
    expect(calls.get("proposals/expand_idea")).toMatchObject({ temperature: 0 });
    const [trial] = await live.contentsOf(run, "trial");
    expect(new Set(trial.critics.map(({ name }: any) => name)).size).toBe(3);
  });

  it("an explicit option wins", async () => {
    const run = await runToEnd({ options: { profile: "paper", preset: "single", ideas: 2, expand: "none" } });
    expect(run.output).toMatchObject({ stop_reason: "ranked", proposals: [] });
  });
});

it("the caller's examples, venue and method reach the prompts", async () => {
  const example = {
    name: "Our Own Example",
    problem: "P",
    existing_methods: "E",
    motivation: "M",
    proposed_method: "A method",
    experiment_plan: "A plan",
  };
  const options = {
    ...SHORT,
    ideas: 2,
    expand: "none",
    examples: [example],
    venue: "a society of chemists",
    method: "titration",
  };
  const body = ideationOf({ options });
  const models = await planModel(await planOfIdeation(client, body));
  const id = await live.start({ ...body, models });
  await live.untilCompleted(id);
  const said = new Map(
    (await callsOf(id)).map(({ step, request }) => [step.split("#")[0]!, JSON.stringify(request.messages)]),
  );
  expect(said.get("dialogue/propose_ideas")).toMatch(/are ideas for titration.+- name: Our Own Example/);
  expect(said.get("dialogue/propose_ideas")).not.toContain("Pooled Testing");
  expect(said.get("ranking/judge_pair")).toContain("You review for a society of chemists");
});

it("a critic that quotes what nobody wrote is asked again, and the run continues", async () => {
  const body = ideationOf({ options: { ...SHORT, expand: "none" } });
  const plan = await planOfIdeation(client, body);
  const step = "dialogue/critique_ideas#baseline.t1.p1.r1.c1";
  const right = plan[step]![0]!;
  const wrong = JSON.parse((right as { content: string }).content);
  wrong.criticisms[0].quote = "Nobody wrote this sentence.";
  const bad = { content: JSON.stringify(wrong) };
  const models = await planModel({ ...plan, [step]: [bad, bad, bad, bad, right] });
  const id = await live.start({ ...body, models });
  const run = await live.untilCompleted(id);
  const [critique] = await live.contentsOf(run, "critique");
  expect(critique.criticisms[0].quote).not.toBe("Nobody wrote this sentence.");
  expect((await callsOf(id)).filter((call) => call.step === step).length).toBe(5);
});

it("the reviser reads the papers that criticisms name, and no others", async () => {
  const body = ideationOf({
    input: { topic: TOPIC, papers: PAPERS },
    options: { ...SHORT, expand: "none", paper_source: undefined },
  });
  const plan = await planOfIdeation(client, body);
  const step = "dialogue/critique_ideas#baseline.t1.p1.r1.c1";
  const critique = JSON.parse((plan[step]![0] as { content: string }).content);
  critique.criticisms = critique.criticisms.map((one: object) => ({ ...one, category: "novelty", papers: ["p2"] }));
  const models = await planModel({ ...plan, [step]: [{ content: JSON.stringify(critique) }] });
  const id = await live.start({ ...body, models });
  const run = await live.untilCompleted(id);
  const [trial] = await live.contentsOf(run, "trial");
  const said = JSON.stringify(
    (await callsOf(id)).find((call) => call.step.startsWith("dialogue/revise_ideas"))!.request,
  );
  const [other, named] = trial.papers.map((title: string) => PAPERS.find((paper) => paper.title === title)!);
  expect(said).toContain(`- p2. ${named.title}: ${named.abstract}`);
  expect(said).not.toContain(other.abstract);
});
