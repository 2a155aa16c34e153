import { expect, test } from "vitest";
import type { Variant } from "#workflows/experiment/contract";
import { chosenItems, runOfTrial, selectionWords } from "#workflows/experiment/inputs/runs";
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

test("mock settings reach every trial; without them a trial names none", () => {
  const [one] = plannedTrials(VARIANTS, ITEMS, 1);
  const mock = { latency_ms: 20, faults: { llm: ["timeout" as const] } };
  expect(runOfTrial(one!, MODELS, mock).test).toEqual(mock);
  expect(runOfTrial(one!, MODELS)).not.toHaveProperty("test");
});

test("a sample is drawn at random after other choices, is the same for the same seed, and keeps the order of the data set", () => {
  const items = Array.from({ length: 40 }, (_, index) => ({
    id: `q${String(index).padStart(2, "0")}`,
    input: {},
    tags: [index < 30 ? "easy" : "hard"],
  }));
  const drawn = (seed: number, more: object = {}) =>
    chosenItems({ sample: { size: 10, seed }, ...more }, { items }).map(({ id }) => id);
  expect(drawn(1)).toHaveLength(10);
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).toEqual(drawn(1).toSorted());
  expect(drawn(1)).not.toEqual(drawn(2));
  expect(drawn(1)).not.toEqual(items.slice(0, 10).map(({ id }) => id));
  expect(drawn(1, { tags: ["hard"] })).toEqual(items.slice(30).map(({ id }) => id));
  const often = Array.from({ length: 400 }, (_, seed) => drawn(seed)).filter((ids) => ids.includes("q39")).length;
  expect(often).toBeGreaterThan(70);
  expect(often).toBeLessThan(130);
});

test("a report says which items were run", () => {
  expect(selectionWords({}, 20, 20)).toBe("all 20 items");
  expect(selectionWords({}, 1, 1)).toBe("its one item");
  expect(selectionWords({ sample: { size: 12, seed: 7 } }, 12, 20)).toBe("12 of 20 items, drawn at random with seed 7");
  expect(selectionWords({ first: 12 }, 12, 20)).toBe("12 of 20 items, the first 12 of the data set");
  expect(selectionWords({ tags: ["easy"], first: 3 }, 3, 20)).toBe(
    "3 of 20 items, with any of the tags easy, the first 3 of these",
  );
});

test("without any seed a trial has none", () => {
  const [one] = plannedTrials(VARIANTS, ITEMS, 1);
  expect(runOfTrial(one!, { ...MODELS, seed: null }).models).toEqual({ default: "d/m", embedding: null });
});
