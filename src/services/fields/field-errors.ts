import type { z } from "zod";
import { ERRORS, type ErrorCode, type FieldError, Problem } from "#core/errors";

/** The pattern of a schema that refuses blank texts, as zod reports it. */
const NOT_BLANK = String(/\S/);

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * All of zod's issues with `value`, as errors; each unknown field has its own path. A custom issue may have a code in `params.code`.
 */
export function toFieldErrors(error: z.ZodError, value: unknown): FieldError[] {
  return error.issues.flatMap((issue) => fromIssue(issue, [], value));
}

/** An error of a part, with the path of the part before its own. */
export const within = (part: string, fieldError: FieldError): FieldError => ({
  ...fieldError,
  path: fieldError.path === "" ? part : `${part}.${fieldError.path}`,
});

/** Most errors of an answer, and most characters of a path or message in it: a body of many errors must not make a larger answer. */
const MAX_ERRORS = 100;
const MAX_TEXT_LENGTH = 300;

const clipped = (text: string) => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);

/** One problem for the first errors; its code is theirs when they share one that is an error code, else `validation_failed`. */
export function validationProblem(all: readonly FieldError[]): Problem {
  const errors = all.slice(0, MAX_ERRORS).map(({ path, code, message }) => ({
    path: clipped(path),
    code,
    message: clipped(message),
  }));
  const codes = new Set(errors.map(({ code }) => code));
  const [only] = codes;
  const code = codes.size === 1 && Object.hasOwn(ERRORS, only!) ? (only as ErrorCode) : "validation_failed";
  const shown = errors.slice(0, 3).map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const rest = all.length > errors.length ? `see \`errors\` for the first ${MAX_ERRORS}` : "see `errors`";
  const more = errors.length > shown.length ? ` And ${all.length - shown.length} more, ${rest}.` : "";
  return new Problem(code, shown.join(" ") + more, errors);
}

/** @throws Problem with every error of the body */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw validationProblem(toFieldErrors(parsed.error, body));
  return parsed.data;
}

function fromIssue(issue: Issue, above: Path, value: unknown): FieldError[] {
  const path = [...above, ...issue.path];
  const at = path.join(".");
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: [...path, key].join("."),
        code: "unknown_field",
        message: `There is no field "${key}" here.`,
      }));
    case "invalid_union": {
      const branches = issue.errors.filter((branch) => !branch.some(isOfAnotherType));
      if (branches.length === 1) return branches[0]!.flatMap((inner) => fromIssue(inner, path, value));
      break;
    }
    case "invalid_format":
      if (issue.pattern === NOT_BLANK)
        return [{ path: at, code: "blank", message: "Write something: blanks alone do not count." }];
      break;
    case "invalid_key":
      return [{ path: at, code: issue.code, message: issue.issues[0]!.message }];
    case "invalid_element":
      return issue.issues.flatMap((inner) => fromIssue(inner, path, value));
    case "custom":
      return [{ path: at, code: String(issue.params?.code ?? "invalid_value"), message: issue.message }];
  }
  if (valueAt(value, path) === undefined) return [{ path: at, code: "required", message: "This field is required." }];
  return [{ path: at, code: issue.code, message: issue.message }];
}

/** True when the value has another type than this branch of a union. */
const isOfAnotherType = (issue: Issue) =>
  issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value");

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
