/** A run with default options plays the mix that the paper recommends with the panel of critics, and its output fits its contract. */
import { beforeAll, describe, expect, it } from "vitest";
import { ideationOf, TOPIC, UNSEEN } from "../../../support/ideation";
import { setUpRuns } from "../../../support/runs";
import { ideation } from "#workflows/ideation/workflow";

const { artifactsOf, contentsOf, countOf, runToEnd, send } = setUpRuns(ideationOf);

describe("a run with default options", () => {
  let run: any;
  beforeAll(async () => {
    run = await runToEnd({ options: { paper_source: undefined, duplicate_checks: 5 } });
  });

  it("gives ideas, a ranking, three proposals and pictures, as its contract declares", () => {
    const output = ideation.output.parse(run.output) as any;
    expect(output).toMatchObject({ stop_reason: "expanded", dropped: [] });
    expect(output.ideas.map(({ id }: any) => id)).toEqual(["i1", "i2", "i3", "i4", "i5"]);
    expect(output.ranking.map(({ place }: any) => place)).toEqual([1, 2, 3, 4, 5]);
    expect(output.proposals.map(({ idea }: any) => idea)).toEqual(
      output.ranking.slice(0, 3).map(({ idea }: any) => idea),
    );
    for (const { document } of output.proposals) {
      expect(document.media_type).toBe("text/markdown");
      // The paper's seven sections, the first of which is the title, and ours: summary, closest work, appendix.
      expect(document.text.match(/^## .+$/gm)).toHaveLength(9);
      expect(document.text).toContain("(from memory, to be checked)");
    }
    expect(output.document).toEqual(output.proposals[0].document);
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
      measure: { method: "embedding", model: "mock", threshold: 0.8 },
    });
  });

  it("takes nine calls for its one trial: a proposal, and twice three critiques and a revision", async () => {
    const dialogue = (await artifactsOf(run)).filter(({ stage, model }) => stage === "dialogue" && model !== null);
    expect(dialogue.map(({ caused_by }) => caused_by).sort()).toEqual([
      ...Array.from({ length: 6 }, () => "critique_ideas"),
      "propose_ideas",
      "revise_ideas",
      "revise_ideas",
    ]);
  });

  it("names the speaker in a critique's heading", async () => {
    const [trial] = await contentsOf(run, "trial");
    const subjects = (await artifactsOf(run)).filter(({ kind }) => kind === "critique").map(({ subject }) => subject);
    expect(subjects).toContain(`panel.t1.p1.r2.c3, ${trial.critics[2].name}`);
  });

  it("checks the most similar pairs, and the judge gives its reason", async () => {
    expect(await countOf(run, "check_duplicate")).toBe(5);
    const [ranking] = await contentsOf(run, "ranking");
    for (const { reasons } of ranking.rounds.flatMap((round: any) => round.matches))
      expect(reasons).toEqual([expect.stringContaining("more directly than")]);
    const verdict = (await artifactsOf(run)).find(({ kind }) => kind === "match_verdict");
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

  it("has three critics who look at different things, and records their personas", async () => {
    const [trial] = await contentsOf(run, "trial");
    expect(trial.critics.map(({ name }: any) => name).slice(0, 2)).toEqual(["methodologist", "scholar"]);
    expect(trial).toMatchObject({ configuration: "panel", trial: 1, seed: 2024 });
  });

  it("shows its options with the preset's values, and accepts them again", async () => {
    expect(run.options).toMatchObject({ preset: "panel", proposers: 1, critics: 3, depth: 2, expand: "top_k" });
    const again = await send("POST", "/v1/runs", { workflow: "ideation", input: run.input, options: run.options });
    expect(again.status).toBe(201);
    expect(again.body.options).toEqual(run.options);
  });
});
