import * as fc from "fast-check";

/** Texts that have broken programs before. */
const NASTY = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00x",
  "\ufeff",
  "\u202e\u2066",
  "e\u0301\u0301\u0301",
  "👩‍👩‍👧‍👦",
  "__proto__",
  "constructor",
  "toString",
  "' OR 1=1 --",
  "%",
  "%00",
  "../../etc/passwd",
  "{{{input}}}",
  "<script>alert(1)</script>",
  "null",
  "NaN",
  "-0",
  "1e400",
  "9".repeat(400),
  "\r\nX-Injected: 1",
  "x".repeat(20_001),
];

export const wildText = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);

const wildNumber = fc.constantFrom(
  0,
  -0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 53 + 2,
  Number.MAX_VALUE,
  5e-324,
  -1e308,
);

/** A value nested deeper than any schema. */
const deep = fc
  .tuple(fc.integer({ min: 20, max: 900 }), fc.boolean())
  .map(([depth, list]) =>
    Array.from({ length: depth }).reduce<unknown>((inner) => (list ? [inner] : { a: inner }), null),
  );

/** Any JSON value. */
export const wildValue = fc.oneof(
  { weight: 4, arbitrary: wildText },
  { weight: 2, arbitrary: wildNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }) },
  { weight: 1, arbitrary: deep },
);

/** A change to a value: the place (a number that selects it), the kind of change, and the new value or name. */
const change = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom("drop", "add", "replace", "replace", "wrap", "repeat"),
  value: wildValue,
  name: fc.oneof(fc.constantFrom("colour", "__proto__", "id", ""), fc.string({ maxLength: 8 })),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** A valid value with one to three changes. */
export const nearly = (valid: fc.Arbitrary<unknown>) =>
  fc
    .tuple(valid, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce<unknown>(applyChange, structuredClone(value)));

function applyChange(value: unknown, { place, kind, value: other, name }: Change) {
  const root = { value };
  const added = structuredClone(other); // the same change may be applied twice, once inside its own value
  const places = placesOf(root, "value");
  const { parent, key } = places[place % places.length] as Place;
  const inner = parent[key];
  const isObject = typeof inner === "object" && inner !== null;
  if (kind === "drop" && Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (kind === "drop") delete parent[key];
  else if (kind === "wrap") parent[key] = [inner];
  else if (kind === "add" && Array.isArray(inner)) inner.push(added);
  else if (kind === "add" && isObject) define(inner, name, added);
  else if (kind === "repeat" && Array.isArray(inner))
    parent[key] = Array.from({ length: 150 }, () => inner[0] ?? added);
  else parent[key] = added;
  return root.value;
}

/** Defines any field, `__proto__` included, as JSON.parse does. */
const define = (target: object, name: string, value: unknown) =>
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });

/** A value, by what holds it and its name there. */
interface Place {
  parent: any;
  key: string;
}

function placesOf(parent: any, key: string): Place[] {
  const inner = parent[key];
  const within =
    typeof inner === "object" && inner !== null ? Object.keys(inner).flatMap((name) => placesOf(inner, name)) : [];
  return [{ parent, key }, ...within];
}
