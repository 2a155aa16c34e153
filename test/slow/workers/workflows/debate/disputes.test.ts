/** Short answers, written apart, decide whether there is anything to debate. */
import { describe, expect, it } from "vitest";
import { debateOf, QUESTION, type Body } from "../../../../support/debate";
import { setUpRuns } from "../../../../support/runs";

const { answer, openInteraction, runToEnd, start, traceOf, untilCompleted } = setUpRuns(debateOf);

const solvers = (outcome: string) => ({ script: { answer_briefly: [outcome, outcome, outcome] } });
const seen = async (body: Body) => {
  const run = await runToEnd(body);
  return { run, trace: await traceOf(run) };
};

describe("when all solvers are sure of one answer", () => {
  it("it is the answer, marked as undisputed, with a point of each solver and checked citations", async () => {
    const { run, trace } = await seen({ test: solvers("alike") });
    expect(trace.actions).toEqual([
      "index_evidence",
      "retrieve",
      "answer_briefly",
      "answer_briefly",
      "answer_briefly",
      "count_votes",
      "check_citations",
      "write_report",
      "compare_citations",
    ]);
    const [vote] = await trace.contents("vote");
    expect(vote).toMatchObject({ votes: { [run.output.answer]: 3 }, answer: run.output.answer });
    expect(run.output).toMatchObject({
      stop_reason: "undisputed",
      confidence: expect.closeTo(0.9),
      rationale: [expect.any(String), expect.any(String), expect.any(String)],
      checklist: null,
      winner: null,
      parties: [],
      rounds: 0,
      drawing: null,
      citations: [{ quote_found: true, supported: true, cited_by: ["solver_1", "solver_2", "solver_3"] }],
    });
    expect(run.output.report.text).toContain("*Undisputed before the debate, so none was held.*");
    expect(run.output.document).toEqual(run.output.report);
  });

  it("three calls are all that a question without evidence costs", async () => {
    const { run } = await seen({ input: { evidence: [] }, test: solvers("alike") });
    expect(run).toMatchObject({ usage: { llm_calls: 3 }, output: { stop_reason: "undisputed", citations: [] } });
  });

  it.each([
    ["they are not sure enough", {}, "unsure"],
    ["debates are never to be skipped", { skip_debate_above: 1 }, "alike"],
  ])("it is debated all the same against the strongest runner-up, where %s", async (_when, options, outcome) => {
    const { run, trace } = await seen({ options: { ...options, rounds: 1 }, test: solvers(outcome) });
    const [first] = await trace.contents("short_answer");
    expect(run.output.stop_reason).toBe("judged");
    expect(run.output.parties.map(({ position }: any) => position).toSorted()).toEqual(
      [first.answer, first.runner_up].toSorted(),
    );
  });
});

it("a person who reviews the case gets a debate to review, disputed or not", async () => {
  const id = await start({ options: { human_review: true, rounds: 1 }, test: solvers("alike") });
  await answer(await openInteraction(id), { decision: "approve" });
  expect((await untilCompleted(id)).output).toMatchObject({ stop_reason: "judged", rounds: 1 });
});

it("answers that differ are debated against each other, without a ranking", async () => {
  const { run, trace } = await seen({ options: { rounds: 1 } });
  const [one, other] = await trace.contents("short_answer");
  expect(one.answer).not.toBe(other.answer);
  expect(run.output).toMatchObject({ stop_reason: "judged", rounds: 1 });
  expect(run.output.parties.map(({ position }: any) => position).toSorted()).toEqual(
    [one.answer, other.answer].toSorted(),
  );
  expect(trace.count("rank_options")).toBe(0);
});

it("an authority that a solver has invented counts as wrong", async () => {
  const { run } = await seen({ options: { solvers: 1, skip_debate_above: 0 }, test: solvers("cite_invented") });
  expect(run.output).toMatchObject({
    stop_reason: "undisputed",
    citations: [],
    invented_citations: [{ cited_by: ["solver_1"] }],
  });
});

describe("without solvers", () => {
  it("a ranking with one likely option is the answer, with its reasons", async () => {
    const { run, trace } = await seen({ options: { solvers: 0, skip_debate_above: 0.5 } });
    const [ranking] = await trace.contents("option_ranking");
    expect(run.usage.llm_calls).toBe(1);
    expect(run.output).toMatchObject({ stop_reason: "undisputed", rounds: 0 });
    expect(run.output.rationale[0]).toBe(ranking.issue);
    expect(run.output.report.text).toContain("## The options, and what speaks against each");
  });

  it("a ranking without one is debated, the first against its rival", async () => {
    const { run, trace } = await seen({ options: { solvers: 0, rounds: 1 } });
    const [{ rival }] = await trace.contents("option_ranking");
    expect(run.output.stop_reason).toBe("judged");
    expect(run.output.parties.map(({ position }: any) => position)).toContain(rival);
  });
});

it.each([
  ["positions that a caller names", { positions: ["A", "B"] }],
  ["every option", { positions: "all_options" }],
])("%s are debated without asking whether they are disputed", async (_what, options) => {
  const { run, trace } = await seen({ options: { ...options, rounds: 1 }, test: solvers("alike") });
  expect([trace.count("answer_briefly"), run.output.stop_reason]).toEqual([0, "judged"]);
  expect(QUESTION.choices.map(({ label }) => label)).toContain(run.output.answer);
});
