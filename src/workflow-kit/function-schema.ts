import { z } from "zod";

/**
 * JSON Schemas of the caller's functions, and the check of arguments against them. Callers are not trusted, so the time of a check is limited:
 * the size of a schema is bounded, and regular expressions are not checked.
 */

type Schema = Record<string, unknown>;

/** JSON Schema types by the Python-like types of BFCL; `any` is no restriction. */
const TYPES: Record<string, string | undefined> = { dict: "object", float: "number", tuple: "array", any: undefined };

/** Keywords whose value is a schema or a list of schemas; then keywords whose value is schemas by name. */
const HOLD_SCHEMAS = ["items", "prefixItems", "additionalProperties", "anyOf", "oneOf", "allOf", "not", "contains"];
const HOLD_NAMED_SCHEMAS = ["properties", "$defs", "definitions"];
/** Keywords with regular expressions, whose evaluation may take exponential time. */
const NOT_CHECKED = ["pattern", "patternProperties", "propertyNames"];

/** The largest minimum that a schema may state: whoever makes arguments, a model or the mock model, has to write them. */
const MAX_MINIMUM: Readonly<Record<string, number>> = { minItems: 1000, minProperties: 1000, minLength: 10_000 };

/** Limits for one function, with references followed. */
const MAX_SCHEMAS = 1000;
const MAX_DEPTH = 40;

/** Replaces the types of BFCL by those of JSON Schema. */
export const withStandardTypes = (schema: Schema): Schema => mapSchemas(schema, withStandardType, 0) as Schema;

/** Why arguments cannot be checked against a schema; null when they can. */
export function errorOfSchema(parameters: Schema): string | null {
  if (parameters.type !== "object") return 'Give a JSON Schema of type "object".';
  try {
    new SchemaCounter(parameters).count(parameters, 0);
    argumentsReader(parameters);
    return null;
  } catch (error) {
    const why = (error as Error).message;
    return `This is no JSON Schema that we can check arguments against: ${why}`;
  }
}

/** The zod schema of arguments, without the patterns. */
export const argumentsReader = (parameters: Schema): z.ZodType =>
  z.fromJSONSchema(mapSchemas(parameters, withoutPatterns, 0) as never);

/** Applies `change` to a schema, after all schemas within it. */
function mapSchemas(value: unknown, change: (schema: Schema) => Schema, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => mapSchemas(item, change, depth + 1));
  if (!isObject(value)) return value;
  const inner = (key: string, held: unknown): unknown => {
    if (HOLD_SCHEMAS.includes(key)) return mapSchemas(held, change, depth + 1);
    if (!HOLD_NAMED_SCHEMAS.includes(key) || !isObject(held)) return held;
    return Object.fromEntries(
      Object.entries(held).map(([name, schema]) => [name, mapSchemas(schema, change, depth + 1)]),
    );
  };
  return change(Object.fromEntries(Object.entries(value).map(([key, held]) => [key, inner(key, held)])));
}

function withStandardType(schema: Schema): Schema {
  if (typeof schema.type !== "string" || !Object.hasOwn(TYPES, schema.type)) return schema;
  const { type, ...rest } = schema;
  const standard = TYPES[type as string];
  return standard ? { type: standard, ...rest } : rest;
}

const withoutPatterns = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !NOT_CHECKED.includes(key)));

/** Counts the schemas against which arguments are checked. */
class SchemaCounter {
  private total = 0;

  constructor(private readonly root: Schema) {}

  /** @throws Error when there are too many, one asks for too large a value, or a reference leads nowhere or back to itself */
  count(value: unknown, depth: number): void {
    if (typeof value !== "object" || value === null) return;
    if (++this.total > MAX_SCHEMAS || depth > MAX_DEPTH) {
      throw new Error(
        `with its references followed it may hold ${MAX_SCHEMAS} schemas, ${MAX_DEPTH} deep, and none within itself.`,
      );
    }
    if (Array.isArray(value)) return value.forEach((schema) => this.count(schema, depth + 1));
    if (!isObject(value)) return;
    for (const [key, most] of Object.entries(MAX_MINIMUM)) {
      const stated = value[key];
      if (typeof stated === "number" && stated > most)
        throw new Error(`\`${key}\` is ${stated}; at most ${most} is taken.`);
    }
    for (const key of HOLD_SCHEMAS) this.count(value[key], depth + 1);
    if (isObject(value.properties)) for (const schema of Object.values(value.properties)) this.count(schema, depth + 1);
    if (typeof value.$ref === "string") this.count(resolveReference(this.root, value.$ref), depth + 1);
  }
}

/**
 * Resolves a reference within a schema.
 * @throws Error when there is no schema at its place
 */
export function resolveReference(root: Schema, reference: string): Schema {
  if (!reference.startsWith("#")) throw new Error("only references within it (#/…) are followed.");
  const path = reference.slice(1).split("/").slice(1);
  let found: unknown = root;
  for (const part of path.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))) {
    found = isObject(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  }
  if (!isObject(found)) throw new Error(`there is nothing at ${reference.slice(0, 100)}.`);
  return found;
}

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
