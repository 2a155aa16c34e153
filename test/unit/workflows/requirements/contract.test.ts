import { describe, expect, test } from "vitest";
import { inputSchema, optionsSchema } from "#workflows/requirements/contract";
import { modelErrors } from "#workflows/requirements/rules/metamodels";
import { requirements } from "#workflows/requirements/workflow";

const metamodel = {
  entity_types: [
    { name: "page", meaning: "A page of the site.", examples: ["Home"] },
    { name: "visitor", meaning: "Who looks at it.", examples: ["Guest"] },
  ],
  relation_types: [{ name: "reads", meaning: "Looks at it.", from: ["visitor"], to: ["page"] }],
};

/** Paths of all errors, dotted. */
function errors(options: unknown): string[] {
  const result = optionsSchema.safeParse(options);
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join("."));
}

const custom = (change: object) => ({ model_kind: "custom", metamodel: { ...metamodel, ...change } });
const relation = (change: object) => custom({ relation_types: [{ ...metamodel.relation_types[0], ...change }] });

describe("options", () => {
  test("have the defaults of the design", () => {
    expect(optionsSchema.parse({})).toEqual({
      model_kind: "use_case",
      num_user_stories: 5,
      qa_rounds: 2,
      human_stakeholder: false,
      max_iterations: 3,
      reinterview: false,
      accept_at: "minor",
      relation_calls: "listed",
      strategy: "mare",
      profile: "default",
      reviews: [],
      interaction_timeout: "7d",
      on_expiry: "proceed",
    });
  });

  test.each([
    ["num_user_stories", 0],
    ["num_user_stories", 31],
    ["qa_rounds", -1],
    ["qa_rounds", 11],
    ["max_iterations", 0],
    ["max_iterations", 11],
    ["model_kind", "class"],
    ["relation_calls", "all"],
    ["accept_at", "critical"],
    ["strategy", "team"],
    ["draft_template", ""],
    ["srs_template", "   "],
    ["acceptance_criteria", []],
    ["reviews", ["diagram_svg"]],
    ["interaction_timeout", "10s"],
  ])("refuse %s: %j", (name, value) => {
    expect(errors({ [name]: value })[0]).toMatch(new RegExp(`^${name}`));
  });

  test("name an unknown field", () => {
    expect(optionsSchema.safeParse({ temperature: 1 }).error?.issues[0]).toMatchObject({
      code: "unrecognized_keys",
      keys: ["temperature"],
    });
  });

  test("accept a metamodel only with model_kind custom", () => {
    expect(errors({ model_kind: "custom", metamodel })).toEqual([]);
    expect(errors({ model_kind: "custom" })).toEqual(["metamodel"]);
    expect(errors({ model_kind: "goal", metamodel })).toEqual(["metamodel"]);
    expect(errors({ metamodel })).toEqual(["metamodel"]);
  });
});

describe("a contradictory metamodel is refused with the path of the error:", () => {
  const [page, visitor] = metamodel.entity_types;
  test.each([
    ["no entity types", custom({ entity_types: [] }), "metamodel.entity_types"],
    ["no relation types", custom({ relation_types: [] }), "metamodel.relation_types"],
    [
      "two entity types of one name",
      custom({ entity_types: [page, visitor, { ...page, name: "Page" }] }),
      "metamodel.entity_types.2.name",
    ],
    [
      "two relation types of one name",
      custom({ relation_types: [metamodel.relation_types[0], metamodel.relation_types[0]] }),
      "metamodel.relation_types.1.name",
    ],
    ["a relation from an unknown type", relation({ from: ["visitor", "robot"] }), "metamodel.relation_types.0.from.1"],
    ["a relation to an unknown type", relation({ to: ["book"] }), "metamodel.relation_types.0.to.0"],
    ["a type named twice at one end", relation({ to: ["page", "page"] }), "metamodel.relation_types.0.to.1"],
    ["a relation from nowhere", relation({ from: [] }), "metamodel.relation_types.0.from"],
    ["a relation to nowhere", relation({ to: [] }), "metamodel.relation_types.0.to"],
    ["a relation called none", relation({ name: "None" }), "metamodel.relation_types.0.name"],
    ["a relation called undecided", relation({ name: "undecided" }), "metamodel.relation_types.0.name"],
    ["a name with a line break", relation({ name: "reads\nwrites" }), "metamodel.relation_types.0.name"],
    [
      "an entity type without examples",
      custom({ entity_types: [{ ...page, examples: [] }, visitor] }),
      "metamodel.entity_types.0.examples",
    ],
    [
      "an entity type without a meaning",
      custom({ entity_types: [{ ...page, meaning: " " }, visitor] }),
      "metamodel.entity_types.0.meaning",
    ],
  ])("%s", (_name, options, path) => {
    expect(errors(options)).toContain(path);
  });

  test("all errors are reported at once", () => {
    const found = errors(custom({ relation_types: [{ name: "none", meaning: "x", from: ["robot"], to: ["book"] }] }));
    expect(found).toEqual([
      "metamodel.relation_types.0.name",
      "metamodel.relation_types.0.from.0",
      "metamodel.relation_types.0.to.0",
    ]);
  });
});

