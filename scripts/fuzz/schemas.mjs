import * as fc from "fast-check";

/** Nothing is to be called but this machine's discard port, and names that no resolver knows. */
const URLS = [
  "http://127.0.0.1:9/hook",
  "https://hooks.invalid/a?b=c",
  "http://[::1]:9/",
  "https://example.invalid:8443/#x",
];

export const urls = fc.constantFrom(...URLS);

const FORMATS = {
  "date-time": () =>
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
  date: () =>
    fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString().slice(0, 10)),
  uri: () => urls,
};

/** How many names deep schemas are followed: they may name themselves. */
const DEEPEST = 8;

/** Longest text and list that are made without need; what is longer than allowed is for `nearly`. */
const LONGEST = 60;
const MOST = 4;

/**
 * Values that fit a JSON Schema as OpenAPI 3.1 has it. What keywords beyond these say (`uniqueItems`, rules of the code) may not be met:
 * then the request is a nearly valid one.
 * @param {any} schema
 * @param {any} document whose `components` it names
 * @param {Record<string, (schema: any) => import("fast-check").Arbitrary<unknown> | null>} special for properties of these names
 */
export function fitting(schema, document, special = {}, depth = 0) {
  const inner = (one) => fitting(one, document, special, depth);
  if (schema === true || depth > DEEPEST) return fc.constant(null);
  if (schema.$ref) return fitting(resolve(schema.$ref, document), document, special, depth + 1);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const either = schema.oneOf ?? schema.anyOf;
  if (either) return fc.oneof(...either.map(inner));
  if (schema.allOf) return fc.tuple(...schema.allOf.map(inner)).map((parts) => Object.assign({}, ...parts));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })));
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

export const resolve = (reference, document) =>
  reference
    .slice(2)
    .split("/")
    .reduce((node, name) => node[name], document);

/** Of what can be told one by one, each is named once: such lists are meant as sets. */
function fittingList({ items = true, minItems = 0, maxItems = MOST }, inner, document) {
  const { enum: set } = items.$ref ? resolve(items.$ref, document) : items;
  const make = set ? fc.uniqueArray : fc.array;
  return make(inner(items), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, MOST)) });
}

function fittingObject({ properties = {}, required = [], additionalProperties, propertyNames }, inner, special) {
  const known = Object.entries(properties).map(([name, schema]) => [name, special[name]?.(schema) ?? inner(schema)]);
  const whole = fc.record(Object.fromEntries(known));
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  // Many at once contradict each other more often than not.
  const some = fc.oneof(fc.subarray(optional, { maxLength: Math.min(2, optional.length) }), fc.subarray(optional));
  const fields = fc
    .tuple(whole, some)
    .map(([all, chosen]) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => required.includes(name) || chosen.includes(name))),
    );
  if (typeof additionalProperties !== "object") return fields;
  const names = propertyNames ? inner(propertyNames) : fc.string({ minLength: 1, maxLength: 10 });
  const others = fc.dictionary(names, inner(additionalProperties), { maxKeys: 3 });
  return fc.tuple(others, fields).map(([more, own]) => ({ ...more, ...own }));
}

function fittingText({ minLength = 0, maxLength = LONGEST, pattern, format }) {
  if (format && FORMATS[format]) return FORMATS[format]();
  const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, LONGEST)) };
  if (!pattern) return fc.oneof(fc.string(length), fc.string({ ...length, unit: "grapheme" }));
  const expression = new RegExp(pattern, "u");
  const fits = (text) => expression.test(text) && text.length >= minLength && text.length <= maxLength;
  const words = fc.string({ ...length, unit: fc.constantFrom(..."abcxyz019") });
  return often(matching(expression), fits) ?? often(words, fits) ?? fc.constant(pattern);
}

/** Null where fast-check does not know how to read the pattern: it has no lookaheads. */
function matching(expression) {
  try {
    return fc.stringMatching(expression);
  } catch {
    return null;
  }
}

/** Those that fit; null where few do, for a filter tries on for ever. */
function often(texts, fits) {
  const tried = texts === null ? [] : fc.sample(texts, { numRuns: 20, seed: 1 });
  return tried.filter(fits).length >= 10 ? texts.filter(fits) : null;
}

/** Small numbers, and those at the ends. */
function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }, step) {
  const low = minimum ?? (exclusiveMinimum === undefined ? -100 : exclusiveMinimum + (step || 1e-9));
  const high = maximum ?? (exclusiveMaximum === undefined ? Math.max(low, 1000) : exclusiveMaximum - (step || 1e-9));
  return [
    [low, Math.min(high, low + 20)],
    [low, high],
  ];
}

/** A body that fits, or nearly, or is one of the document's own examples, or nearly. */
export function bodies({ schema, example, examples }, document, special) {
  const shown = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples ?? {}).map(({ value }) => value),
  ];
  const fits = fitting(schema, document, special);
  return shown.length ? fc.oneof(fc.constantFrom(...shown), fits) : fits;
}
