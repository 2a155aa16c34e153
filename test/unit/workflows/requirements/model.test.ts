import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { jsonFormat } from "#llm/formats";
import { actions } from "#workflows/requirements/actions/index";
import type { CheckMessage } from "#workflows/requirements/artifacts";
import { METAMODELS } from "#workflows/requirements/rules/built-in-metamodels";
import { metamodelSchema } from "#workflows/requirements/rules/metamodels";
import {
  entityErrors,
  errorsOf,
  improveEntities,
  mergeExtractedModel,
  mergeListedModel,
  mergeModel,
  numberEntities,
  oncePerName,
  relationFaults,
  sameSmells,
  titleOf,
} from "#workflows/requirements/rules/requirement-model";
import { sharedPath } from "../../../support/shared";

const entity = (id: string, type: string, name: string) => ({ id, type, name, description: "" });
const listed = (type: string, name: string, ...requirements: string[]) => ({
  requirements,
  type,
  name,
  description: "",
});
const about = { model_kind: "use_case", title: "Bank" };

describe("entities", () => {
  test("are numbered over all types, each once in any spelling", () => {
    const found = numberEntities([
      listed("actor", " Customer "),
      listed("actor", "customer."),
      listed("actor", ""),
      listed("use_case", "Customer"),
      listed("use_case", "Withdraw  cash"),
    ]);
    expect(found.map(({ id, type, name }) => [id, type, name])).toEqual([
      ["e1", "actor", "Customer"],
      ["e2", "use_case", "Customer"],
      ["e3", "use_case", "Withdraw  cash"],
    ]);
  });
});

test("an entity that two calls found under two types has the first of them", () => {
  const found = [listed("actor", "Guard"), listed("resource", "guard "), listed("resource", "Key")];
  expect(oncePerName(found).map(({ type, name }) => `${type} ${name}`)).toEqual(["actor Guard", "resource Key"]);
});

describe("entities of an improved model", () => {
  const earlier = numberEntities([
    listed("actor", "Clerk", "R1"),
    listed("use_case", "Print badge", "R1"),
    listed("use_case", "Void badge", "R2"),
  ]);

  test("keep their ids; new ones get the next number, and others are gone", () => {
    const { entities, changed } = improveEntities(earlier, {
      entities: [listed("use_case", "print badge", "R1", "R3"), listed("actor", "Guest", "R4")],
      removed: ["Void badge."],
    });
    expect(entities.map(({ id, name }) => `${id} ${name}`)).toEqual(["e1 Clerk", "e2 print badge", "e4 Guest"]);
    // e2 only gained a requirement: that changes none of its relations.
    expect(changed.map(({ id }) => id)).toEqual(["e4"]);
    expect(entities[1]!.requirements).toEqual(["R1", "R3"]);
  });

  test("stay when nothing is listed", () => {
    expect(improveEntities(earlier, { entities: [], removed: [] })).toEqual({ entities: earlier, changed: [] });
  });

  test("may change their type, and stay when they are both listed and removed", () => {
    const { entities, changed } = improveEntities(earlier, {
      entities: [listed("use_case", "Clerk")],
      removed: ["Clerk"],
    });
    expect(changed.map(({ id }) => id)).toEqual(["e1"]);
    expect(entities.map(({ id, type }) => `${id} ${type}`)).toEqual(["e1 use_case", "e2 use_case", "e3 use_case"]);
  });

  test("are refused with an empty name, an unknown type, or one name under two types", () => {
    const errors = (...entities: ReturnType<typeof listed>[]) =>
      entityErrors({ entities, removed: [] }, METAMODELS.use_case.entity_types);
    expect(errors(listed("actor", "Clerk"))).toEqual([]);
    expect(errors(listed("actor", " "))).toHaveLength(1);
    expect(errors(listed("robot", "Clerk"))).toEqual([expect.stringContaining("Types are: actor, use_case")]);
    expect(errors(listed("actor", "Badge"), listed("use_case", "badge "))).toEqual([
      expect.stringContaining("under actor and use_case"),
    ]);
  });
});