describe("input", () => {
  const paths = (input: unknown) =>
    inputSchema.safeParse(input).error?.issues.map((issue) => issue.path.join(".")) ?? [];

  test("accepts an idea of 1 to 20,000 characters", () => {
    expect(paths({ idea: "x" })).toEqual([]);
    expect(paths({ idea: "x".repeat(20_000) })).toEqual([]);
    expect(paths({ idea: "x".repeat(20_001) })).toEqual(["idea"]);
    expect(paths({ idea: "" })).toContain("idea");
    expect(paths({ idea: " \n\t " })).toEqual(["idea"]);
    expect(paths({})).toEqual(["idea"]);
  });

  test("accepts 1 to 8 stakeholders with distinct names", () => {
    const named = (...names: string[]) => ({ idea: "x", stakeholders: names.map((name) => ({ name, profile: "p" })) });
    expect(paths(named("Ann", "Ben"))).toEqual([]);
    expect(paths(named())).toEqual(["stakeholders"]);
    expect(paths(named(..."abcdefghi"))).toEqual(["stakeholders"]);
    expect(paths(named("Ann", "Ben", "ann "))).toEqual(["stakeholders.2.name"]);
    expect(paths(named("Ann\nBen"))).toEqual(["stakeholders.0.name"]);
  });
});

describe("a draft and a model in the request", () => {
  const model = (change: object) => ({
    entities: [
      { type: "actor", name: "Clerk", description: "" },
      { type: "use_case", name: "Print badge", description: "" },
    ],
    relations: [{ type: "association", from: "Clerk", to: "Print badge" }],
    ...change,
  });
  const errorsIn = (change: object, options: object = {}) =>
    modelErrors(model(change), optionsSchema.parse(options)).map(({ path }) => path);

  test("a model needs its draft", () => {
    expect(inputSchema.safeParse({ idea: "x", model: model({}), draft: "# Draft" }).success).toBe(true);
    const refused = inputSchema.safeParse({ idea: "x", model: model({}) });
    expect(refused.error?.issues.map(({ path }) => path)).toEqual([["draft"]]);
  });

  test.each([
    ["nothing wrong", {}, []],
    [
      "an unknown type",
      { entities: [{ type: "robot", name: "Clerk" }], relations: [] },
      ["input.model.entities.0.type"],
    ],
    [
      "a name twice",
      { entities: [1, 2].map(() => ({ type: "actor", name: "Clerk" })), relations: [] },
      ["input.model.entities.1.name"],
    ],
    [
      "an unknown end",
      { relations: [{ type: "association", from: "Clerk", to: "Badge" }] },
      ["input.model.relations.0.to"],
    ],
    [
      "an unknown start",
      { relations: [{ type: "association", from: "Me", to: "Badge" }] },
      ["input.model.relations.0.from"],
    ],
    [
      "an unknown relation",
      { relations: [{ type: "likes", from: "Clerk", to: "Print badge" }] },
      ["input.model.relations.0.type"],
    ],
    [
      "the wrong direction",
      { relations: [{ type: "association", from: "Print badge", to: "Clerk" }] },
      ["input.model.relations.0"],
    ],
  ])("the path of each error is named: %s", (_name, change, paths) => {
    expect(errorsIn(change)).toEqual(paths);
  });

  test("its types are those of the options", () => {
    expect(errorsIn({}, { model_kind: "goal" })).toEqual([
      "input.model.entities.0.type",
      "input.model.entities.1.type",
      "input.model.relations.0.type",
    ]);
  });
});

test("the example of the workflow is valid", () => {
  expect(inputSchema.safeParse(requirements.example.input).success).toBe(true);
  expect(optionsSchema.safeParse(requirements.example.options).success).toBe(true);
});
