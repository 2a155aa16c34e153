import { expect, test } from "vitest";
import type { Variant } from "#workflows/experiment/contract";
import { runOfTrial } from "#workflows/experiment/inputs/runs";
import { plannedTrials, trialSeed } from "#workflows/experiment/rules/plan";

const VARIANTS: Variant[] = [
  { name: "one", workflow: "plain", options: { form: "text", instructions: "Be brief." } },
  { name: "two", workflow: "debate", models: { default: "x/y", seed: 5 }, limits: { max_llm_calls: 9 } },
];
const ITEMS = [
  { id: "q1", input: { question: "1?" }, gold: { choice: "A" }, tags: ["t"] },
  { id: "q2", input: { question: "2?" }, options: { form: "line" } },
];
const MODELS = { default: "d/m", embedding: null, seed: 3 };

test("every variant of an item is planned before the next item, and every item before the next repetition", () => {
  expect(plannedTrials(VARIANTS, ITEMS, 2).map(({ key }) => key)).toEqual([
    "one/q1/0",
    "two/q1/0",
    "one/q2/0",
    "two/q2/0",
    "one/q1/1",
    "two/q1/1",
    "one/q2/1",
    "two/q2/1",
  ]);
});

test("seeds of trials differ by item and repetition, and are shared by the variants", () => {
  const seeds = plannedTrials(VARIANTS, ITEMS, 2).map(({ item, repetition }) => trialSeed(3, item.id, repetition));
  expect(new Set(seeds).size).toBe(4);
  for (const seed of seeds)
    expect(seed).toSatisfy((value: number) => Number.isInteger(value) && value >= 0 && value < 2 ** 31);
});

test("a trial's run has the variant's settings, the item's input and options, and neither gold nor tags", () => {
  const [one, two] = plannedTrials(VARIANTS, ITEMS, 1);
  expect(runOfTrial(one!, MODELS)).toEqual({
    workflow: "plain",
    input: { question: "1?" },
    options: { form: "text", instructions: "Be brief." },
    models: { default: "d/m", embedding: null, seed: trialSeed(3, "q1", 0) },
    limits: undefined,
    repetition: 0,
  });
  expect(runOfTrial(two!, MODELS)).toMatchObject({
    models: { default: "x/y", seed: trialSeed(5, "q1", 0) },
    limits: { max_llm_calls: 9 },
  });
  const ofSecond = plannedTrials(VARIANTS, ITEMS, 1)[2]!;
  expect(runOfTrial(ofSecond, MODELS).options).toEqual({ form: "line", instructions: "Be brief." });
});

test("without any seed a trial has none", () => {
  const [one] = plannedTrials(VARIANTS, ITEMS, 1);
  expect(runOfTrial(one!, { ...MODELS, seed: null }).models).toEqual({ default: "d/m", embedding: null });
});
