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

/** Characters and values of a sample together: lists of lists multiply what a schema asks for. */
const MAX_SAMPLE = 20_000;

/** A call of the first function with every required argument; empty when a sample cannot satisfy its schema, or would be too large. */
export function sampleCalls(functions: readonly FunctionSpec[], requirement: string): FunctionCall[] {
  const [first] = functions;
  if (!first) return [];
  const made = new Sampler(requirement, first.parameters).sample(first.parameters);
  const { calls, errors } = readCalls([{ name: first.name, arguments: made }], functions);
  return errors.length ? [] : calls;
}

/** Makes values that a schema accepts, until they are too many. */
class Sampler {
  private left = MAX_SAMPLE;

  constructor(
    private readonly about: string,
    private readonly root: Record<string, unknown>,
  ) {}

  /** @returns undefined for a part that would make the sample too large */
  sample(schema: Schema): unknown {
    if (--this.left < 0) return undefined;
    if (schema.$ref !== undefined) return this.sample(resolveReference(this.root, schema.$ref));
    if (schema.const !== undefined) return schema.const;
    if (schema.default !== undefined) return schema.default;
    if (schema.enum?.length) return schema.enum[0];
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    const { minimum = 1, maximum = Infinity } = schema;
    switch (type) {
      case "object":
        return Object.fromEntries(
          (schema.required ?? []).map((key) => [key, this.sample(schema.properties?.[key] ?? {})]),
        );
      case "array":
        return this.list(schema.items ?? {}, schema.minItems ?? 0);
      case "integer":
      case "number":
        return Math.min(Math.max(1, Math.ceil(minimum)), maximum);
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return this.text(schema);
    }
  }

  private list(items: Schema, count: number): unknown[] {
    const list: unknown[] = [];
    while (list.length < count && this.left > 0) list.push(this.sample(items));
    return list;
  }

  private text({ minLength = 0, maxLength = 80 }: Schema): string | undefined {
    this.left -= minLength;
    return this.left < 0 ? undefined : quoted(this.about, maxLength).slice(0, maxLength).padEnd(minLength, "x");
  }
}
