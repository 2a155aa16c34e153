/** The judge decides, is asked again, or is overruled. */
import { describe, expect, it } from "vitest";
import { debateOf, QUESTION } from "../../../support/debate";
import { setUpRuns } from "../../../support/runs";

const { play, traceOf } = setUpRuns(debateOf);

describe("the judge", () => {
  it("that names no choice is asked once more", async () => {
    const run = await play({ test: { script: { judge_debate: ["outside_options", "decide"] } } });
    const seen = await traceOf(run);
    expect(seen.count("judge_debate")).toBe(2);
    expect(run.output).toMatchObject({ stop_reason: "judged", confidence: 0.6 });
    const [record] = await seen.contents("debate_record");
    expect(record.answers).toEqual([
      { said: "None of the above", read: null },
      { said: run.output.answer, read: run.output.answer },
    ]);
  });

  it("that names no choice twice is overruled by the majority of debaters", async () => {
    const run = await play({
      options: { free_to_switch: true },
      test: { script: { judge_debate: ["outside_options", "outside_options"], write_rebuttal: ["ok", "switch"] } },
    });
    expect(run.output).toMatchObject({ stop_reason: "majority", confidence: null });
    expect(QUESTION.choices.map(({ label }) => label)).toContain(run.output.answer);
  });

  it("that names no choice, without a majority, leaves the run without an answer", async () => {
    const run = await play({ test: { script: { judge_debate: ["outside_options", "outside_options"] } } });
    expect(run.output).toMatchObject({ stop_reason: "invalid", answer: null, confidence: null });
    expect(run.output.report.text).toContain("No answer");
  });

  it("may choose an answer that no debater defended, and name no winner", async () => {
    const run = await play({ test: { script: { judge_debate: ["undefended_option"] } } });
    const [assigned] = await (await traceOf(run)).contents("position_assignment");
    expect(assigned.positions.map((one: any) => one.label)).not.toContain(run.output.answer);
    expect(run.output).toMatchObject({ stop_reason: "judged", winner: null });
  });
});

it("a judge that sees the same model for all parties learns nothing from it, and the report says so", async () => {
  const run = await play({ options: { judging: "labeled", rounds: 1 } });
  expect(run.output.report.text).toContain("the judge knew the model, which was the same for all");
});
