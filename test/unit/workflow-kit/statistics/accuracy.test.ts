import { describe, expect, test } from "vitest";
import { accuracy, rubricScore } from "#workflow-kit/statistics/accuracy";

describe("accuracy", () => {
  test("is given overall, by data set, and as the mean of the data sets; a missing answer is wrong", () => {
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

  test("of an open answer is its points divided by the maximum", () => {
    expect(rubricScore(0.5)).toBe(0.5);
    expect(rubricScore(6, 10)).toBe(0.6);
    expect(() => rubricScore(11, 10)).toThrow(RangeError);
  });
});
