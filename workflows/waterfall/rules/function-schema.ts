import { z } from "zod";

/**
 * JSON Schemas of the caller's functions: how they may be written, and how arguments are checked against them. They come from outside, so
 * that checking must take time in proportion to them: there is a bound on their size, and regular expressions are left out of it.
 */

type Schema = Record<string, unknown>;

/** Types as BFCL and other sources with Python in mind write them, and what JSON Schema calls them; `any` is no restriction. */
const TYPES: Record<string, string | undefined> = { dict: "object", float: "number", tuple: "array", any: undefined };

/** Keywords by what they hold: a schema or a list of them, or schemas by name. */
const HOLD_SCHEMAS = ["items", "prefixItems", "additionalProperties", "anyOf", "oneOf", "allOf", "not", "contains"];
const HOLD_NAMED_SCHEMAS = ["properties", "$defs", "definitions"];
/** A regular expression of a caller's may take for ever. */
const NOT_CHECKED = ["pattern", "patternProperties", "propertyNames"];

/** Of one function, references followed. */
const MOST_SCHEMAS = 1000;
const DEEPEST = 40;

/** The schema with the types that JSON Schema knows. */
export const standardised = (schema: Schema): Schema => changed(schema, withStandardType, 0) as Schema;

/** Says why arguments cannot be checked against a schema; null when they can. */
export function faultOfSchema(parameters: Schema): string | null {
  if (parameters.type !== "object") return 'Give a JSON Schema of type "object".';
  try {
    new Census(parameters).take(parameters, 0);
    argumentsReader(parameters);
    return null;
  } catch (error) {
    const why = (error as Error).message;
    return `This is no JSON Schema that we can check arguments against: ${why}`;
  }
}

/** What reads arguments; patterns are for the models alone. */
export const argumentsReader = (parameters: Schema): z.ZodType =>
  z.fromJSONSchema(changed(parameters, withoutPatterns, 0) as never);

/** @param change is applied to a schema once it has been to all those in it */
function changed(value: unknown, change: (schema: Schema) => Schema, depth: number): unknown {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((one) => changed(one, change, depth + 1));
  if (!isObject(value)) return value;
  const inner = (key: string, held: unknown): unknown => {
    if (HOLD_SCHEMAS.includes(key)) return changed(held, change, depth + 1);
    if (!HOLD_NAMED_SCHEMAS.includes(key) || !isObject(held)) return held;
    return Object.fromEntries(Object.entries(held).map(([name, one]) => [name, changed(one, change, depth + 1)]));
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

/** Counts the schemas that arguments would be checked against. */
class Census {
  private count = 0;

  constructor(private readonly root: Schema) {}

  /** @throws Error when there are too many, or a reference leads nowhere or back to itself */
  take(value: unknown, depth: number): void {
    if (typeof value !== "object" || value === null) return;
    if (++this.count > MOST_SCHEMAS || depth > DEEPEST) {
      throw new Error(
        `with its references followed it may hold ${MOST_SCHEMAS} schemas, ${DEEPEST} deep, and none within itself.`,
      );
    }
    if (Array.isArray(value)) return value.forEach((one) => this.take(one, depth + 1));
    if (!isObject(value)) return;
    for (const key of HOLD_SCHEMAS) this.take(value[key], depth + 1);
    if (isObject(value.properties)) for (const one of Object.values(value.properties)) this.take(one, depth + 1);
    if (typeof value.$ref === "string") this.take(referred(this.root, value.$ref), depth + 1);
  }
}

/**
 * What a reference within a schema stands for.
 * @throws Error when that is nothing
 */
export function referred(root: Schema, reference: string): Schema {
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
