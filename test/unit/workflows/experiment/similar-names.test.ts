import { expect, test } from "vitest";
import { modelScores, renamed } from "#workflows/experiment/rules/metrics/models";
import { similarNames } from "#workflows/experiment/rules/similar-names";

/** Similarities of names, by hand; all others are 0.1. */
const SIMILAR: Record<string, number> = {
  "Patron/Borrower": 0.9,
  "Guest/Borrower": 0.85,
  "Guest/Visitor": 0.82,
  "Lend tool/Issue tool": 0.8,
  "Patron/Issue tool": 0.99,
};
const similarity = (one: string, other: string) => SIMILAR[`${one}/${other}`] ?? 0.1;

const GOLD = {
  entities: [
    { type: "actor", name: "Borrower" },
    { type: "actor", name: "Visitor" },
    { type: "use_case", name: "Issue tool" },
  ],
  relations: [{ type: "association", from: "Borrower", to: "Issue tool" }],
};
const MODEL = {
  entities: [
    { type: "actor", name: "Guest" },
    { type: "actor", name: "Patron" },
    { type: "actor", name: "the Clerks" },
    { type: "use case", name: "Lend tool" },
  ],
  relations: [{ type: "association", from: "Patron", to: "Lend tool" }],
};

test("the most similar names of one type are paired first, each once, from the threshold on", () => {
  const names = similarNames(MODEL.entities, GOLD.entities, similarity, 0.8);
  expect(Object.fromEntries(names)).toEqual({
    Patron: "Borrower",
    Guest: "Visitor",
    "Lend tool": "Issue tool",
  });
  expect(Object.fromEntries(similarNames(MODEL.entities, GOLD.entities, similarity, 0.84))).toEqual({
    Patron: "Borrower",
  });
});

test("names that differ in case, article and plural alone need no similar vectors", () => {
  const right = [{ type: "actor", name: "Clerk" }];
  expect(Object.fromEntries(similarNames(MODEL.entities, right, () => 0, 0.8))).toEqual({ "the Clerks": "Clerk" });
});

// By hand: of 4 found entities 3 match the 3 right ones, and the one relation is right: 4 matched of 5 found and 4 right.
test("with the gold's names a model is compared as by its own names, relations included", () => {
  const names = similarNames(MODEL.entities, GOLD.entities, similarity, 0.8);
  const scores = modelScores(renamed(MODEL, names), GOLD);
  expect([scores.found, scores.right, scores.matched]).toEqual([5, 4, 4]);
  expect(scores.f1).toBeCloseTo(8 / 9, 9);
  expect(scores["relation.f1"]).toBeCloseTo(1, 9);
  expect(modelScores(MODEL, GOLD).matched).toBe(0);
});
