import { expect, test } from "vitest";
import { paretoFront } from "#workflows/experiment/rules/statistics/pareto-front";

test("the Pareto front leaves out what costs more and is no better", () => {
  const [plain, debate, twin, dear, best] = [
    { cost: 1, score: 0.7 },
    { cost: 6, score: 0.8 },
    { cost: 6, score: 0.8 },
    { cost: 9, score: 0.8 },
    { cost: 20, score: 0.9 },
  ];
  expect(paretoFront([dear, plain, debate, twin, best])).toEqual([plain, debate, twin, best]);
});

test("where lower scores are better, so is the front", () => {
  const [cheap, good] = [
    { cost: 1, score: 9 },
    { cost: 2, score: 3 },
  ];
  expect(paretoFront([cheap, good, { cost: 3, score: 4 }], false)).toEqual([cheap, good]);
  expect(paretoFront([cheap, { cost: 2, score: 9 }], false)).toEqual([cheap]);
});
