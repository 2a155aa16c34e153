/** Numbers of judged metrics, computed by hand, and the material that a judge reads. */
import { describe, expect, it } from "vitest";
import { gradeRubric } from "#workflows/experiment/actions/grade-rubric";
import { matchNames } from "#workflows/experiment/actions/match-names";
import { fairEval } from "#workflows/experiment/rules/fair-eval";
import { judgedScores, type Judgement, summaryOf, winOver, withScores } from "#workflows/experiment/rules/judgements";
import { answerOf, bounded, modelNames, requestOf, withoutNames } from "#workflows/experiment/rules/material";
import { chosenJudges, measuresOf } from "#workflows/experiment/rules/metrics/chosen";
import { JUDGED } from "#workflows/experiment/rules/metrics/judged";
import { proposalPairs } from "#workflows/experiment/rules/proposal-pairs";
import { fullInputs } from "#workflows/experiment/samples";

const near = (value: number) => expect.closeTo(value, 9) as number;

describe("FairEval", () => {
  const sample = (first: boolean, score_1: number, score_2: number) => ({ first, score_1, score_2 });

  it("averages the scores of each answer over both orders, in which the answers change places", () => {
    // Own: 8, 7 and 9 when it stands first, 6, 5 and 7 when second: (8 + 6) / 2 = 7. Other: 5, 5, 8 -> 6 and 8, 9, 7 -> 8: 7.
    const tie = [
      sample(true, 8, 5),
      sample(true, 7, 5),
      sample(true, 9, 8),
      sample(false, 8, 6),
      sample(false, 9, 5),
      sample(false, 7, 7),
    ];
    expect(fairEval(tie)).toEqual({ win: 0.5, score_difference: near(0) });
    expect(fairEval([sample(true, 9, 2), sample(false, 4, 5)])).toEqual({ win: 1, score_difference: near(7 - 3) });
    expect(fairEval([sample(true, 6, 7), sample(false, 6, 6)])).toEqual({ win: 0, score_difference: near(-0.5) });
  });

  it("gives a judge who always prefers the first place a tie", () => {
    expect(fairEval([sample(true, 9, 3), sample(false, 9, 3)])).toEqual({ win: 0.5, score_difference: near(0) });
  });

  it("counts both orders alike when samples of one have failed, and has no score without one of them", () => {
    // First: own 8 and 6, mean 7, other 4; second: own 3, other 9. Own (7 + 3) / 2 = 5, other (4 + 9) / 2 = 6.5.
    expect(fairEval([sample(true, 8, 4), sample(true, 6, 4), sample(false, 9, 3)])).toEqual({
      win: 0,
      score_difference: near(-1.5),
    });
    expect(fairEval([sample(true, 8, 4)])).toBeNull();
  });
});

describe("grades", () => {
  const input = fullInputs("Who keeps the deposit?");
  const grade = (points: number[], ids = ["P1", "P2"]) => ({
    grades: points.map((given, index) => ({ point: ids[index]!, reason: "It says so.", points: given })),
  });

  it("never exceed the maximum of a point, and leave no point out", () => {
    expect(gradeRubric.check!(grade([2, 0.5]), input.grade_rubric)).toEqual([]);
    expect(gradeRubric.check!(grade([2.5, 1]), input.grade_rubric)).toEqual([
      "P1 has 2.5 points, and its maximum is 2.",
    ]);
    expect(gradeRubric.check!(grade([2]), input.grade_rubric)).toHaveLength(1);
    expect(gradeRubric.check!(grade([2, 1], ["P2", "P1"]), input.grade_rubric)).toHaveLength(1);
  });

  it("match each element once, and only elements that there are", () => {
    const pair = { found: "F1", right: "R1" };
    expect(matchNames.check!({ pairs: [pair] }, input.match_names)).toEqual([]);
    expect(matchNames.check!({ pairs: [pair, pair] }, input.match_names)).toHaveLength(2);
    expect(matchNames.check!({ pairs: [{ found: "F2", right: "R1" }] }, input.match_names)).toHaveLength(1);
  });
});

describe("pairs of proposals", () => {
  it("are drawn with a seed, each once, and every proposal as often as the others", () => {
    const pairs = proposalPairs(["a", "b"], ["1", "2", "3", "4"], 8, 7);
    expect(new Set(pairs.map((pair) => pair.join("")))).toHaveLength(8);
    expect(
      proposalPairs(["a", "b"], ["1", "2", "3", "4"], 4, 7)
        .map(([own]) => own)
        .toSorted(),
    ).toEqual(["a", "a", "b", "b"]);
    expect(proposalPairs(["a", "b"], ["1", "2"], 50, 3)).toHaveLength(4);
    expect(pairs).toEqual(proposalPairs(["a", "b"], ["1", "2", "3", "4"], 8, 7));
    expect(proposalPairs([], ["1"], 5, 1)).toEqual([]);
  });
});

