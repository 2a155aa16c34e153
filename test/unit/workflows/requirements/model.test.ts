import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { jsonFormat } from "#llm/formats";
import { actions } from "#workflows/requirements/actions/index";
import type { CheckMessage } from "#workflows/requirements/artifacts";
import { METAMODELS } from "#workflows/requirements/rules/built-in-metamodels";
import { metamodelSchema } from "#workflows/requirements/rules/metamodels";
import {
  faultsOf,
  mergeExtractedModel,
  mergeModel,
  numberEntities,
  sameSmells,
  titleOf,
} from "#workflows/requirements/rules/requirement-model";
import { sharedPath } from "../../../support/shared";

const entity = (id: string, type: string, name: string) => ({ id, type, name, description: "" });
const about = { model_kind: "use_case", title: "Bank" };

describe("entities", () => {
  test("are numbered over all types, each once in any spelling", () => {
    const found = numberEntities([
      {
        type: "actor",
        entities: [
          { name: " Customer ", description: "" },
          { name: "customer.", description: "" },
          { name: "", description: "" },
        ],
      },
      {
        type: "use_case",
        entities: [
          { name: "Customer", description: "" },
          { name: "Withdraw  cash", description: "" },
        ],
      },
    ]);
    expect(found.map(({ id, type, name }) => [id, type, name])).toEqual([
      ["e1", "actor", "Customer"],
      ["e2", "use_case", "Customer"],
      ["e3", "use_case", "Withdraw  cash"],
    ]);
  });
});

describe("a model", () => {
  test("accounts for every pair", () => {
    const [a, b, c] = ["A", "B", "C"].map((name, index) => entity(`e${index + 1}`, "actor", name)) as [
      never,
      never,
      never,
    ];
    const pair = (id: string, one: never, other: never) => ({ id, a: one, b: other, choices: [] });
    const merged = mergeModel(about, [a, b, c], {
      relations: [{ type: "generalization", from: "e1", to: "e2" }],
      none: [pair("p2", a, c)],
      undecided: [pair("p3", b, c)],
    });
    expect(merged.pairs).toEqual({ allowed: 3, related: 1, none: 1, undecided: [["e2", "e3"]] });
    expect(merged.relations).toHaveLength(1);
  });

  test("from one call is renumbered, without duplicate relations or those of unknown entities", () => {
    const relations = [
      { type: "association", from: "a", to: "b" },
      { type: "association", from: "a", to: "b" },
      { type: "association", from: "a", to: "gone" },
    ];
    const merged = mergeExtractedModel(about, {
      entities: [entity("a", "actor", "A"), entity("b", "use_case", "B")],
      relations,
    });
    expect(merged.entities.map(({ id }) => id)).toEqual(["e1", "e2"]);
    expect(merged.relations).toEqual([{ type: "association", from: "e1", to: "e2" }]);
    expect(merged.pairs).toBeNull();
  });

  test.each([
    ["an id twice", [entity("a", "actor", "A"), entity("a", "actor", "B")], [], "used twice"],
    ["an unknown entity type", [entity("a", "robot", "A")], [], 'unknown type "robot"'],
    ["a nameless entity", [entity("a", "actor", " ")], [], "no name"],
    ["an unknown entity", [entity("a", "actor", "A")], [{ type: "association", from: "a", to: "z" }], "names z"],
    [
      "an unknown relation type",
      [entity("a", "actor", "A"), entity("b", "use_case", "B")],
      [{ type: "likes", from: "a", to: "b" }],
      '"likes"',
    ],
    [
      "a relation the wrong way round",
      [entity("a", "actor", "A"), entity("b", "use_case", "B")],
      [{ type: "association", from: "b", to: "a" }],
      "does not lead from use_case to actor",
    ],
    [
      "a generalization across types",
      [entity("a", "actor", "A"), entity("b", "use_case", "B")],
      [{ type: "generalization", from: "a", to: "b" }],
      "does not lead from actor to use_case",
    ],
    [
      "a relation with itself",
      [entity("a", "actor", "A")],
      [{ type: "generalization", from: "a", to: "a" }],
      "with itself",
    ],
  ])("from one call is refused for %s", (_name, entities, relations, words) => {
    const faults = faultsOf({ entities, relations }, METAMODELS.use_case);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(words);
  });

  test.each([
    ["as given", { idea: "x", title: "Bank" }, "# Draft: Other", "Bank"],
    ["after the colon of the draft's heading", { idea: "x" }, "Hello\n# Requirements draft: Bank", "Bank"],
    ["as the heading of the draft", { idea: "x" }, "# Bank\n## Part", "Bank"],
    ["as the idea's first line", { idea: "\nBank\nmore" }, "no heading", "Bank"],
  ])("is called %s", (_name, input, draft, title) => {
    expect(titleOf(input, draft)).toBe(title);
  });
});

