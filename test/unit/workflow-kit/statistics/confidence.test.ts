import { describe, expect, test } from "vitest";
import { confidenceStrata } from "#workflow-kit/statistics/confidence";

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

  test("by the upper third, although all or most confidences are the same", () => {
    const same = [true, true, false, false, false, false].map((corrected) => question(1, false, corrected));
    const { threshold, high, low } = confidenceStrata(same);
    expect(threshold).toBe(1);
    expect(high).toMatchObject({ questions: 2, errors: 2, corrected: 1 / 3 });
    expect(low.questions).toBe(4);
    expect(low.corrected).toBeCloseTo(1 / 3);
    const most = [...same.slice(0, 5), question(0.5, false, true)];
    expect(confidenceStrata(most).high.questions).toBeCloseTo(2);
    expect(confidenceStrata(most).low.questions).toBeCloseTo(4);
  });

  test("by a confidence of 0.8 and more; a stratum without errors has no share of them", () => {
    expect(confidenceStrata([question(0.8, true, true), question(0.79, true, false)], 0.8)).toEqual({
      threshold: 0.8,
      high: { questions: 1, errors: 0, corrected: null, broken: 0 },
      low: { questions: 1, errors: 0, corrected: null, broken: 1 },
    });
  });
});
