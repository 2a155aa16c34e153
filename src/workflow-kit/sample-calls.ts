import { quoted } from "./text";
import { resolveReference } from "./function-schema";
import { readCalls, type FunctionCall, type FunctionSpec } from "./functions";

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

/** A call of the first function with every required argument; empty when `sample` cannot satisfy its schema. */
export function sampleCalls(functions: readonly FunctionSpec[], requirement: string): FunctionCall[] {
  const made = functions.slice(0, 1).map(({ name, parameters }) => ({
    name,
    arguments: sample(parameters, requirement, parameters),
  }));
  const { calls, errors } = readCalls(made, functions);
  return errors.length ? [] : calls;
}

function sample(schema: Schema, about: string, root: Record<string, unknown>): unknown {
  if (schema.$ref !== undefined) return sample(resolveReference(root, schema.$ref), about, root);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.length) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const { minimum = 1, maximum = Infinity, minLength = 0, maxLength = 80 } = schema;
  switch (type) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, sample(schema.properties?.[key] ?? {}, about, root)]),
      );
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, about, root));
    case "integer":
    case "number":
      return Math.min(Math.max(1, Math.ceil(minimum)), maximum);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return quoted(about, maxLength).slice(0, maxLength).padEnd(minLength, "x");
  }
}
