import { describe, expect, test } from "vitest";
import { measuresOf } from "#workflows/experiment/rules/metrics/chosen";
import { METRICS } from "#workflows/experiment/rules/metrics/index";
import { comparableName } from "#workflows/experiment/rules/metrics/models";
import { parts } from "./trial";

test.each([
  ["The Bank Computer", "bank-computer"],
  ["Withdraw cash", "withdraw  Cash."],
  ["Accounts", "account"],
  ["Entries", "entry"],
  ["Switches", "switch"],
  ["Status", "status"],
])("%j reads like %j", (one, other) => expect(comparableName(one)).toBe(comparableName(other)));

test.each([
  ["Status", "Statu"],
  ["Withdraw cash", "Cash withdraw"],
])("%j does not read like %j", (one, other) => expect(comparableName(one)).not.toBe(comparableName(other)));

describe("a requirements model", () => {
  const gold = {
    model: {
      entities: [
        { type: "actor", name: "Customer" },
        { type: "actor", name: "Operator" },
        { type: "use_case", name: "Withdraw cash" },
        { type: "use_case", name: "Verify PIN" },
      ],
      relations: [
        { type: "association", from: "Customer", to: "Withdraw cash" },
        { type: "include", from: "Withdraw cash", to: "Verify PIN" },
      ],
    },
  };
  // Found: 1 of 2 actors with one too many, both use cases, one relation with its ends exchanged and one wrong.
  const model = {
    entities: [
      { id: "e1", type: "actor", name: "The customers" },
      { id: "e2", type: "actor", name: "Bank" },
      { id: "e3", type: "use case", name: "withdraw cash" },
      { id: "e4", type: "use case", name: "Verify-PIN" },
      { id: "e5", type: "use case", name: "verify pin" },
    ],
    relations: [
      { type: "association", from: "e3", to: "e1" },
      { type: "extend", from: "e3", to: "e4" },
    ],
  };
  const output = { model: { artifact_id: "art_1", kind: "requirement_model" } };

  test("is compared by type, and over all", () => {
    const scores = parts("model_match", output, gold, { art_1: model });
    expect(scores["actor.precision"]).toBeCloseTo(1 / 2, 9);
    expect(scores["actor.recall"]).toBeCloseTo(1 / 2, 9);
    expect(scores["use_case.f1"]).toBeCloseTo(1, 9);
    expect(scores["relation.f1"]).toBeCloseTo(1 / 2, 9);
    // Over all: 6 found, 6 right, 4 of them matched.
    expect([scores.found, scores.right, scores.matched]).toEqual([6, 6, 4]);
    expect(scores.precision).toBeCloseTo(4 / 6, 9);
    expect(scores.recall).toBeCloseTo(4 / 6, 9);
    expect(scores.f1).toBeCloseTo(8 / 12, 9);
  });

  test("of plain is its JSON, with names or ids at the ends of relations", () => {
    const { entities, relations } = gold.model;
    expect(parts("model_match", { answer_json: { entities, relations } }, gold).f1).toBe(1);
    expect(parts("model_match", { answer_json: model }, gold).matched).toBe(4);
  });

  test.each([
    ["no model", { model: null }],
    ["JSON of another form", { answer_json: { entities: [{ title: "Customer" }] } }],
    ["no JSON", {}],
  ])("%s finds nothing", (_case, empty) => {
    expect(parts("model_match", empty, gold)).toMatchObject({ found: 0, right: 6, precision: null, recall: 0, f1: 0 });
  });

  test("its measures begin with those of the whole model", () => {
    const scores = Object.fromEntries(
      ["actor.f1", "use_case.f1", "recall", "relation.recall", "f1"].map((part) => [`model_match.${part}`, 1]),
    );
    const measures = measuresOf([METRICS.model_match!], [{ scores } as never]);
    expect(measures.map(({ name }) => name.replace("model_match.", ""))).toEqual([
      "f1",
      "recall",
      "actor.f1",
      "relation.recall",
      "use_case.f1",
    ]);
  });
});
