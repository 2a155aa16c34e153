import { describe, expect, test } from "vitest";
import { analyse } from "#workflows/experiment/rules/analysis";
import { prevailingModels } from "#workflows/experiment/rules/answers";
import type { TrialResult } from "#workflows/experiment/rules/trials";
import { experiment, measure, trial, variant } from "./samples";

const SC = { options: { strategy: "self_consistency" } };
const ACCURACY = [measure("accuracy")];

const answers = (name: string, scores: readonly number[], more: Partial<TrialResult> & { tokens?: number } = {}) =>
  scores.map((accuracy, index) => trial({ variant: name, item: `q${index + 1}`, scores: { accuracy }, ...more }));

describe("H1", () => {
  const of = (tokens: number) =>
    analyse(
      experiment({
        variants: [variant("sc-5", SC), variant("sc-10", SC), variant("debate")],
        measures: ACCURACY,
        results: [
          ...answers("sc-5", [0, 0, 1, 1], { tokens: 1000 }),
          ...answers("sc-10", [1, 0, 1, 1], { tokens: 2000 }),
          ...answers("debate", [1, 1, 1, 1], { tokens }),
        ],
      }),
    ).hypotheses.h1!;

  test("compares a debate with self-consistency at as many tokens, on the line between two variants", () => {
    const { measure: name, rows, at_equal_tokens } = of(1250);
    expect(name).toBe("accuracy");
    expect(rows.map((row) => [row.variant, row.self_consistency])).toEqual([
      ["sc-5", true],
      ["sc-10", true],
      ["debate", false],
    ]);
    expect(rows[0]!.per_1000_tokens).toBeCloseTo(0.5, 9);
    expect(rows[2]!.per_1000_tokens).toBeCloseTo(0.8, 9);
    const [found] = at_equal_tokens;
    expect(found).toMatchObject({ variant: "debate", tokens: 1250, outside: false, n: 4 });
    expect(found!.weights).toEqual([
      { variant: "sc-5", weight: 0.75 },
      { variant: "sc-10", weight: 0.25 },
    ]);
    // By item: 0.25, 0, 1, 1.
    expect(found!.baseline_score).toBeCloseTo(0.5625, 9);
    expect(found!.mean).toBeCloseTo(0.4375, 9);
  });

  test("takes the nearest variant where tokens lie outside, and says so", () => {
    const [found] = of(5000).at_equal_tokens;
    expect(found).toMatchObject({ outside: true, weights: [{ variant: "sc-10", weight: 1 }], baseline_score: 0.75 });
    expect(of(500).at_equal_tokens[0]).toMatchObject({ outside: true, weights: [{ variant: "sc-5", weight: 1 }] });
    expect(of(2000).at_equal_tokens[0]).toMatchObject({ outside: false, weights: [{ variant: "sc-10", weight: 1 }] });
  });

  test("needs a debate and a self-consistency variant", () => {
    const { hypotheses } = analyse(
      experiment({ variants: [variant("debate")], measures: ACCURACY, results: answers("debate", [1, 0]) }),
    );
    expect(hypotheses).toEqual({ h1: null, h2: null, h3: null, label_bias: null });
  });
});

describe("H2", () => {
  const single = variant("single", { options: { strategy: "single_agent" } });

  test("counts corrected errors and broken answers by the baseline's confidence, item by item", () => {
    const confidences = [0.9, 0.9, 0.5, 0.4, 0.4, 0.3];
    const { h2 } = analyse(
      experiment({
        variants: [single, variant("debate")],
        measures: ACCURACY,
        results: [
          ...answers("single", [0, 1, 0, 0, 1, 1]).map((one, index) => ({ ...one, confidence: confidences[index]! })),
          ...answers("debate", [1, 1, 0, 1, 0, 1]),
        ],
      }),
    ).hypotheses;
    expect(h2).toHaveLength(1);
    const [found] = h2!;
    expect(found).toMatchObject({ system: "debate", baseline: "single", threshold: 0.9 });
    expect(found!.high).toMatchObject({
      questions: 2,
      errors: 1,
      corrected: { n: 1, mean: 1 },
      broken: { n: 1, mean: 0 },
    });
    expect(found!.low).toMatchObject({
      questions: 4,
      errors: 2,
      corrected: { n: 2, mean: 0.5 },
      broken: { n: 2, mean: 0.5 },
    });
    expect(found!.low.corrected).toMatchObject({ low: 0, high: 1 });
  });

  test("pairs repetitions, and averages those of one item first", () => {
    const repeated = (name: string, scores: readonly number[], confidence: number | null) =>
      scores.map((accuracy, repetition) =>
        trial({ variant: name, item: "q1", repetition, scores: { accuracy }, confidence }),
      );
    const { h2 } = analyse(
      experiment({
        variants: [single, variant("debate")],
        measures: ACCURACY,
        repetitions: 3,
        results: [
          ...repeated("single", [0, 0, 0], 0.9),
          ...repeated("debate", [1, 1, 0], null),
          trial({ variant: "single", item: "q2", scores: { accuracy: 0 }, confidence: 0.9 }),
          trial({ variant: "debate", item: "q2", scores: { accuracy: 0 } }),
          trial({ variant: "single", item: "q3", scores: { accuracy: 1 }, confidence: 0.1 }),
          trial({ variant: "debate", item: "q3", scores: { accuracy: 1 } }),
        ],
      }),
    ).hypotheses;
    expect(h2![0]!.high).toMatchObject({ questions: 4, errors: 4, corrected: { n: 2 }, broken: null });
    expect(h2![0]!.high.corrected!.mean).toBeCloseTo((2 / 3 + 0) / 2, 9);
  });

  test("needs confidences that differ", () => {
    const results = [...answers("single", [0, 1], { confidence: 0.5 }), ...answers("debate", [1, 1])];
    const { hypotheses } = analyse(experiment({ variants: [single, variant("debate")], measures: ACCURACY, results }));
    expect(hypotheses.h2).toBeNull();
  });
});

