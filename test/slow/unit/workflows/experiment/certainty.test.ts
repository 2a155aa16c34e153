import { expect, test } from "vitest";
import { bootstrapColumns } from "#workflows/experiment/rules/statistics/bootstrap";
import { seededRandom } from "#workflow-kit/seeded-random";
import { analyse } from "#workflows/experiment/rules/analysis";
import { experiment, itemIds, measure, planted, trial, variant } from "../../../../unit/workflows/experiment/samples";

/** Whether intervals and verdicts are as certain as they say, over a hundred experiments with known truth. */

const HUNDRED = Array.from({ length: 100 }, (_, index) => index + 1);
const compared = (probabilities: Record<string, number>, seed: number) =>
  analyse(planted(probabilities, { items: 400, seed })).comparisons[0]!;

test("the interval of a planted difference of 0.1 holds it in at least 90 of 100 experiments", () => {
  const found = HUNDRED.map((seed) => compared({ baseline: 0.7, system: 0.8 }, seed));
  expect(found.filter(({ low, high }) => low! <= 0.1 && high! >= 0.1).length).toBeGreaterThanOrEqual(90);
  expect(found.filter(({ verdict }) => verdict === "worse")).toEqual([]);
  expect(found.filter(({ verdict }) => verdict === "better").length).toBeGreaterThan(80);
});

test("without a difference the data are inconclusive in 90 to 100 of 100 experiments", () => {
  const found = HUNDRED.map((seed) => compared({ baseline: 0.75, system: 0.75 }, 1000 + seed));
  expect(found.filter(({ verdict }) => verdict === "inconclusive").length).toBeGreaterThanOrEqual(90);
});

// Items are easy or hard, so that three repetitions of one say the same. Trials taken for independent items make an interval that is √3 too
// narrow: it holds the truth in about 74 of 100.
test("the interval is honest with repetitions, where one over single trials is too narrow", () => {
  const holds = HUNDRED.map((seed) => {
    const random = seededRandom(seed);
    const results = itemIds(60).flatMap((item) => {
      const score = Number(random() < 0.5);
      return [0, 1, 2].map((repetition) => trial({ variant: "a", item, repetition, scores: { accuracy: score } }));
    });
    const clustered = analyse(
      experiment({
        variants: [variant("a")],
        measures: [measure("accuracy")],
        results,
        repetitions: 3,
        resamples: 1000,
        seed,
      }),
    ).results[0]!;
    const single = bootstrapColumns([results.map(({ scores }) => scores.accuracy!)], { resamples: 1000, seed })[0]!;
    return [clustered, single].map(({ low, high }) => low! <= 0.5 && high! >= 0.5);
  });
  expect(holds.filter(([clustered]) => clustered).length).toBeGreaterThanOrEqual(90);
  expect(holds.filter(([, single]) => single).length).toBeLessThan(85);
});
