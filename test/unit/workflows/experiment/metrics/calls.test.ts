import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ExpectedCall } from "#workflow-kit/datasets";
import { areExpected } from "#workflows/experiment/rules/metrics/calls";
import { sharedPath } from "../../../../support/shared";
import { score } from "./trial";

const lend: ExpectedCall = {
  name: "lend",
  arguments: { tool: ["ladder", "the ladder"], days: [3, 4], note: ["", "soon"] },
};
const call = (given: Record<string, unknown>, name = "lend") => ({ name, arguments: given });

describe("one call", () => {
  test.each([
    ["all accepted", { tool: "ladder", days: 3, note: "soon" }, true],
    ["without the optional argument", { tool: "The Ladder", days: 4 }, true],
    ["without a needed argument", { tool: "ladder" }, false],
    ["with a value that is not accepted", { tool: "saw", days: 3 }, false],
    ["with a text in place of a number", { tool: "ladder", days: "3" }, false],
    ["with an argument that nobody expects", { tool: "ladder", days: 3, colour: "red" }, false],
  ])("%s", (_case, given, right) => expect(areExpected([call(given)], [lend])).toBe(right));

  test("of another function is wrong", () => {
    expect(areExpected([call({ tool: "ladder", days: 3 }, "buy")], [lend])).toBe(false);
  });

  test("with lists and objects: lists in order, objects by the accepted values of each name", () => {
    const route: ExpectedCall = {
      name: "route",
      arguments: { stops: [["Rome", "Pisa"]], car: [{ seats: [4, 5], name: ["", "x"] }] },
    };
    const of = (stops: unknown, car: unknown) => areExpected([call({ stops, car }, "route")], [route]);
    expect(of(["rome", "pisa"], { seats: 5 })).toBe(true);
    expect(of(["Pisa", "Rome"], { seats: 5 })).toBe(false);
    expect(of(["Rome", "Pisa"], { seats: 6 })).toBe(false);
    expect(of(["Rome", "Pisa"], { seats: 4, doors: 5 })).toBe(false);
  });
});

describe("several calls", () => {
  const wide: ExpectedCall = { name: "lend", arguments: { tool: ["ladder", "saw"] } };
  const narrow: ExpectedCall = { name: "lend", arguments: { tool: ["ladder"] } };

  test("match in any order, each once, also when the first suits both", () => {
    expect(areExpected([call({ tool: "ladder" }), call({ tool: "saw" })], [wide, narrow])).toBe(true);
    expect(areExpected([call({ tool: "saw" }), call({ tool: "ladder" })], [wide, narrow])).toBe(true);
    expect(areExpected([call({ tool: "saw" }), call({ tool: "saw" })], [wide, narrow])).toBe(false);
  });

  test("none is right where none is expected, and wrong where some are", () => {
    expect(score("call_match", { calls: [] }, { calls: [] })).toBe(1);
    expect(score("call_match", {}, { calls: [] })).toBe(1);
    expect(score("call_match", { calls: [] }, { calls: [narrow] })).toBe(0);
    expect(score("call_match", { calls: [call({ tool: "ladder" })] }, { calls: [] })).toBe(0);
  });
});

const path = sharedPath("data/bfcl");
test.skipIf(!path)(
  "an accepted value of each argument is right for every published item (skipped: the data set is absent)",
  () => {
    for (const file of ["simple_python", "multiple", "parallel", "parallel_multiple", "irrelevance"])
      for (const line of readFileSync(`${path}/${file}.jsonl`, "utf8").trim().split("\n")) {
        const { id, ground_truth } = JSON.parse(line) as {
          id: string;
          ground_truth: Record<string, Record<string, unknown[]>>[];
        };
        const expected = ground_truth.flatMap((one) =>
          Object.entries(one).map(([name, given]) => ({ name, arguments: given as ExpectedCall["arguments"] })),
        );
        const calls = expected.map((one) => call(firstAccepted(one.arguments), one.name));
        expect(areExpected(calls.toReversed(), expected), id).toBe(true);
        if (calls.length) expect(areExpected(calls.slice(1), expected), id).toBe(false);
      }
  },
);

/** The first accepted value of each argument that must be there; objects among them likewise. */
function firstAccepted(accepted: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(accepted).filter(([, values]) => !(Array.isArray(values) && values.includes("")));
  return Object.fromEntries(entries.map(([name, values]) => [name, plainValue((values as unknown[])[0])]));
}

const plainValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plainValue);
  return typeof value === "object" && value !== null ? firstAccepted(value as Record<string, unknown>) : value;
};
