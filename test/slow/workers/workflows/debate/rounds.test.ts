/** Rounds: the briefs that debaters read, their requests, concessions and changes. */
import { describe, expect, it } from "vitest";
import { corpusOf, debateOf, EVIDENCE } from "../../../../support/debate";
import { setUpRuns } from "../../../../support/runs";

const { artifactsOf, runToEnd, send, traceOf } = setUpRuns(debateOf);

describe("rebuttals", () => {
  const read = async (options: object) => {
    const run = await runToEnd({ options: { debaters: 3, rounds: 3, snippets_per_rebuttal: 0, ...options } });
    const { artifacts } = await traceOf(run);
    const briefs = new Map(
      artifacts
        .filter(({ kind }) => kind === "brief")
        .map((one) => [one.id, `${one.subject.slice(-1)}@${one.iteration}`]),
    );
    const last = artifacts.filter(({ kind, iteration }) => kind === "brief" && iteration === 3);
    return Object.fromEntries(
      await Promise.all(
        last.map(async ({ id, subject }) => {
          const { body } = await send("GET", `/v1/runs/${run.id}/artifacts/${id}`);
          return [
            subject.slice(-1),
            body.inputs.flatMap((input: string) => briefs.get(input) ?? []).toSorted(),
          ] as const;
        }),
      ),
    );
  };

  it.each([
    ["sparse_ring", { 1: ["1@2", "3@2"], 2: ["1@2", "2@2"], 3: ["2@2", "3@2"] }],
    ["sparse_rival", { 1: ["1@2", "2@2"], 2: ["1@2", "2@2"], 3: ["1@2", "3@2"] }],
    ["sparse_all", { 1: ["1@2", "2@2", "3@2"], 2: ["1@2", "2@2", "3@2"], 3: ["1@2", "2@2", "3@2"] }],
    [
      "full",
      {
        1: ["1@1", "1@2", "2@1", "2@2", "3@1", "3@2"],
        2: ["1@1", "1@2", "2@1", "2@2", "3@1", "3@2"],
        3: ["1@1", "1@2", "2@1", "2@2", "3@1", "3@2"],
      },
    ],
  ])("%s: each debater reads its own brief, and those that it may see", async (topology, seen) => {
    expect(await read({ topology })).toEqual(seen);
  });

  it("may request evidence, which all debaters see before they write", async () => {
    const input = { evidence: [], corpus_ids: [await corpusOf(send)] };
    const run = await runToEnd({ input, options: { top_k: 1, rounds: 3, snippets_per_rebuttal: 2 } });
    const seen = await traceOf(run);
    const found = seen.artifacts.filter(({ kind }) => kind === "authorities");
    expect(found.filter(({ iteration, subject }) => iteration === 2 && subject === "debater_1")).toHaveLength(2);
    const ids = (await seen.contents("authorities")).flatMap(({ excerpts }) => excerpts.map((one: any) => one.id));
    expect(new Set(ids).size).toBeGreaterThan(1);
    const briefs = await seen.contents("brief");
    expect(
      new Set(briefs.slice(2, 4).flatMap(({ citations }) => citations.map((one: any) => one.authority_id))),
    ).not.toContain(undefined);
    expect(run.output.report.text).toMatch(/asked for by Party [XY] in round 2/);
  });

  it("may request no evidence", async () => {
    const input = { evidence: [], corpus_ids: [await corpusOf(send)] };
    const run = await runToEnd({ input, test: { script: { request_snippet: ["no_request", "no_request"] } } });
    expect((await traceOf(run)).count("retrieve")).toBe(1);
  });

  it("request nothing when all evidence has been shown", async () => {
    const run = await runToEnd({ input: { evidence: EVIDENCE.slice(0, 2) } });
    const seen = await traceOf(run);
    expect([seen.count("retrieve"), seen.count("request_snippet")]).toEqual([1, 0]);
  });

  it("request nothing when there is no retrieval, and then cite nothing", async () => {
    const run = await runToEnd({ options: { top_k: 0 } });
    const seen = await traceOf(run);
    expect([seen.count("retrieve"), seen.count("request_snippet")]).toEqual([0, 0]);
    expect(run.output.citations).toEqual([]);
    expect(run.output.report.text).toContain("No authority was cited");
  });

  it("may concede, and the record has the concessions", async () => {
    const run = await runToEnd({ test: { script: { write_rebuttal: ["ok", "concede"] } } });
    const [record] = await (await traceOf(run)).contents("debate_record");
    expect(record.rounds[1].briefs.every((brief: any) => brief.concedes.length === 1)).toBe(true);
  });
});

