import { describe, expect, test } from "vitest";
import { METAMODELS } from "#workflows/requirements/rules/built-in-metamodels";
import { allowedPairs, batches, resolvePairs } from "#workflows/requirements/rules/pairs";
import { numberEntities } from "#workflows/requirements/rules/requirement-model";

const named = (type: string, ...names: string[]) =>
  names.map((name) => ({ requirements: [], type, name, description: "" }));
const entities = numberEntities([
  ...named("actor", "Customer", "Operator"),
  ...named("use_case", "Withdraw cash", "Verify PIN"),
]);
const pairs = allowedPairs(entities, METAMODELS.use_case);
const between = (a: string, b: string) => pairs.find((pair) => pair.a.name === a && pair.b.name === b)!;
const decide = (...decisions: [pair: string, relation: string, from?: string][]) =>
  resolvePairs(
    pairs,
    decisions.map(([pair, relation, from]) => ({ pair, relation, from: from ?? null })),
  );

describe("allowed pairs", () => {
  test("are all unordered pairs that a relation type may join", () => {
    expect(pairs.map(({ a, b }) => `${a.name} / ${b.name}`)).toEqual([
      "Customer / Operator",
      "Customer / Withdraw cash",
      "Customer / Verify PIN",
      "Operator / Withdraw cash",
      "Operator / Verify PIN",
      "Withdraw cash / Verify PIN",
    ]);
    expect(pairs.map(({ id }) => id)).toEqual(["p1", "p2", "p3", "p4", "p5", "p6"]);
  });

  test("offer each relation in each direction that the metamodel allows", () => {
    expect(between("Customer", "Withdraw cash").choices).toEqual([{ type: "association", from: "e1", to: "e3" }]);
    expect(between("Customer", "Operator").choices.map(({ type, from }) => `${type} from ${from}`)).toEqual([
      "generalization from e1",
      "generalization from e2",
    ]);
    expect(between("Withdraw cash", "Verify PIN").choices).toHaveLength(6);
  });

  test("omit pairs without an allowed relation", () => {
    const devices = numberEntities([...named("physical_device", "Heater", "Keypad")]);
    expect(allowedPairs(devices, METAMODELS.problem)).toEqual([]);
  });

  test("join a phenomenon with domains only, never two domains", () => {
    const domains = numberEntities([
      ...named("machine_domain", "Controller"),
      ...named("physical_device", "Heater"),
      ...named("shared_phenomena", "Heater on"),
    ]);
    expect(allowedPairs(domains, METAMODELS.problem).map(({ a, b }) => `${a.name} / ${b.name}`)).toEqual([
      "Controller / Heater on",
      "Heater / Heater on",
    ]);
  });
});

describe("settling", () => {
  test("collects relations and counts `none`; the others stay undecided", () => {
    const { relations, none, undecided } = decide(["p2", "association", "e1"], ["p6", "include", "e3"], ["p1", "none"]);
    expect(relations).toEqual([
      { type: "association", from: "e1", to: "e3" },
      { type: "include", from: "e3", to: "e4" },
    ]);
    expect(none.map(({ id }) => id)).toEqual(["p1"]);
    expect(undecided.map(({ id }) => id)).toEqual(["p3", "p4", "p5"]);
  });

  test("puts every pair into exactly one of the three", () => {
    const { relations, none, undecided } = decide(
      ["p2", "association"],
      ["p1", "undecided"],
      ["p3", "None"],
      ["p9", "include", "e1"],
    );
    expect(relations.length + none.length + undecided.length).toBe(pairs.length);
  });

  test("takes the direction from the metamodel when only one is allowed", () => {
    expect(decide(["p2", "association", "e3"]).relations).toEqual([{ type: "association", from: "e1", to: "e3" }]);
  });

  test.each([
    ["a relation that the metamodel does not allow between the two", "p2", "include", "e1"],
    ["a relation that does not exist", "p2", "friendship", "e1"],
    ["no direction where there are two", "p6", "include", undefined],
    ["a direction from an entity that is not of the pair", "p6", "include", "e1"],
  ])("treats %s as undecided", (_name, pair, relation, from) => {
    expect(decide([pair, relation, from]).undecided.map(({ id }) => id)).toContain(pair);
  });

  test("the first usable decision on a pair counts", () => {
    expect(
      decide(["p2", "include", "e1"], ["p2", "none"], ["p2", "association", "e1"]).none.map(({ id }) => id),
    ).toEqual(["p2"]);
  });
});

describe("batches", () => {
  test("have all items in order, and none is empty", () => {
    expect(batches([1, 2, 3, 4, 5], 2)).toEqual([[1], [2, 3], [4, 5]]);
    expect(batches([1, 2], 2)).toEqual([[1, 2]]);
    expect(batches([], 2)).toEqual([]);
  });

  test("are as few as possible, of nearly equal length", () => {
    for (let length = 1; length <= 200; length++) {
      const sizes = batches(
        Array.from({ length }, (_, index) => index),
        40,
      ).map((batch) => batch.length);
      expect(sizes).toHaveLength(Math.ceil(length / 40));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(40);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }
  });
});
