import { expect, test } from "vitest";
import { shortAnswer, statedConfidence } from "#workflows/experiment/rules/answers";
import { measuresOf } from "#workflows/experiment/rules/metrics/chosen";
import type { TrialResult } from "#workflows/experiment/rules/trials";
import { usageByVariant } from "#workflows/experiment/rules/usage";

const trial = (given: Partial<TrialResult>): TrialResult =>
  ({ variant: "a", reused: false, scores: {}, ...given }) as TrialResult;
const usage = (llm_calls: number, cost_usd: number | null) => ({
  llm_calls,
  input_tokens: 10 * llm_calls,
  cached_input_tokens: 0,
  output_tokens: llm_calls,
  reasoning_tokens: 0,
  cost_usd,
});

test("what this run paid and what earlier experiments paid is added up apart, by variant", () => {
  const results = [
    trial({ usage: usage(1, 0.5) }),
    trial({ usage: usage(2, null) }),
    trial({ usage: usage(4, 2), reused: true }),
    trial({ variant: "b", usage: usage(8, null) }),
  ];
  expect(usageByVariant([{ name: "a" }, { name: "b" }], results)).toEqual([
    { variant: "a", paid: usage(3, 0.5), reused: usage(4, 2) },
    { variant: "b", paid: usage(8, null), reused: usage(0, null) },
  ]);
});

test("an answer in tables is one short line; an output without one has none", () => {
  expect(shortAnswer({ answer: " two\n\nlines " })).toBe("two lines");
  expect(shortAnswer({ answer: "x".repeat(400) })).toHaveLength(301);
  expect(shortAnswer({ answer: null })).toBeNull();
  expect(shortAnswer({ document: null })).toBeNull();
  expect(shortAnswer(null)).toBeNull();
});

test("a short answer of an ideation names its ideas, the best first", () => {
  const ideas = [{ name: "Fog nets" }, { name: "Shared kites" }];
  expect(shortAnswer({ ideas, ranking: [] })).toBe("Fog nets; Shared kites");
  expect(shortAnswer({ ideas, ranking: ideas.toReversed() })).toBe("Shared kites; Fog nets");
  expect(shortAnswer({ ideas: [], ranking: [] })).toBeNull();
  expect(statedConfidence({ confidence: 0.7 })).toBe(0.7);
  expect(statedConfidence({ confidence: null })).toBeNull();
});

test("a metric without parts is one measure, also where no trial has a score; one with parts has a measure for each", () => {
  const described = {
    version: 1,
    summary: "",
    range: [0, 1] as const,
    higher_is_better: true,
    workflows: null,
    needs: [],
  };
  const metrics = ["whole", "parted", "unscored"].map((name) => ({ ...described, name }));
  const results = [trial({ scores: { whole: 1, "parted.b": 1 } }), trial({ scores: { "parted.a": null } })];
  expect(measuresOf(metrics, results).map(({ name }) => name)).toEqual(["whole", "parted.a", "parted.b", "unscored"]);
});
