/** Kept ideas are ranked by matches and written out as proposals; two configurations are compared. */
import { describe, expect, it } from "vitest";
import { ideationOf, planOfIdeation } from "../../../../support/ideation";
import { callsOf, planModel } from "../../../../support/parley";
import { setUpRuns } from "../../../../support/runs";

const { client, contentsOf, countOf, live, runToEnd } = setUpRuns(ideationOf);

describe("the use of kept ideas", () => {
  it("none: a ranking and no proposal", async () => {
    const run = await runToEnd({ options: { preset: "single", expand: "none" } });
    expect(run.output).toMatchObject({ stop_reason: "ranked", proposals: [] });
    expect(run.progress.stages_done).not.toContain("proposals");
  });

  it("all: every kept idea becomes a proposal, and proposals are ranked", async () => {
    const run = await runToEnd({ options: { preset: "single", expand: "all", tournament_rounds: 2 } });
    expect(run.output.proposals).toHaveLength(5);
    expect(run.progress.stages_done.indexOf("proposals")).toBeLessThan(run.progress.stages_done.indexOf("ranking"));
    const [ranking] = await contentsOf(run, "ranking");
    expect(ranking.of).toBe("proposals");
    expect(ranking.rounds).toHaveLength(2);
  });

  it("top_k: the requested number of proposals", async () => {
    const run = await runToEnd({ options: { preset: "single", proposals: 2 } });
    expect(run.output.proposals).toHaveLength(2);
  });

  it("the judge never reads test cases or the fallback plan of a proposal", async () => {
    const body = ideationOf({ options: { preset: "single", ideas: 2, expand: "all" } });
    const models = await planModel(await planOfIdeation(client, body));
    const id = await live.start({ ...body, models });
    const run = await live.untilCompleted(id);
    const [fallback] = /If .+ does not beat/.exec(run.output.proposals[0].document.text)!;
    const judged = (await callsOf(id)).filter(({ step }) => step.startsWith("ranking/judge_pair"));
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
  it("has a play-off between ideas that only the draw separates, and reports it", async () => {
    // Two rounds among four; the judge prefers the first text, not merit: tied ideas at the cut that have not met play once more.
    const run = await runToEnd({ options: { preset: "single", ideas: 8, tournament_rounds: 1, proposals: 2 } });
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

  it("asks in both orders if requested, and counts no win that depends on the order", async () => {
    const run = await runToEnd({
      options: { preset: "single", ideas: 4, expand: "none", both_orders: true, tournament_rounds: 1 },
      test: { script: { judge_pair: ["first"] } },
    });
    expect(await countOf(run, "judge_pair")).toBe(4);
    const [ranking] = await contentsOf(run, "ranking");
    expect(ranking.rounds[0].matches.map(({ winner }: any) => winner)).toEqual([null, null]);
    expect(run.output.ranking.map(({ score }: any) => score)).toEqual([1.5, 1.5, 1.5, 1.5]);
  });

  it("scores by a rubric if requested", async () => {
    const run = await runToEnd({ options: { preset: "single", ideas: 2, expand: "none", rubric: true } });
    expect(run.output.ranking.every(({ rubric }: any) => rubric.originality >= 1 && rubric.clarity <= 10)).toBe(true);
    expect(await countOf(run, "score_rubric")).toBe(2);
  });

  it("needs no match for one idea", async () => {
    const run = await runToEnd({ options: { preset: "single", ideas: 1 } });
    expect(await countOf(run, "judge_pair")).toBe(0);
    expect(run.output.ranking).toMatchObject([{ place: 1, idea: "i1", score: 1 }]);
    expect(run.output.proposals).toHaveLength(1);
  });
});

describe("a comparison", () => {
  it("compares a mix of its own with a preset, each with its own metrics", async () => {
    const mix = { name: "deep", proposers: 2, critics: 2, depth: 2 };
    const run = await runToEnd({ options: { compare: ["single", mix], ideas: 2, tournament_rounds: 2 } });
    const [one, other] = run.output.metrics.configurations;
    expect(one).toMatchObject({ configuration: "single", ideas: 2 });
    expect(other).toMatchObject({ configuration: "deep", ideas: 4 });
    expect(one.ranked).toBe(other.ranked);
    expect(await countOf(run, "critique_ideas")).toBe(2 * 2 * 2);
  });

  it("compares two presets, each with its own metrics", async () => {
    const run = await runToEnd({
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