describe("the material of a judge", () => {
  it("names no model, whatever its case, and says how much was cut off", () => {
    const names = modelNames([{ default: "acme/judge-9", roles: { critic: { model: "beta/c.2+" } } }, "acme/judge-9"]);
    expect(names).toEqual(["acme/judge-9", "judge-9", "beta/c.2+", "c.2+"].toSorted((a, b) => b.length - a.length));
    expect(withoutNames("As Judge-9 (acme/judge-9) or C.2+ I say", names)).toBe(
      "As [a model] ([a model]) or [a model] I say",
    );
    expect(bounded("abcdef", 4)).toEqual({
      text: "abcd\n\n[2 more characters are left out here.]",
      left_out: 2,
    });
  });

  it("is the document of the output; of a debate, its answer with the reasons, and not the case", () => {
    const document = { artifact_id: "art_1", kind: "answer" };
    const of = (workflow: string, output: object) =>
      answerOf({ workflow, output, contents: { art_1: "The document." } });
    expect(of("plain", { answer: "B", document })).toBe("The document.");
    expect(of("debate", { answer: "B", rationale: ["It binds."], document })).toBe("B\n\n- It binds.");
    expect(of("waterfall", { answer: "Done.", calls: [{ name: "book", arguments: {} }], document })).toContain(
      '"book"',
    );
    expect(of("plain", { answer: null, document: null })).toBeNull();
  });

  it("shows all fields of an input but ids", () => {
    expect(requestOf({ input: { question: "Why?" } })).toBe("Why?");
    const input = { question: "Which?", choices: [{ label: "A", text: "This" }], corpus_ids: ["cor_1"] };
    const cited = { evidence: [{ source: "Code, art. 1", text: "It ends." }], question: "When?" };
    expect(requestOf({ input: cited })).toBe("**Question**\n\nWhen?\n\n**Evidence**\n\n- Code, art. 1: It ends.");
    expect(requestOf({ input })).toBe("**Question**\n\nWhich?\n\n**Choices**\n\n- A) This");
  });
});

describe("judgements", () => {
  const judgement = (item: string, scores: Judgement["scores"]): Judgement => ({
    metric: "fair_eval",
    variant: "b",
    item,
    repetition: 0,
    against: "a",
    scores,
    failure: scores ? null : "The judge gave nothing usable: output_invalid.",
    notes: [],
  });

  it("add their measures to trials; a failed one is a measure without a value, not a loss", () => {
    const judgements = [judgement("q1", { win: 1, score_difference: 2 }), judgement("q2", null)];
    const trial = (item: string, variant = "b") => ({ variant, item, repetition: 0, scores: { accuracy: 1 } }) as any;
    const [first, second, third] = withScores([trial("q1"), trial("q2"), trial("q3")], judgedScores(judgements));
    expect(first!.scores).toEqual({ accuracy: 1, "fair_eval.win": 1, "fair_eval.score_difference": 2 });
    expect(second!.scores).toEqual({ accuracy: 1, "fair_eval.win": null, "fair_eval.score_difference": null });
    expect(third!.scores).toEqual({ accuracy: 1 });
    const [tie, untied] = withScores([trial("q1", "a"), trial("q2", "a")], judgedScores(judgements));
    expect(tie!.scores).toEqual({ accuracy: 1, "fair_eval.win": 0.5, "fair_eval.score_difference": 0 });
    expect(untied!.scores).toEqual({ accuracy: 1 });
    expect(summaryOf(judgements)).toEqual([
      {
        metric: "fair_eval",
        judged: 1,
        failed: 1,
        reasons: [{ reason: "The judge gave nothing usable: output_invalid.", trials: 1 }],
        limited: 0,
      },
    ]);
    const measures = measuresOf([JUDGED.fair_eval!], [first!]);
    expect(measures.map(({ name, range }) => [name, range])).toEqual([
      ["fair_eval.score_difference", [-9, 9]],
      ["fair_eval.win", [0, 1]],
    ]);
  });

  it("give each part its best score against a trial that failed", () => {
    expect(winOver(JUDGED.fair_eval!)).toEqual({ win: 1, score_difference: 9 });
    expect(winOver(JUDGED.idea_quality!)).toEqual({ "": 1 });
  });

  it("are of the metrics that a request names, with their parameters", () => {
    const judges = chosenJudges(["accuracy", "fair_eval", { name: "idea_quality", pairs: 3 } as any]);
    expect(judges.map(({ parameters }) => parameters)).toEqual([
      { name: "fair_eval", samples: 3 },
      { name: "idea_quality", pairs: 3 },
    ]);
  });
});
