/** A debate with the defaults runs as its paper says: stages, calls, record and report. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Trace } from "../../../support/artifacts";
import { corpusOf, debateOf, EVIDENCE, QUESTION } from "../../../support/debate";
import { setUpRuns } from "../../../support/runs";

const { runToEnd, send, traceOf } = setUpRuns(debateOf);

describe("a debate with the defaults", () => {
  let run: any;
  let seen: Trace;
  beforeAll(async () => {
    run = await runToEnd({ input: { evidence: [], corpus_ids: [await corpusOf(send)] } });
    seen = await traceOf(run);
  });

  it("ends with an answer, three reasons, a checklist, a winner and checked citations", () => {
    const { output } = run;
    expect(QUESTION.choices.map(({ label }) => label)).toContain(output.answer);
    expect(output).toMatchObject({ stop_reason: "judged", rounds: 2, confidence: 0.75, invented_citations: [] });
    expect(output.rationale).toHaveLength(3);
    expect(Object.keys(output.checklist)).toEqual([
      "doctrine_named",
      "on_point_authority",
      "accurate_use",
      "logical_application",
      "opponent_addressed",
    ]);
    expect(output.winner).toMatch(/^debater_[12]$/);
    expect(output.prevailed).toEqual([output.winner]);
    expect(output.document).toEqual(output.report);
    expect(output.drawing).toMatchObject({ kind: "debate_drawing", media_type: "image/svg+xml" });
    expect(output.drawing.text).toMatch(/^<svg [^]*<desc id="d">Party [XY]: [^]*<\/svg>$/u);
    expect(output.citations.length).toBeGreaterThan(0);
    expect(output.citations.some(({ cited_by }: any) => cited_by.includes("judge"))).toBe(true);
    for (const citation of output.citations) expect(citation).toMatchObject({ quote_found: true, supported: true });
  });

  it("names each debater's position, under the letter that judge and report use", async () => {
    const [record] = await seen.contents("debate_record");
    const [assigned] = await seen.contents("position_assignment");
    expect(run.output.parties.map(({ party }: any) => party).toSorted()).toEqual(["X", "Y"]);
    for (const { party, debater, position, statement, held } of run.output.parties) {
      expect(record.parties).toContainEqual({ party, debater, model: "mock" });
      expect(assigned.positions).toContainEqual(expect.objectContaining({ debater, label: position, statement }));
      expect(held).toBe(position);
      expect(run.output.report.text).toContain(`### Party ${party}`);
    }
  });

  it("costs three short answers, two openings, two requests, two rebuttals, one check of all citations and one judgment", () => {
    expect(run.usage.llm_calls).toBe(11);
    for (const [action, count] of Object.entries({
      answer_briefly: 3,
      rank_options: 0,
      write_opening: 2,
      request_snippet: 2,
      write_rebuttal: 2,
      check_citations: 1,
      judge_debate: 1,
      retrieve: 3,
    }))
      expect([action, seen.count(action)]).toEqual([action, count]);
    expect(run.progress.stages_done).toEqual(["retrieval_prep", "opening", "rebuttal", "judgment"]);
  });

  it("gives the answers that compete to debaters, with their probabilities", async () => {
    const solved = await seen.contents("short_answer");
    const [assigned] = await seen.contents("position_assignment");
    expect(assigned).toMatchObject({ mode: "solved", positions: [{ debater: "debater_1" }, { debater: "debater_2" }] });
    expect(assigned.positions.map((one: any) => one.label)).toEqual([solved[0].answer, solved[1].answer]);
    expect(assigned.positions[0].probability).toBeCloseTo((0.9 + 0.1 + 0.9) / 3);
  });

  it("shows only verbatim excerpts as evidence", async () => {
    const found = (await seen.contents("authorities")).flatMap(({ excerpts }) => excerpts);
    for (const { source, excerpt } of found)
      expect(EVIDENCE.find((piece) => piece.source === source)!.text).toContain(excerpt);
  });

  it("stores the debate as data, and as a report that begins with answer and cautions", async () => {
    const [record] = await seen.contents("debate_record");
    expect(record).toMatchObject({
      ended: "rounds",
      decided_by: "judge",
      position_changes: [],
      answer: run.output.answer,
    });
    expect(record.rounds.map((round: any) => round.briefs.length)).toEqual([2, 2]);
    const report: string = run.output.report.text;
    expect([...report.matchAll(/^## (.*)$/gmu)].map(([, heading]) => heading)).toEqual([
      "Answer",
      "Before you rely on this",
      "Why",
      "The options, and what speaks against each",
      "Citations",
      "Checklist",
      "Question",
      "The sides",
      "Evidence",
      "How this was made",
    ]);
    expect(report).toContain("> A mock result, made with a test key");
    expect(report.indexOf("- Party X")).toBeLessThan(report.indexOf("## Before you rely on this"));
    expect(report).toMatch(/^Cites: C\d/mu);
    expect(report).toContain("Every quote was found in the evidence");
    expect(report).toContain(`**${run.output.answer}) `);
  });
});
