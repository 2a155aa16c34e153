import { describe, expect, test } from "vitest";
import { accuracy, rubricScore } from "#workflow-kit/statistics/accuracy";
import { cohenKappa, fleissKappa, meanPairwiseKappa } from "#workflow-kit/statistics/agreement";
import { bootstrapMean, pairedBootstrap } from "#workflow-kit/statistics/bootstrap";
import {
  citationCorrectness,
  citationF1,
  citationQuality,
  coverage,
  eachOnce,
  type LabeledCitation,
} from "#workflows/debate/rules/citation-quality";
import { confidenceStrata } from "#workflow-kit/statistics/confidence";
import { consistency, consistencyRate } from "#workflow-kit/statistics/consistency";

/** `table[i][j]`: items that one rater put in i and the other in j. */
const fromTable = (table: number[][]): [number[], number[]] => {
  const pairs = table.flatMap((row, i) =>
    row.flatMap((count, j) => Array.from({ length: count }, () => [i, j] as const)),
  );
  return [pairs.map(([i]) => i), pairs.map(([, j]) => j)];
};

describe("accuracy", () => {
  test("is told overall, by data set, and as the mean of the data sets; no answer is wrong", () => {
    const outcomes = [
      { dataset: "oab", answer: "A", gold: "A" },
      { dataset: "oab", answer: "b ", gold: "B" },
      { dataset: "oab", answer: null, gold: "C" },
      { dataset: "oab", answer: "D", gold: "A" },
      { dataset: "mmlu", answer: "J", gold: "J" },
    ];
    expect(accuracy(outcomes)).toEqual({ overall: 0.6, by_dataset: { oab: 0.5, mmlu: 1 }, macro: 0.75 });
    expect(() => accuracy([])).toThrow(RangeError);
  });

  test("of an open answer is points over the most there are", () => {
    expect(rubricScore(0.5)).toBe(0.5);
    expect(rubricScore(6, 10)).toBe(0.6);
    expect(() => rubricScore(11, 10)).toThrow(RangeError);
  });
});

describe("citation quality", () => {
  const right = {
    quote: "Words of it.",
    proposition: "It binds.",
    cited_by: "debater_1",
    round: 1,
    authority: "shown",
    quote_found: true,
    supported: true,
  } as const;
  const citations: LabeledCitation[] = [
    { ...right, authority_id: "art34" },
    { ...right, authority_id: "art99", authority: "unknown", quote_found: false },
    { ...right, authority_id: "art35", quote_found: false },
    { ...right, authority_id: "art36", supported: null },
  ];

  test("counts invented, misquoted and unjudged citations as wrong", () => {
    expect(citationQuality(citations, ["art34", "art40"], ["art34", "art40"])).toEqual({
      correctness: 0.25,
      coverage_cited: 0.5,
      coverage_retrieved: 1,
      f1: (2 * 0.25 * 0.5) / 0.75,
    });
  });

  test("takes a person's label over the automatic check, either way", () => {
    const labeled = [
      { ...citations[0]!, label: false },
      { ...citations[2]!, label: true },
    ];
    expect(citationQuality(labeled, [], ["art34"]).correctness).toBe(0.5);
  });

  test("counts once what a party repeats, as it last cited it, and each party and each proposition for itself", () => {
    const [cited] = citations as [LabeledCitation];
    const again = { ...cited, round: 2, quote: "“Words  of it.”", proposition: "It binds both." };
    expect(eachOnce([cited, again, { ...again, round: null, supported: false }])).toMatchObject([
      { round: null, supported: false },
    ]);
    expect(citationCorrectness([{ ...cited, supported: false }, again])).toBe(1);
    expect(citationCorrectness([again, { ...again, cited_by: "debater_2", supported: false }])).toBe(0.5);
    expect(citationCorrectness([cited, { ...cited, proposition: "It binds nobody.", supported: false }])).toBe(0.5);
    expect(citationCorrectness([cited, { ...cited, quote: "Other words.", round: 2, supported: false }])).toBe(0.5);
  });

  test("an invented citation covers no gold source, even under its id", () => {
    expect(citationQuality([{ ...citations[1]!, authority_id: "art34" }], [], ["art34"]).coverage_cited).toBe(0);
  });

  test("without citations or gold there is no share, and F1 is 0", () => {
    expect(citationQuality([], [], [])).toEqual({
      correctness: null,
      coverage_cited: null,
      coverage_retrieved: null,
      f1: 0,
    });
    expect(citationF1(0, 0)).toBe(0);
    expect(coverage(["a", "a", "b"], ["a", "a"])).toBe(0.5);
  });
});

