import { expect, test } from "vitest";
import { z } from "zod";
import { jsonFormat, markdownFormat, type OutputFormat } from "#llm";

const problems = <T>(format: OutputFormat<T>, value: unknown): string[] => {
  const parsed = format.parse(value as never);
  return parsed.ok ? [] : parsed.problems;
};

const schemaOf = (schema: z.ZodType) => {
  const format = jsonFormat("thing", schema);
  if (format.type !== "json") throw new Error("not JSON");
  return format.schema;
};

test("a JSON schema is strict at every depth", () => {
  const schema = z.object({
    list: z.array(z.object({ name: z.string(), note: z.string().nullable(), format: z.string().default("x") })),
    either: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a") }),
      z.object({ kind: z.literal("b"), n: z.int() }),
    ]),
  });
  expect(schemaOf(schema)).toEqual({
    type: "object",
    required: ["list", "either"],
    additionalProperties: false,
    properties: {
      list: {
        type: "array",
        items: {
          type: "object",
          required: ["name", "note", "format"],
          additionalProperties: false,
          properties: { name: { type: "string" }, note: { type: ["string", "null"] }, format: { type: "string" } },
        },
      },
      either: {
        anyOf: [
          {
            type: "object",
            required: ["kind"],
            additionalProperties: false,
            properties: { kind: { type: "string", const: "a" } },
          },
          {
            type: "object",
            required: ["kind", "n"],
            additionalProperties: false,
            properties: { kind: { type: "string", const: "b" }, n: { type: "integer" } },
          },
        ],
      },
    },
  });
});

test("keywords that strict mode refuses are removed from the schema but still checked", () => {
  const schema = z.object({
    mail: z.email().describe("where to"),
    code: z.string().min(2).max(4).regex(/^x/),
    share: z.number().min(0).max(1),
  });
  expect(schemaOf(schema).properties).toEqual({
    mail: { type: "string", description: "where to" },
    code: { type: "string" },
    share: { type: "number", minimum: 0, maximum: 1 },
  });
  expect(problems(jsonFormat("thing", schema), { mail: "x", code: "x", share: 0 })).toHaveLength(2);
});

test("an output that is no object is refused where it is defined", () => {
  expect(() => jsonFormat("list", z.array(z.string()))).toThrow("The output list must be an object");
});

test("zod's issues become sentences with path and expectation", () => {
  const format = jsonFormat(
    "thing",
    z.object({
      relations: z.array(z.strictObject({ to: z.enum(["a", "b"]), weight: z.number() })),
      title: z.string(),
      either: z.union([z.object({ text: z.string(), size: z.number() }), z.null()]),
      kind: z.discriminatedUnion("name", [z.object({ name: z.literal("x") }), z.object({ name: z.literal("y") })]),
      fixed: z.literal("one"),
    }),
  );
  expect(
    problems(format, {
      relations: [
        { to: "a", weight: 1 },
        { to: "c", weight: "1", more: 1 },
      ],
      either: { text: "t", size: "s" },
      kind: { name: "z" },
      fixed: "two",
    }),
  ).toEqual([
    `relations.1.to: must be one of "a", "b".`,
    "relations.1.weight: Invalid input: expected number, received string.",
    `relations.1: Unrecognized key: "more".`,
    "title: is missing.",
    "either.size: Invalid input: expected number, received string.",
    "kind.name: Invalid discriminator value. Expected 'x' | 'y'.",
    `fixed: must be "one".`,
  ]);
  expect(problems(format, [])).toEqual(["The answer: Invalid input: expected object, received array."]);
});

test("the check sees the parsed value, and only one that fits the schema", () => {
  const format = jsonFormat("thing", z.object({ n: z.number().default(3) }), ({ n }) =>
    n > 2 ? [`n: ${n} is too many.`] : [],
  );
  expect(problems(format, {})).toEqual(["n: 3 is too many."]);
  expect(problems(format, { n: "x" })).toHaveLength(1);
  expect(problems(format, { n: 1 })).toEqual([]);
});

test("Markdown is refused with a code block that is never closed, and by its check", () => {
  expect(problems(markdownFormat(), "# A\n\n```js\nlet a;\n```\n\nand `inline`, ```also inline```")).toEqual([]);
  expect(problems(markdownFormat(), "# A\n\n````md\n```js\n```\n````\n")).toEqual([]);
  expect(problems(markdownFormat(), "# A\n\n```js\nlet a;\n")).toEqual([
    "A code block is opened with a fence and never closed.",
  ]);
  expect(
    problems(
      markdownFormat((text) => (text.length > 3 ? ["Too long."] : [])),
      "long",
    ),
  ).toEqual(["Too long."]);
});
