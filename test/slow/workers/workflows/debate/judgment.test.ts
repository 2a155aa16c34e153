/** The judge decides, is asked again, or is overruled. */
import { describe, expect, it } from "vitest";
import { debateOf, QUESTION } from "../../../../support/debate";
import { callsOf, planFromMock, planModel } from "../../../../support/parley";
import { setUpRuns } from "../../../../support/runs";

const { client, live, runToEnd, traceOf } = setUpRuns(debateOf);

describe("the judge", () => {
  it("that names no choice is asked once more", async () => {
    const run = await runToEnd({ test: { script: { judge_debate: ["outside_options", "decide"] } } });
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
    const run = await runToEnd({
      options: { free_to_switch: true },
      test: { script: { judge_debate: ["outside_options", "outside_options"], write_rebuttal: ["ok", "switch"] } },
    });
    expect(run.output).toMatchObject({ stop_reason: "majority", confidence: null });
    // The judge chose nothing: its reasons, its winner and its checklist are not those of this answer.
    expect(run.output).toMatchObject({ rationale: [], checklist: null, winner: null });
    expect(run.output.prevailed).toHaveLength(2);
    expect(run.output.report.text).not.toMatch(/^## (Why|Checklist|The options)/mu);
    expect(QUESTION.choices.map(({ label }) => label)).toContain(run.output.answer);
  });

  it("that names no choice, without a majority, leaves the run without an answer", async () => {
    const run = await runToEnd({ test: { script: { judge_debate: ["outside_options", "outside_options"] } } });
    expect(run.output).toMatchObject({ stop_reason: "invalid", answer: null, confidence: null });
    expect(run.output.report.text).toContain("No answer");
  });

  it("may choose an answer that no debater defended, and name no winner", async () => {
    const run = await runToEnd({ test: { script: { judge_debate: ["undefended_option"] } } });
    const [assigned] = await (await traceOf(run)).contents("position_assignment");
    expect(assigned.positions.map((one: any) => one.label)).not.toContain(run.output.answer);
    expect(run.output).toMatchObject({ stop_reason: "judged", winner: null, prevailed: [] });
  });

  it("is not told how probable anybody holds an option to be, nor what was said of those that no party defends", async () => {
    const body = debateOf();
    const id = await live.start({ ...body, models: await planModel(await planFromMock(client, body)) });
    await live.untilCompleted(id);
    const judged = (await callsOf(id)).find(({ step }) => /judge_debate/.test(step));
    const prompt = judged!.request.messages.at(-1)!.content;
    expect(prompt).not.toMatch(/probability|0\.\d{3}|options without a party/);
  });

  it("may find that one side argued best and another is right: both are named", async () => {
    const body = debateOf();
    const plan = await planFromMock(client, body);
    const verdict = JSON.parse(plan["judgment/judge_debate#1"]![0]!.content!);
    // Nobody defends D.
    const other = { ...verdict, winner: "X", answer: "D" };
    const id = await live.start({
      ...body,
      models: await planModel({ ...plan, "judgment/judge_debate#1": [{ content: JSON.stringify(other) }] }),
    });
    const { output } = await live.untilCompleted(id);
    const { debater } = output.parties.find(({ party }: any) => party === "X");
    expect(output).toMatchObject({ answer: "D", winner: debater, prevailed: [] });
    expect(output.report.text).toContain("**Answer and argument differ**");
    const [record] = await (await live.traceOf(id)).contents("debate_record");
    expect(record).toMatchObject({ winner: output.winner, prevailed: output.prevailed });
  });
});

it("a judge that sees the same model for all parties learns nothing from it, and the report says so", async () => {
  const run = await runToEnd({ options: { judging: "labeled", rounds: 1 } });
  expect(run.output.report.text).toContain("the judge knew the model, which was the same for all");
});