describe("paired bootstrap", () => {
  const better = Array.from({ length: 100 }, (_, index) => Number(index % 10 < 8));
  const worse = Array.from({ length: 100 }, (_, index) => Number(index % 10 < 5));

  test("finds a large difference significant, and says so alike for both orders", () => {
    const one = pairedBootstrap(better, worse);
    const other = pairedBootstrap(worse, better);
    expect(one).toMatchObject({ significant: true, resamples: 10_000, seed: 1 });
    expect(one.mean).toBeCloseTo(0.3);
    expect(other.mean).toBeCloseTo(-0.3);
    expect(one.p).toBeLessThan(0.001);
    // 95 % interval of a share of 0.3 among 100: about ± 1.96 · √(0.21 / 100).
    expect(one.low).toBeCloseTo(0.3 - 1.96 * Math.sqrt(0.0021), 1);
    expect(one.high).toBeCloseTo(0.3 + 1.96 * Math.sqrt(0.0021), 1);
  });

  test("finds no difference where there is none", () => {
    expect(pairedBootstrap(better, better)).toMatchObject({ mean: 0, low: 0, high: 0, p: 1, significant: false });
    const [a, b] = [
      [1, 0, 1, 0],
      [0, 1, 0, 1],
    ];
    expect(pairedBootstrap(a, b).significant).toBe(false);
  });

  test("is told by its seed alone", () => {
    const scores = better.slice(0, 30);
    expect(pairedBootstrap(scores, worse.slice(0, 30), { seed: 7 })).toEqual(
      pairedBootstrap(scores, worse.slice(0, 30), { seed: 7 }),
    );
    expect(bootstrapMean(scores, { seed: 7, resamples: 99 })).not.toEqual(
      bootstrapMean(scores, { seed: 8, resamples: 99 }),
    );
  });

  test("pairs nothing that has no partner", () => {
    expect(() => pairedBootstrap([1], [1, 0])).toThrow(/1 scores cannot be paired with 2/);
    expect(() => bootstrapMean([])).toThrow(RangeError);
  });
});

describe("agreement of raters", () => {
  test("Cohen's kappa of the common two-by-two example (20, 5, 10, 15) is 0.4", () => {
    expect(
      cohenKappa(
        ...fromTable([
          [20, 5],
          [10, 15],
        ]),
      ),
    ).toBeCloseTo(0.4, 10);
  });

  test("Cohen's kappa of unequal margins: (45, 15, 25, 15) is 0.1304, (25, 35, 5, 35) is 0.2593", () => {
    expect(
      cohenKappa(
        ...fromTable([
          [45, 15],
          [25, 15],
        ]),
      ),
    ).toBeCloseTo(0.1304, 4);
    expect(
      cohenKappa(
        ...fromTable([
          [25, 35],
          [5, 35],
        ]),
      ),
    ).toBeCloseTo(0.2593, 4);
  });

  test("weights forgive neighbours, quadratic ones more than linear", () => {
    const table = [
      [10, 4, 1],
      [3, 12, 4],
      [0, 5, 11],
    ];
    const plain = cohenKappa(...fromTable(table));
    const linear = cohenKappa(...fromTable(table), { weights: "linear" });
    const quadratic = cohenKappa(...fromTable(table), { weights: "quadratic" });
    // By hand: Σ w·observed / Σ w·expected with n = 50, rows 15, 19, 16, columns 13, 21, 16.
    const margins = { rows: [15, 19, 16], columns: [13, 21, 16] };
    const weighted = (power: number) => {
      let [observed, expected] = [0, 0];
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) {
          const weight = (Math.abs(i - j) / 2) ** power;
          observed += (weight * table[i]![j]!) / 50;
          expected += (weight * margins.rows[i]! * margins.columns[j]!) / 2500;
        }
      return 1 - observed / expected;
    };
    expect(linear).toBeCloseTo(weighted(1), 10);
    expect(quadratic).toBeCloseTo(weighted(2), 10);
    expect(plain).toBeLessThan(linear);
    expect(linear).toBeLessThan(quadratic);
  });

  test("Fleiss' kappa of the worked example with 14 raters, 10 items and 5 categories is 0.210", () => {
    const counts = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ];
    const items = counts.map((row) => row.flatMap((count, category) => Array.from({ length: count }, () => category)));
    const ratings = Array.from({ length: 14 }, (_, rater) => items.map((item) => item[rater]!));
    expect(fleissKappa(ratings)).toBeCloseTo(0.21, 3);
  });

  test("the mean over pairs of raters is that of their kappas", () => {
    const raters = [
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 4],
      [2, 2, 3, 5, 5],
    ];
    const scale = [1, 2, 3, 4, 5];
    const pairs = [
      cohenKappa(raters[0]!, raters[1]!, { scale }),
      cohenKappa(raters[0]!, raters[2]!, { scale }),
      cohenKappa(raters[1]!, raters[2]!, { scale }),
    ];
    expect(meanPairwiseKappa(raters, { scale })).toBeCloseTo(pairs.reduce((sum, one) => sum + one) / 3, 10);
  });

  test("is 1 for perfect agreement, and refuses ratings that do not fit", () => {
    expect(cohenKappa([1, 2, 3], [1, 2, 3])).toBe(1);
    expect(cohenKappa([3, 3], [3, 3])).toBe(1);
    expect(
      fleissKappa([
        [3, 3],
        [3, 3],
        [3, 3],
      ]),
    ).toBe(1);
    expect(() => cohenKappa([1], [1, 2])).toThrow(RangeError);
    expect(() => cohenKappa([9], [1], { scale: [1, 2] })).toThrow("9 is not on the scale.");
    expect(() => fleissKappa([[1]])).toThrow(RangeError);
  });
});