describe("changing sides", () => {
  const script = { write_rebuttal: ["ok", "switch"] };

  it("is recorded, and ends the debate early when all agree", async () => {
    const run = await runToEnd({ options: { free_to_switch: true, early_stop: true, rounds: 6 }, test: { script } });
    expect(run.output).toMatchObject({ stop_reason: "agreed", rounds: 2 });
    const [record] = await (await traceOf(run)).contents("debate_record");
    expect(record.ended).toBe("agreed");
    expect(record.position_changes).toHaveLength(1);
    expect(new Set(record.rounds[1].briefs.map((brief: any) => brief.position)).size).toBe(1);
    expect(new Set(run.output.parties.map(({ position }: any) => position)).size).toBe(2);
    expect(new Set(run.output.parties.map(({ held }: any) => held)).size).toBe(1);
    expect(run.output.report.text).toContain("Went over to");
  });

  it("does not end the debate early without early_stop", async () => {
    const run = await runToEnd({ options: { free_to_switch: true, rounds: 3 }, test: { script } });
    expect(run.output).toMatchObject({ stop_reason: "judged", rounds: 3 });
  });

  it("is not possible for a fixed advocate", async () => {
    const run = await runToEnd({ options: { early_stop: true, rounds: 3 }, test: { script } });
    const [record] = await (await traceOf(run)).contents("debate_record");
    expect(record.position_changes).toEqual([]);
    expect(run.output.rounds).toBe(3);
  });
});

describe("interventions", () => {
  it("misconceptions are found after each round, and considered by the author of the brief", async () => {
    const run = await runToEnd({ options: { rounds: 3, interventions: ["misconception_refutation"] } });
    const seen = await traceOf(run);
    expect(seen.count("find_misconceptions")).toBe(4);
    const briefs = await seen.contents("brief");
    expect(briefs.at(-1).claims.join()).toContain("What the examiner corrected is taken up");
  });

  it("without misconceptions nothing changes", async () => {
    const run = await runToEnd({
      options: { interventions: ["misconception_refutation"] },
      test: { script: { find_misconceptions: ["none"] } },
    });
    const briefs = await (await traceOf(run)).contents("brief");
    expect(briefs.at(-1).claims.join()).not.toContain("examiner");
  });

  it.each(["diversity_pruning", "quality_pruning"])(
    "%s removes briefs from the reading of each debater, and records them with the measure",
    async (name) => {
      const run = await runToEnd({ options: { debaters: 4, topology: "sparse_all", interventions: [name] } });
      const [pruning] = await (await traceOf(run)).contents("pruning");
      expect(pruning).toMatchObject({ round: 2, measure: "embedding" });
      for (const debater of ["debater_1", "debater_2", "debater_3", "debater_4"]) {
        expect(pruning.kept[debater]).toHaveLength(2);
        expect(pruning.dropped[debater]).toMatchObject([{ because: name }]);
      }
    },
  );
});

describe("judge_each_round", () => {
  it("shows the judge's answer after each round, each from the briefs up to it", async () => {
    const run = await runToEnd({ options: { rounds: 3, judge_each_round: true, solvers: 0 } });
    expect(run.output.rounds).toBe(3);
    expect(run.output.answers_by_round).toHaveLength(3);
    expect(run.output.answers_by_round.at(-1)).toBe(run.output.answer);
    const verdicts = (await artifactsOf(run)).filter(({ kind }) => kind === "verdict");
    expect(verdicts.map(({ step }) => step).toSorted()).toEqual([
      "judgment/judge_debate#1",
      "judgment/judge_debate#after_round_1",
      "judgment/judge_debate#after_round_2",
    ]);
    const inputs = verdicts.map((verdict) => verdict.inputs);
    expect(new Set(inputs.map((ids) => ids.toSorted().join())).size).toBe(3);
  });

  it("is not asked for by default", async () => {
    const run = await runToEnd({ options: { rounds: 2, solvers: 0 } });
    expect(run.output).not.toHaveProperty("answers_by_round");
    expect((await artifactsOf(run)).filter(({ kind }) => kind === "verdict")).toHaveLength(1);
  });
});
