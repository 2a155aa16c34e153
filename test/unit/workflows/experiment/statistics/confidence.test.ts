import { describe, expect, test } from "vitest";
import { confidenceStrata } from "#workflows/experiment/rules/statistics/confidence";

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
      high_share: 0.5,
      high: { questions: 1, errors: 0, corrected: null, broken: 0 },
      low: { questions: 1, errors: 0, corrected: null, broken: 1 },
    });
  });

  test("ties stay together, the bound divides the questions nearest to a third, and the share is told", () => {
    const tied = [0.5, 0.9, 0.9, 0.9, 0.9, 1].map((confidence) => question(confidence, true, true));
    expect(confidenceStrata(tied)).toMatchObject({ threshold: 1, high_share: 1 / 6, low: { questions: 5 } });
    const most = [0.2, 0.9, 0.9, 0.9].map((confidence) => question(confidence, true, true));
    expect(confidenceStrata(most)).toMatchObject({ threshold: 0.9, high_share: 0.75, low: { questions: 1 } });
    expect(() => confidenceStrata(most.slice(1))).toThrow(/same confidence/);
  });
});