describe("confidence strata", () => {
  const question = (confidence: number, baseline_correct: boolean, debate_correct: boolean) => ({
    confidence,
    baseline_correct,
    debate_correct,
  });
  const questions = [
    question(0.9, false, true),
    question(0.95, false, false),
    question(0.85, true, true),
    question(0.5, false, false),
    question(0.4, true, false),
    question(0.3, true, true),
    question(0.2, false, true),
    question(0.1, false, false),
    question(0.6, true, true),
  ];

  test("by the upper third of confidence", () => {
    const { high, low } = confidenceStrata(questions);
    expect(high).toEqual({ questions: 3, errors: 2, corrected: 0.5, broken: 0 });
    expect(low).toEqual({ questions: 6, errors: 3, corrected: 1 / 3, broken: 1 / 3 });
  });

  test("by a confidence of 0.8 and more; a stratum without errors has no share of them", () => {
    expect(confidenceStrata([question(0.8, true, true), question(0.79, true, false)], 0.8)).toEqual({
      threshold: 0.8,
      high: { questions: 1, errors: 0, corrected: null, broken: 0 },
      low: { questions: 1, errors: 0, corrected: null, broken: 1 },
    });
  });
});

describe("consistency", () => {
  const embedder = {
    model: "vectors-1",
    embed: async (texts: readonly string[]) => texts.map((text) => [Number(/yes/.test(text)), Number(/no/.test(text))]),
  };
  const entailer = {
    model: "nli-1",
    entails: async (premise: string, hypothesis: string) => premise.includes(hypothesis),
  };
  const ending = {
    rationale: "yes: the offer stood",
    arguments: [
      { debater: "debater_1", text: "yes", main_premise: "the offer stood" },
      { debater: "debater_2", text: "no", main_premise: "the offer lapsed" },
    ],
  };

  test("compares the rationale with each side, asks whether it entails the winner's premise, and names the models", async () => {
    expect(await consistency({ ...ending, winner: "debater_1" }, embedder, entailer)).toEqual({
      similarity: { debater_1: 1, debater_2: 0 },
      entailed: { debater_1: true, debater_2: false },
      consistent: true,
      embedding_model: "vectors-1",
      entailment_model: "nli-1",
    });
    expect((await consistency({ ...ending, winner: "debater_2" }, embedder, entailer)).consistent).toBe(false);
    expect((await consistency({ ...ending, winner: null }, embedder, entailer)).consistent).toBeNull();
  });

  test("its rate leaves out debates that nobody won", () => {
    expect(consistencyRate([{ consistent: true }, { consistent: false }, { consistent: null }])).toBe(0.5);
    expect(consistencyRate([{ consistent: null }])).toBeNull();
  });
});