describe("a model from listed relations", () => {
  const entities = numberEntities([
    listed("actor", "Clerk"),
    listed("use_case", "Print badge"),
    listed("use_case", "Log in"),
  ]);
  const relation = (type: string, from: string, to: string) => ({ because: "R1", type, from, to });
  const merge = (...relations: ReturnType<typeof relation>[]) =>
    mergeListedModel(about, entities, relations, METAMODELS.use_case);

  test("gives every pair that is not listed no relation, and counts all", () => {
    const merged = merge(relation("association", "e1", "e2"));
    expect(merged.relations).toEqual([{ type: "association", from: "e1", to: "e2" }]);
    expect(merged.pairs).toEqual({ allowed: 3, related: 1, none: 2, undecided: [] });
  });

  test("turns a relation that the metamodel allows in the other direction only", () => {
    expect(merge(relation("association", "e2", "e1")).relations).toEqual([
      { type: "association", from: "e1", to: "e2" },
    ]);
    expect(relationFaults([relation("association", "e2", "e1")], entities, METAMODELS.use_case)).toEqual([]);
  });

  test("takes the first relation of a pair, and drops what the metamodel does not allow", () => {
    const merged = merge(
      relation("include", "e2", "e3"),
      relation("extend", "e3", "e2"),
      relation("include", "e1", "e2"),
      relation("include", "e2", "e9"),
    );
    expect(merged.relations).toEqual([{ type: "include", from: "e2", to: "e3" }]);
  });

  test("tells its writer what is not allowed", () => {
    const errors = relationFaults(
      [relation("include", "e1", "e2"), relation("include", "e2", "e9")],
      entities,
      METAMODELS.use_case,
    );
    expect(errors).toEqual([
      expect.stringContaining("include does not lead from actor to use_case"),
      expect.stringContaining("names e9"),
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
    const errors = errorsOf({ entities, relations }, METAMODELS.use_case);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(words);
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
  type Finding = [kind: string, location: string, severity?: string];
  const check = (putRight: readonly string[], ...smells: Finding[]) =>
    ({
      review: "",
      earlier: ["s0", "s1"].map((id) => ({ id, now: "", put_right: putRight.includes(id) })),
      smells: smells.map(([kind, location, severity = "major"], index) => ({
        id: `s${index}`,
        kind,
        location,
        concerns: "draft",
        explanation: `${index}`,
        severity,
      })),
      accepted: false,
    }) as CheckMessage;
  const areSame = (one: CheckMessage, other: CheckMessage) =>
    sameSmells(one, other, (severity) => severity !== "minor");
  const first = check([], ["ambiguous", "R1"], ["incomplete", "Overview"]);

  test("when kinds and locations are the same sets, and nothing was put right", () => {
    expect(areSame(first, check([], ["incomplete", " overview. "], ["ambiguous", "r1"]))).toBe(true);
    expect(areSame(check([], ["ambiguous", "R1"], ["ambiguous", "R1"]), check([], ["ambiguous", "R1"]))).toBe(true);
  });

  test("and not when one differs", () => {
    expect(areSame(check([], ["ambiguous", "R1"]), check([], ["ambiguous", "R2"]))).toBe(false);
    expect(areSame(check([], ["ambiguous", "R1"]), check([], ["incomplete", "R1"]))).toBe(false);
    expect(areSame(check([], ["ambiguous", "R1"]), first)).toBe(false);
  });

  test("and not when a finding was put right, although another one is at its place", () => {
    expect(areSame(first, check(["s1"], ["ambiguous", "R1"], ["incomplete", "Overview"]))).toBe(false);
  });

  test("whatever minor ones they name besides", () => {
    const again = check(["s2"], ["ambiguous", "R1"], ["incomplete", "Overview"], ["other", "R9", "minor"]);
    expect(areSame(first, again)).toBe(true);
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
