import { z } from "zod";
import { clip } from "./text";

import { argumentsReader, errorOfSchema, withStandardTypes } from "./function-schema";

/** Most errors that are reported for one result, and the characters of each. */
const MAX_ERRORS = 10;
const MAX_ERROR_LENGTH = 300;

/** A function of the caller's own. The run never calls it, but returns the calls that it would make. */
export const functionSchema = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/, "Use letters, digits, `_`, `.` and `-`, up to 64."),
    description: z.string().max(5000).default(""),
    parameters: z
      .record(z.string(), z.unknown())
      .overwrite(withStandardTypes)
      .default({ type: "object", properties: {} })
      .describe(
        "JSON Schema of the arguments, an object. The types `dict`, `float`, `tuple` and `any` of BFCL are taken too. The calls of a " +
          "run fit it, except that models see patterns, but calls are not checked against them.",
      ),
  })
  .superRefine(({ parameters }, context) => {
    const fieldError = errorOfSchema(parameters);
    if (fieldError) context.addIssue({ code: "custom", path: ["parameters"], message: fieldError });
  });

export type FunctionSpec = z.infer<typeof functionSchema>;

/** A call of one of the caller's own functions, which the run does not execute. */
export interface FunctionCall {
  name: string;
  arguments: Record<string, unknown>;
}

const callSchema = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });

/** Parses the calls in a program's or a model's result. Each error is a sentence that says how to repair it. */
export function readCalls(
  value: unknown,
  functions: readonly FunctionSpec[],
): { calls: FunctionCall[]; errors: string[] } {
  const form = "`calls` must be a list of { name, arguments }, where `arguments` is an object.";
  if (!Array.isArray(value)) return { calls: [], errors: [form] };
  const readers = new Map(functions.map(({ name, parameters }) => [name, argumentsReader(parameters)]));
  const calls: FunctionCall[] = [];
  const errors: string[] = [];
  for (const [index, call] of value.entries()) {
    const parsed = callSchema.safeParse(call);
    if (parsed.success) calls.push(parsed.data);
    const found = parsed.success ? errorsOfCall(parsed.data, readers) : [form];
    errors.push(...found.map((fieldError) => clip(`Call ${index + 1}: ${fieldError}`, MAX_ERROR_LENGTH)));
    if (errors.length > MAX_ERRORS) return { calls, errors: [...errors.slice(0, MAX_ERRORS), "There may be more."] };
  }
  return { calls, errors };
}

function errorsOfCall(call: FunctionCall, readers: ReadonlyMap<string, z.ZodType>): string[] {
  const reader = readers.get(call.name);
  if (!reader) return [`there is no function "${clip(call.name, 64)}"; there is ${[...readers.keys()].join(", ")}.`];
  const parsed = reader.safeParse(call.arguments);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => `${call.name}, ${path.join(".") || "arguments"}: ${message}.`);
}
