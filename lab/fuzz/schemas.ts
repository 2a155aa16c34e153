import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";

/** Parts of an OpenAPI document, as its JSON has them. */
export type Schema = any;
export type Document = Record<"paths" | "components", any>;
export type Operation = any;
export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** Generators of properties by name; null: the schema decides. */
export type Special = Record<string, (schema: Schema) => Arbitrary<unknown> | null>;

/** A generator of values of a schema within another one. */
type Inner = (schema: Schema) => Arbitrary<unknown>;

/** URLs that reach nothing: this machine's discard port, and names that do not resolve. */
const URLS = [
  "http://127.0.0.1:9/hook",
  "https://hooks.invalid/a?b=c",
  "http://[::1]:9/",
  "https://example.invalid:8443/#x",
];

export const urls = fc.constantFrom(...URLS);

const FORMATS: Record<string, () => Arbitrary<string>> = {
  "date-time": () =>
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
  date: () =>
    fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString().slice(0, 10)),
  uri: () => urls,
};

/** Depth to which references are followed: a schema may refer to itself. */
const MAX_DEPTH = 8;

/** Longest generated text and list, unless the schema demands more; `nearly` generates those that are too long. */
const MAX_LENGTH = 60;
const MAX_COUNT = 4;

/**
 * Values that fit a JSON Schema of OpenAPI 3.1. Other keywords (`uniqueItems`) and rules of the code may be violated; the request is then
 * nearly valid.
 * @param document whose `components` the schema refers to
 * @param special generators of properties by name
 */
export function fitting(schema: Schema, document: Document, special: Special = {}, depth = 0): Arbitrary<unknown> {
  const inner = (subschema: Schema) => fitting(subschema, document, special, depth);
  if (schema === true || depth > MAX_DEPTH) return fc.constant(null);
  if (schema.$ref) return fitting(resolve(schema.$ref, document), document, special, depth + 1);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const either = schema.oneOf ?? schema.anyOf;
  if (either) return fc.oneof(...either.map(inner));
  if (schema.allOf) return fc.tuple<object[]>(...schema.allOf.map(inner)).map((parts) => Object.assign({}, ...parts));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: string) => inner({ ...schema, type })));
  switch (schema.type) {
    case "object":
      return fittingObject(schema, inner, special);
    case "array":
      return fittingList(schema, inner, document);
    case "string":
      return fittingText(schema);
    case "integer":
      return fc.oneof(...bounds(schema, 1).map(([min, max]) => fc.integer({ min, max })));
    case "number":
      return fc.oneof(...bounds(schema, 0).map(([min, max]) => fc.double({ min, max, noNaN: true })));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

export const resolve = (reference: string, document: Document): Schema =>
  reference
    .slice(2)
    .split("/")
    .reduce((node: Schema, name) => node[name], document);

/** A list, or a tuple; of an enum each member occurs once, because such lists are sets. */
function fittingList(
  { prefixItems, items = true, minItems = 0, maxItems = MAX_COUNT }: Schema,
  inner: Inner,
  document: Document,
): Arbitrary<unknown> {
  if (prefixItems) return fc.tuple(...prefixItems.map(inner));
  const { enum: set } = items.$ref ? resolve(items.$ref, document) : items;
  const make = set ? fc.uniqueArray : fc.array;
  return make(inner(items), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, MAX_COUNT)) });
}

function fittingObject(
  { properties = {}, required = [], additionalProperties, propertyNames }: Schema,
  inner: Inner,
  special: Special,
): Arbitrary<unknown> {
  const known = Object.entries(properties).map(([name, schema]) => [name, special[name]?.(schema) ?? inner(schema)]);
  const whole = fc.record(Object.fromEntries(known));
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  // Half of the objects have at most two optional fields: many at once usually contradict each other.
  const chosenNames = fc.oneof(
    fc.subarray(optional, { maxLength: Math.min(2, optional.length) }),
    fc.subarray(optional),
  );
  const fields = fc
    .tuple(whole, chosenNames)
    .map(([all, chosen]) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => required.includes(name) || chosen.includes(name))),
    );
  if (typeof additionalProperties !== "object") return fields;
  const names = propertyNames
    ? (inner(propertyNames) as Arbitrary<string>)
    : fc.string({ minLength: 1, maxLength: 10 });
  const others = fc.dictionary(names, inner(additionalProperties), { maxKeys: 3 });
  return fc.tuple(others, fields).map(([more, own]) => ({ ...more, ...own }));
}

function fittingText({ minLength = 0, maxLength = MAX_LENGTH, pattern, format }: Schema): Arbitrary<string> {
  const known = FORMATS[format];
  if (known) return known();
  const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, MAX_LENGTH)) };
  if (!pattern) return fc.oneof(fc.string(length), fc.string({ ...length, unit: "grapheme" }));
  const expression = new RegExp(pattern, "u");
  const fits = (text: string) => expression.test(text) && text.length >= minLength && text.length <= maxLength;
  const words = fc.string({ ...length, unit: fc.constantFrom(..."abcxyz019") });
  return often(matching(expression), fits) ?? often(words, fits) ?? fc.constant(pattern);
}

/** Texts that match; null when fast-check does not support the pattern (lookaheads). */
function matching(expression: RegExp) {
  try {
    return fc.stringMatching(expression);
  } catch {
    return null;
  }
}

/** The texts that fit; null when fewer than half of 20 samples fit, because a filter would retry without end. */
function often(texts: Arbitrary<string> | null, fits: (text: string) => boolean) {
  if (texts === null) return null;
  const samples = fc.sample(texts, { numRuns: 20, seed: 1 });
  return samples.filter(fits).length >= 10 ? texts.filter(fits) : null;
}

/** Ranges of numbers: near the minimum, and the whole range. */
function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema, step: number): [number, number][] {
  const low = minimum ?? (exclusiveMinimum === undefined ? -100 : exclusiveMinimum + (step || 1e-9));
  const high = maximum ?? (exclusiveMaximum === undefined ? Math.max(low, 1000) : exclusiveMaximum - (step || 1e-9));
  return [
    [low, Math.min(high, low + 20)],
    [low, high],
  ];
}

/** Bodies that fit the schema, and the document's own examples. */
export function bodies({ schema, example, examples }: Media, document: Document, special: Special) {
  const shown = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples ?? {}).map(({ value }) => value),
  ];
  const fits = fitting(schema, document, special);
  return shown.length ? fc.oneof(fc.constantFrom(...shown), fits) : fits;
}
