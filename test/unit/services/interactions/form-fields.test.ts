/** How an `answer_schema` becomes the controls of a form, for schemas that workflows may write. */
import { expect, it, test } from "vitest";
import { z } from "zod";
import { formFields, type NamedField } from "#services/interactions/form-fields";
import { readForm } from "#services/interactions/read-form";

const additions = (schema: z.ZodType) => ({
  questions: "[]",
  answer_schema: JSON.stringify(z.toJSONSchema(z.strictObject({ additions: schema }), { io: "input" })),
});
const only = (schema: z.ZodType): NamedField => {
  const [field] = formFields(additions(z.strictObject({ x: schema })));
  return (field!.field as Extract<NamedField["field"], { is: "group" }>).fields[0]!;
};
const shared = z.string().max(50).meta({ id: "Shared" });

test.each<[string, z.ZodType, object]>([
  ["a short text", z.string().max(80), { field: { is: "text", long: false, longest: 80 } }],
  ["a long text", z.string().max(5000), { field: { is: "text", long: true, longest: 5000 } }],
  ["an integer", z.int(), { field: { is: "number" } }],
  [
    "an enum",
    z.enum(["a", "b"]),
    {
      field: {
        is: "choice",
        options: [
          { value: "a", label: "a" },
          { value: "b", label: "b" },
        ],
      },
    },
  ],
  ["numbers to choose from", z.literal([1, 2]), { field: { is: "choice" } }],
  [
    "alternatives with words of their own",
    z.union([z.literal("i1").meta({ title: "Solar sheds", description: "In the sun." }), z.literal("i2")]),
    {
      field: {
        is: "choice",
        options: [
          { value: "i1", label: "Solar sheds", hint: "In the sun." },
          { value: "i2", label: "i2" },
        ],
      },
    },
  ],
  ["several of an enum", z.array(z.enum(["a", "b"])), { field: { is: "choices" } }],
  ["short texts", z.array(z.string().max(80)), { field: { is: "lines" } }],
  ["texts without a bound", z.array(z.string()), { field: { is: "lines" } }],
  ["long texts", z.array(z.string().max(5000)), { field: { is: "list", of: { is: "text", long: true } } }],
  ["objects", z.array(z.object({ a: z.string() })), { field: { is: "list", of: { is: "group" } } }],
  ["one or null", z.string().max(9).nullable(), { nullable: true, field: { is: "text" } }],
  [
    "a reference",
    z.object({ a: shared, b: shared }),
    { field: { is: "group", fields: [{ name: "a", field: { is: "text", long: false } }, { name: "b" }] } },
  ],
  ["free keys", z.record(z.string(), z.number()), { field: { is: "json" } }],
  ["lists in lists", z.array(z.array(z.string())), { field: { is: "json" } }],
  ["a union of shapes", z.union([z.string(), z.object({ a: z.string() })]), { field: { is: "json" } }],
  ["anything", z.unknown(), { field: { is: "json" } }],
])("%s", (_, schema, expected) => {
  expect(only(schema)).toMatchObject(expected);
});

it("labels a field by its title or its name, and explains it by its description", () => {
  expect(only(z.string().describe("What the judge should know."))).toMatchObject({
    label: "X",
    hint: "What the judge should know.",
  });
  expect(only(z.string().meta({ title: "Note" }))).toMatchObject({ label: "Note" });
});

it("omits empty fields, and completes the others with required nulls and empty lists", () => {
  const schema = z.strictObject({
    entries: z.array(
      z.strictObject({ title: z.string().max(9), url: z.string().max(9).nullable(), tags: z.array(z.string()) }),
    ),
  });
  const read = (fields: Record<string, string>) => readForm(additions(schema), new URLSearchParams(fields)).body;
  expect(read({ "additions[entries][0][title]": "", "additions[entries][0][url]": "" })).toEqual({});
  expect(read({ "additions[entries][7][title]": "T" })).toEqual({
    additions: { entries: [{ title: "T", url: null, tags: [] }] },
  });
});

it("reads chosen numbers as numbers", () => {
  const { body } = readForm(
    additions(z.strictObject({ x: z.literal([1, 2]) })),
    new URLSearchParams({ "additions[x]": "2" }),
  );
  expect(body).toEqual({ additions: { x: 2 } });
});