describe("H3", () => {
  test("follows the answers of a debate from round to round; one that ended early keeps its last answer", () => {
    const rounds = [["B", "A"], ["A"], ["B", "B"], [null, "a "]];
    const { h3 } = analyse(
      experiment({
        variants: [variant("debate")],
        measures: ACCURACY,
        items: ["q1", "q2", "q3", "q4", "q5"].map((id) => ({ id, tags: [], right_answers: ["A"] })),
        results: [
          ...rounds.map((answers_by_round, index) =>
            trial({ variant: "debate", item: `q${index + 1}`, answers_by_round, scores: { accuracy: 1 } }),
          ),
          trial({ variant: "debate", item: "q5", status: "failed" }),
        ],
      }),
    ).hypotheses;
    const [first, second] = h3!.within;
    expect(first).toMatchObject({ variant: "debate", round: 1, n: 5, mean: 0.2, gain: null });
    expect(second).toMatchObject({ round: 2, n: 5, mean: 0.6 });
    expect(second!.gain!.mean).toBeCloseTo(0.4, 9);
  });

  test("puts every measure by the number of rounds of the variants", () => {
    const of = (rounds: number) => variant(`r${rounds}`, { options: { rounds } });
    const { h3 } = analyse(
      experiment({
        variants: [of(3), of(1), variant("plain", { workflow: "plain" })],
        measures: ACCURACY,
        results: [...answers("r3", [1, 1]), ...answers("r1", [1, 0]), ...answers("plain", [0, 0])],
      }),
    ).hypotheses;
    expect(h3!.across.map(({ variant: name, rounds, mean }) => [name, rounds, mean])).toEqual([
      ["r1", 1, 0.5],
      ["r3", 3, 1],
    ]);
  });
});

describe("the bias of a labelled judge", () => {
  const LABELED = { options: { judging: "labeled", rounds: 2 } };
  const BLIND = { options: { rounds: 2 } };
  const shares = (name: string, values: readonly (number | null)[]) =>
    values.map((strong, index) =>
      trial({
        variant: name,
        item: `q${index + 1}`,
        prevailing_models: strong === null ? null : { strong, weak: 1 - strong },
      }),
    );
  const biasOf = (labeled: object, blind: object, results: TrialResult[]) =>
    analyse(
      experiment({
        variants: [variant("blind", blind), variant("labeled", labeled)],
        measures: ACCURACY,
        results,
      }),
    ).hypotheses.label_bias;
  const RESULTS = [...shares("blind", [0, 1, 0.5, null]), ...shares("labeled", [1, 1, 1, 1])];

  test("is how much more a model prevails under its name, over the items that both judges decided", () => {
    const found = biasOf(LABELED, BLIND, RESULTS)!;
    expect(found.map(({ model }) => model)).toEqual(["strong", "weak"]);
    const [strong, weak] = found;
    // Blind (0 + 1 + 0.5) / 3, labelled 1; the fourth item has no blind share.
    expect(strong).toMatchObject({ labeled: "labeled", blind: "blind", labeled_share: 1 });
    expect(strong!.blind_share).toBeCloseTo(0.5, 9);
    expect(strong!.difference).toMatchObject({ n: 3 });
    expect(strong!.difference.mean).toBeCloseTo(0.5, 9);
    expect(weak!.difference.mean).toBeCloseTo(-0.5, 9);
  });

  test("is not told of variants that differ in more than the judging, nor of debates of one model", () => {
    expect(biasOf({ options: { judging: "labeled", rounds: 3 } }, BLIND, RESULTS)).toBeNull();
    expect(biasOf(LABELED, LABELED, RESULTS)).toBeNull();
    expect(biasOf(LABELED, BLIND, [...shares("blind", [null]), ...shares("labeled", [null])])).toBeNull();
  });

  test("is told of debates alone whose debaters have the same models", () => {
    const other = trial({ variant: "blind", item: "q1", prevailing_models: { strong: 1, third: 0 } });
    expect(biasOf(LABELED, BLIND, [other, ...shares("labeled", [1])])).toBeNull();
  });

  test("counts a model's share of the debaters who prevailed", () => {
    const parties = [
      { debater: "debater_1", model: "strong" },
      { debater: "debater_2", model: "weak" },
      { debater: "debater_3", model: "weak" },
    ];
    expect(prevailingModels({ parties, prevailed: ["debater_1", "debater_2"] })).toEqual({ strong: 0.5, weak: 0.5 });
    expect(prevailingModels({ parties, prevailed: [] })).toBeNull();
    expect(prevailingModels({ parties: parties.slice(1), prevailed: ["debater_2"] })).toBeNull();
    expect(prevailingModels({ answer: "A" })).toBeNull();
  });
});
