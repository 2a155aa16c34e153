/** The caller's own functions: their schemas, and the parsing of the calls that a run would make. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { renderPrompt } from "#engine/calls/prompt";
import { actions } from "#workflows/waterfall/actions/index";
import { functionSchema, readCalls } from "#workflow-kit/functions";
import { sampleCalls } from "#workflow-kit/sample-calls";
import { sharedPath } from "../../../support/shared";
import { FUNCTIONS, fullInputs } from "#workflows/waterfall/samples";

const written = (properties: object, more: object = {}) =>
  functionSchema.safeParse({ name: "f", parameters: { type: "object", properties, ...more } });
const taken = (properties: object, more?: object) => [functionSchema.parse(written(properties, more).data)];
const refusal = (properties: object, more?: object) => written(properties, more).error?.issues[0]?.message;

/** Function-calling problems of BFCL. */
const DATA = sharedPath("data/bfcl");

describe.skipIf(!DATA)("BFCL", () => {
  const files = DATA ? readdirSync(DATA).filter((file) => file.endsWith(".jsonl")) : [];
  test.each(files)("%s: every function is accepted unchanged", (file) => {
    const rows = readFileSync(join(DATA!, file), "utf8").trim().split("\n");
    const functions = rows.flatMap((row) => JSON.parse(row).function);
    expect(functions.length).toBeGreaterThan(10);
    for (const one of functions) expect(functionSchema.safeParse(one).error?.issues).toBeUndefined();
  });
});

describe("a function", () => {
  it("may have the types of BFCL, which are replaced by those of JSON Schema at any depth", () => {
    const given = {
      type: "dict",
      properties: {
        type: { type: "float" },
        list: { type: "tuple", items: { type: "dict", properties: { x: { type: "any", description: "All." } } } },
      },
    };
    expect(functionSchema.parse({ name: "f", parameters: given }).parameters).toEqual({
      type: "object",
      properties: {
        type: { type: "number" },
        list: { type: "array", items: { type: "object", properties: { x: { description: "All." } } } },
      },
    });
  });

  it("of an unknown type is refused by its name", () => {
    expect(refusal({ x: { type: "hashmap" } })).toMatch(/hashmap/);
  });

  it("may refer to its own definitions", () => {
    const place = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const functions = taken({ from: { $ref: "#/$defs/place" } }, { $defs: { place }, required: ["from"] });
    expect(readCalls([{ name: "f", arguments: { from: { city: "Rome" } } }], functions).errors).toEqual([]);
    expect(readCalls([{ name: "f", arguments: { from: {} } }], functions).errors).toHaveLength(1);
    expect(sampleCalls(functions, "Fly to Rome")).toEqual([
      { name: "f", arguments: { from: { city: expect.stringContaining("Rome") } } },
    ]);
  });

  it("is refused when checking its arguments could take forever", () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` };
        return [`d${index}`, { anyOf: [next, next] }];
      }),
    );
    const $defs = { ...doubling, d30: { type: "number" }, tree: { properties: { kid: { $ref: "#/$defs/tree" } } } };
    expect(refusal({ x: { $ref: "#/$defs/d0" } }, { $defs })).toMatch(/1000 schemas/);
    expect(refusal({ x: { $ref: "#/$defs/tree" } }, { $defs })).toMatch(/none within itself/);
    expect(refusal({ x: { $ref: "#" } })).toMatch(/none within itself/);
    expect(refusal({ x: { $ref: "#/$defs/nobody" } }, { $defs })).toMatch(/nothing at #\/\$defs\/nobody/);
    let deep: unknown = { type: "string" };
    for (let depth = 0; depth < 20_000; depth++) deep = depth % 2 ? [deep] : { items: deep };
    expect(refusal({ x: deep })).toMatch(/40 deep/);
  });
});

describe("calls of functions", () => {
  it("are parsed by their JSON Schema", () => {
    expect(readCalls([{ name: "book_flight", arguments: { to: "Rome", seats: 2.5 } }], FUNCTIONS).errors).toHaveLength(
      1,
    );
    expect(readCalls([{ name: "book_flight", arguments: '{"to":1}' }], FUNCTIONS).errors[0]).toMatch(/is an object/);
  });

  it("are not checked against patterns, which could take exponential time", () => {
    const functions = taken({ x: { type: "string", pattern: "^(a+)+$" }, pattern: { type: "integer" } });
    const call = { name: "f", arguments: { x: `${"a".repeat(60)}!`, pattern: 1 } };
    expect(readCalls([call], functions)).toEqual({ calls: [call], errors: [] });
  });

  it("with thousands of errors are reported in a few words", () => {
    const { errors } = readCalls(
      Array.from({ length: 50_000 }, () => ({ name: "x".repeat(1000), arguments: {} })),
      FUNCTIONS,
    );
    expect(errors.at(-1)).toBe("There may be more.");
    expect(errors.join(" ").length).toBeLessThan(4000);
  });
});

it.each([
  ["minItems", { type: "array", minItems: 1_000_000_000 }],
  ["minLength", { type: "string", minLength: 20_000_000 }],
])("a schema whose %s asks for a value of any size is refused", (keyword, schema) => {
  expect(refusal({ a: schema }, { required: ["a"] })).toMatch(new RegExp(`\`${keyword}\` is \\d+; at most`));
});

it("the mock model makes no call when lists of lists ask for a value of any size", () => {
  let cube: object = { type: "string", minLength: 10_000 };
  for (let depth = 0; depth < 4; depth++) cube = { type: "array", minItems: 1000, items: cube };
  expect(sampleCalls(taken({ a: cube }, { required: ["a"] }), "x")).toEqual([]);
});

it("the mock model makes no call when it cannot satisfy the schema", () => {
  expect(sampleCalls(taken({ day: { type: "string", format: "date" } }, { required: ["day"] }), "x")).toEqual([]);
});

describe("prompts that show the functions", () => {
  const inputs = fullInputs("Fly to Rome") as Record<string, any>;
  const untold = ["transform_requirement", "verify_requirement", "call_agent", "choose_agents", "answer_directly"];
  test.each(actions.map((action) => ({ name: action.name, action })))("$name", ({ name, action }) => {
    const { user } = renderPrompt<any, any>(action, inputs[name]);
    expect(user.includes("book_flight: Books a flight.")).toBe(!untold.includes(name));
  });
});
