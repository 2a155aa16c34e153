import { describe, expect, test } from "vitest";
import { z } from "zod";
import { validationProblem, toFieldErrors } from "#services/fields/field-errors";

const schema = z.strictObject({
  name: z.string().min(2),
  deep: z.strictObject({ list: z.array(z.strictObject({ n: z.int() })) }),
  either: z.union([z.string(), z.strictObject({ a: z.number(), b: z.number().optional() })]).optional(),
  map: z.record(z.string().regex(/^k\d$/, "k and a digit"), z.number()).optional(),
  url: z
    .string()
    .superRefine((_, context) =>
      context.addIssue({ code: "custom", message: "Not this one.", params: { code: "url_refused" } }),
    )
    .optional(),
});
const GOOD = { name: "ab", deep: { list: [] } };

const errorsOf = (value: unknown) =>
  toFieldErrors(schema.safeParse(value).error!, value).map(({ path, code }) => [path, code]);

describe("errors of a body", () => {
  const cases: [what: string, value: unknown, errors: string[][]][] = [
    [
      "each missing field",
      {},
      [
        ["name", "required"],
        ["deep", "required"],
      ],
    ],
    ["null is not missing", { ...GOOD, name: null }, [["name", "invalid_type"]]],
    [
      "each unknown field, at any depth",
      { ...GOOD, x: 1, y: 2, deep: { list: [{ n: 1, z: 1 }] } },
      [
        ["deep.list.0.z", "unknown_field"],
        ["x", "unknown_field"],
        ["y", "unknown_field"],
      ],
    ],
    ["positions in lists", { ...GOOD, deep: { list: [{ n: 1 }, { n: 0.5 }] } }, [["deep.list.1.n", "invalid_type"]]],
    [
      "of a union, those of the form that was meant",
      { ...GOOD, either: { a: "1", c: 1 } },
      [
        ["either.a", "invalid_type"],
        ["either.c", "unknown_field"],
      ],
    ],
    ["of a union, one when no form was meant", { ...GOOD, either: 7 }, [["either", "invalid_union"]]],
    ["keys of records", { ...GOOD, map: { k1: 1, other: 2 } }, [["map.other", "invalid_key"]]],
    ["with a code of their own", { ...GOOD, url: "x" }, [["url", "url_refused"]]],
    ["the body itself", [], [["", "invalid_type"]]],
  ];
  test.each(cases)("%s", (_, value, errors) => {
    expect(errorsOf(value)).toEqual(errors);
  });
});

describe("the problem of these errors", () => {
  const fieldError = (code: string, path = "a") => ({ path, code, message: "m" });

  test("has the code that all share, when it is an error code of the API", () => {
    expect(validationProblem([fieldError("unknown_provider"), fieldError("unknown_provider", "b")]).code).toBe(
      "unknown_provider",
    );
    expect(validationProblem([fieldError("unknown_provider"), fieldError("too_small")]).code).toBe("validation_failed");
    expect(validationProblem([fieldError("too_small")]).code).toBe("validation_failed");
  });

  test("describes the first three, and counts the others", () => {
    const { detail, errors } = validationProblem(["a", "b", "c", "d", ""].map((path) => fieldError("too_small", path)));
    expect(detail).toBe("a: m b: m c: m And 2 more, see `errors`.");
    expect(errors).toHaveLength(5);
  });
});