describe("two checks name the same smells", () => {
  const check = (...smells: [kind: string, location: string][]) =>
    ({
      earlier: [],
      smells: smells.map(([kind, location], index) => ({
        id: `s${index}`,
        kind,
        location,
        concerns: "draft",
        explanation: `${index}`,
        severity: "minor",
      })),
      accepted: false,
    }) as CheckMessage;

  test("when kinds and locations are the same sets", () => {
    expect(
      sameSmells(
        check(["ambiguous", "R1"], ["incomplete", "Overview"]),
        check(["incomplete", " overview. "], ["ambiguous", "r1"]),
      ),
    ).toBe(true);
    expect(sameSmells(check(["ambiguous", "R1"], ["ambiguous", "R1"]), check(["ambiguous", "R1"]))).toBe(true);
  });

  test("and not when one differs", () => {
    expect(sameSmells(check(["ambiguous", "R1"]), check(["ambiguous", "R2"]))).toBe(false);
    expect(sameSmells(check(["ambiguous", "R1"]), check(["incomplete", "R1"]))).toBe(false);
    expect(sameSmells(check(["ambiguous", "R1"]), check(["ambiguous", "R1"], ["other", "R3"]))).toBe(false);
  });
});

describe("the metamodels", () => {
  test.each(Object.entries(METAMODELS))(
    "%s would pass as one of a request",
    (_kind, { entity_types, relation_types }) => {
      const given = {
        entity_types,
        relation_types: relation_types.map(({ name, meaning, from, to }) => ({ name, meaning, from, to })),
      };
      expect(metamodelSchema.safeParse(given).error?.issues ?? []).toEqual([]);
    },
  );

  const authored = sharedPath("data/re_cases_authored/metamodels.json");
  test.skipIf(!authored)("have the types of the authored cases (skipped where those are absent)", () => {
    const file = JSON.parse(readFileSync(authored!, "utf8")) as Record<
      string,
      { entities: string[]; relations: string[] }
    >;
    for (const [kind, { entities, relations }] of Object.entries(file)) {
      const metamodel = METAMODELS[kind as keyof typeof METAMODELS];
      expect(metamodel.entity_types.map(({ name }) => name).sort()).toEqual(entities.toSorted());
      expect(metamodel.relation_types.map(({ name }) => name).sort()).toEqual(relations.toSorted());
    }
  });
});

describe("output schemas fit strict mode", () => {
  const withOutput = actions.flatMap((action) =>
    "output" in action && action.output ? [[action.name, action.output] as const] : [],
  );

  test.each(withOutput)("%s", (name, output) => {
    const walk = (node: unknown): void => {
      if (typeof node !== "object" || node === null) return;
      const { type, properties, required, additionalProperties } = node as Record<string, unknown>;
      if (type === "object") {
        expect(Object.keys(properties as object).length).toBeGreaterThan(0);
        expect(required).toEqual(Object.keys(properties as object));
        expect(additionalProperties).toBe(false);
      }
      expect(node).not.toHaveProperty("prefixItems");
      Object.values(node).forEach(walk);
    };
    const { schema } = jsonFormat(name, output as never) as { schema: Record<string, unknown> };
    expect(schema.type).toBe("object");
    walk(schema);
    // zod must require every property that the JSON Schema requires, or an output without it would pass.
    expect(output.safeParse({}).success).toBe(false);
  });
});
