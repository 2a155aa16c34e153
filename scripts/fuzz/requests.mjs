import * as fc from "fast-check";
import { bodies, fitting } from "./schemas.mjs";
import { nearly, wildText, wildValue } from "./wild.mjs";

/** A path is no longer than servers take it. */
const LONGEST_PATH = 4000;

/** What stands in the place of `{id}` of a path, by its first part. */
const PREFIXES = {
  keys: "key",
  interactions: "int",
  agents: "agt",
  corpora: "cor",
  "webhook-endpoints": "whe",
  deliveries: "del",
  runs: "run",
};
const PARAMETERS = {
  artifact_id: "art",
  document_id: "doc",
  upload_id: "upl",
  token: "token",
  run_id: "run",
  cursor: "cursor",
};

const BUILT_IN = ["builtin:calculator", "builtin:nothing"];

/** An id: one that exists, another tenant's, of another sort, made up, or no id at all. Which one is decided when it is sent. */
const ids = (prefix, own = 6) =>
  fc.oneof(
    { weight: own, arbitrary: fc.record({ of: fc.constant("own"), prefix: fc.constant(prefix), nth: fc.nat(200) }) },
    { weight: 1, arbitrary: fc.record({ of: fc.constant("foreign"), prefix: fc.constant(prefix), nth: fc.nat(200) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        of: fc.constant("own"),
        prefix: fc.constantFrom("run", "evt", "art", "key"),
        nth: fc.nat(200),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom(`${prefix}_01KA9VR4T5M6N7P8Q9R0S1T2V3`, "1", prefix, ...BUILT_IN) },
    { weight: 1, arbitrary: wildText.filter((text) => text.length < 1000) },
  );

/** Whose key a request carries. Most are the tenant's own that may do everything. */
const keys = fc.oneof(
  { weight: 12, arbitrary: fc.constant("test") },
  { weight: 1, arbitrary: fc.constantFrom("reader", "writer", "foreign", "revoked", "none", "unknown") },
  { weight: 1, arbitrary: fc.constant("live") },
);

/** Header fields: bytes as HTTP allows them. */
const headerText = fc.oneof(fc.string({ unit: "binary-ascii", maxLength: 60 }), wildText).map((text) =>
  text
    .replaceAll(/[^\x20-\x7e\xa0-\xff]/g, "")
    .trim()
    .slice(0, 300),
);

const ODD_HEADERS = {
  "x-request-id": headerText,
  "idempotency-key": fc.oneof(fc.constantFrom("one", "two", "three"), fc.uuid(), headerText),
  accept: fc.oneof(
    fc.constantFrom("application/json", "text/html", "text/event-stream", "*/*", "text/*;q=0.5, */*;q=0.1", ""),
    headerText,
  ),
  "if-none-match": fc.oneof(fc.constantFrom("*", 'W/"x"', '"a", "b"'), headerText),
  "last-event-id": fc.oneof(fc.nat(500).map(String), fc.constantFrom("-1", "1e9", "99999999999999999999"), headerText),
  "accept-language": headerText,
  "content-encoding": fc.constantFrom("gzip", "br", "identity"),
  "x-http-method-override": fc.constantFrom("DELETE", "PATCH"),
  "x-forwarded-host": headerText,
  origin: fc.constantFrom("null", "https://evil.invalid"),
  range: fc.constantFrom("bytes=0-10", "bytes=5-1", "lines=1"),
  "content-language": headerText,
};

const oddHeaders = fc
  .array(fc.oneof(...Object.entries(ODD_HEADERS).map(([name, value]) => fc.tuple(fc.constant(name), value))), {
    minLength: 1,
    maxLength: 3,
  })
  .map((all) => Object.fromEntries(all));

const JSON_TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "application/vnd.acme+json",
  "Application/JSON",
];
const OTHER_TYPES = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/x-ndjson",
  "application/jsonl",
  "",
  "json",
  "application/json, text/plain",
];

const types = (own) =>
  fc.oneof(
    { weight: 16, arbitrary: fc.constant(own) },
    { weight: 2, arbitrary: fc.constantFrom(...JSON_TYPES) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_TYPES) },
    { weight: 1, arbitrary: fc.constant(null) },
  );

/** Bytes that are no JSON, or JSON that few write: each as latin1, so that any byte can be told. */
const rawBodies = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "nul",
    '{"a":1,}',
    '{"a":1}{"b":2}',
    '"\\ud800"',
    '{"workflow":"requirements","workflow":"debate"}',
    "\xff\xfe{\x00}\x00",
    "\xef\xbb\xbf{}",
    '{"a":"\xc3\x28"}',
    `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    "1e999",
    "-",
    "\x00",
  ),
  fc.string({ unit: "binary-ascii", maxLength: 60 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);

/** Larger than any body but a document may be. Bytes. */
const TOO_LARGE = 1_100_000;

const text = (value) => ({ text: JSON.stringify(value) ?? "null" });

/** Form fields, of answers and of none. */
const forms = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          "decision",
          "comment",
          "answered_by",
          "q1",
          "answers[q1]",
          "additions[notes]",
          "additions[a][0][b]",
          "edited_content",
        ),
        wildText,
      ),
      fc.oneof(fc.constantFrom("approve", "revise", "reject", "yes"), wildText),
    ),
    { maxLength: 6 },
  )
  .map((fields) => ({
    text: String(new URLSearchParams(fields.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]))),
  }));

function bodyOf({ requestBody }, document, special) {
  const content = requestBody?.content ?? {};
  const [first] = Object.entries(content);
  const wild = fc.oneof(
    { weight: 3, arbitrary: wildValue.map(text) },
    { weight: 2, arbitrary: rawBodies.map((raw) => ({ raw })) },
    { weight: 1, arbitrary: fc.constant({ size: TOO_LARGE }) },
  );
  if (!first)
    return fc.oneof(
      { weight: 5, arbitrary: fc.constant({ type: null, body: null }) },
      { weight: 1, arbitrary: fc.record({ type: types("application/json"), body: wild }) },
    );
  const each = Object.entries(content).map(([type, media]) => {
    if (type === "application/x-www-form-urlencoded") return fc.record({ type: types(type), body: forms });
    const valid = type.includes("ndjson") ? null : bodies(media, document, special);
    const lines = fc.array(bodies(Object.values(content)[0], document, special), { maxLength: 5 });
    const body = valid
      ? fc.oneof(
          { weight: 10, arbitrary: valid.map(text) },
          { weight: 8, arbitrary: nearly(valid).map(text) },
          { weight: 2, arbitrary: wild },
        )
      : fc.oneof(
          { weight: 3, arbitrary: lines.map((all) => ({ text: all.map((one) => JSON.stringify(one)).join("\n") })) },
          { weight: 1, arbitrary: rawBodies.map((raw) => ({ raw })) },
        );
    return fc.record({ type: types(type), body });
  });
  return fc.oneof(...each);
}

function queryOf(parameters, document) {
  const declared = parameters.filter((one) => one.in === "query");
  const each = declared.map(({ name, schema }) => {
    const fits = PARAMETERS[name]
      ? ids(PARAMETERS[name])
      : fitting(schema, document).map((value) => (typeof value === "object" ? value : String(value)));
    return fc.tuple(fc.constant(name), fc.oneof({ weight: 4, arbitrary: fits }, { weight: 1, arbitrary: wildText }));
  });
  const made = fc.tuple(
    fc.oneof(fc.constantFrom("colour", "limit", "metadata[a]", "metadata[", "__proto__", "status"), wildText),
    wildText,
  );
  const known = each.length
    ? fc.oneof({ weight: 8, arbitrary: fc.oneof(...each) }, { weight: 1, arbitrary: made })
    : made;
  return fc.oneof(
    { weight: 10, arbitrary: fc.constant([]) },
    { weight: each.length ? 20 : 1, arbitrary: fc.array(known, { maxLength: 4 }) },
  );
}

/**
 * A request as it was thought up.
 * @typedef {object} Draft
 * @property {string} method
 * @property {string} path template
 * @property {Record<string, unknown>} params what its parameters stand for
 * @property {boolean} [fitting] the first of two parameters is what the second stands under
 * @property {[string, unknown][]} query
 * @property {Record<string, string>} headers
 * @property {string} key
 * @property {{type: string | null, body: any}} content
 */

/**
 * Requests of an operation: valid ones, nearly valid ones and wild ones.
 * @param {any} document OpenAPI
 * @param {{method: string, path: string, operation: any}} route
 * @param {Record<string, (schema: any) => import("fast-check").Arbitrary<unknown> | null>} special
 * @returns {import("fast-check").Arbitrary<Draft>}
 */
export function requestsOf(document, { method, path, operation }, special) {
  const parameters = (operation.parameters ?? []).map((one) => one);
  const names = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name);
  const params = Object.fromEntries(
    names.map((name) => [
      name,
      name === "name"
        ? fc.oneof(
            { weight: 3, arbitrary: fc.constantFrom("requirements", "waterfall", "debate", "ideation") },
            { weight: 1, arbitrary: wildText },
          )
        : ids(PARAMETERS[name] ?? PREFIXES[path.split("/")[2]], method === "delete" ? 1 : 6),
    ]),
  );
  return fc.record({
    method: fc.constant(method.toUpperCase()),
    path: fc.constant(path),
    params: fc.record(params),
    fitting: fc.integer({ min: 0, max: 3 }).map((one) => one > 0),
    query: queryOf(parameters, document),
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: oddHeaders }),
    key: keys,
    content: ["get", "delete"].includes(method)
      ? fc.oneof(
          { weight: 20, arbitrary: fc.constant({ type: null, body: null }) },
          { weight: 1, arbitrary: fc.constant({ type: "application/json", body: { text: "{}" } }) },
        )
      : bodyOf(operation, document, special),
  });
}

/** Requests that no operation takes. */
export const strayRequests = fc.record({
  method: fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
  path: fc.oneof(
    fc.constantFrom(
      "/",
      "/v1",
      "/v1/",
      "/v1/runs/",
      "//v1/runs",
      "/v1/runs/x/y/z/w",
      "/V1/RUNS",
      "/v1/../healthz",
      "/v1/%2e%2e/x",
      "/docs",
      "/openapi.json",
      "/healthz",
      "/favicon.ico",
      "/v1/runs",
      "/v1/keys/x",
    ),
    wildText.filter((one) => one.length < 300).map((one) => `/${one}`),
    wildText.filter((one) => one.length < 300).map((one) => `/v1/${one}`),
  ),
  params: fc.constant({}),
  query: fc.constant([]),
  headers: fc.oneof(fc.constant({}), oddHeaders),
  key: keys,
  content: fc.constant({ type: null, body: null }),
});

/**
 * The request that a draft comes to now.
 * @param {Draft} draft
 * @param {{own: import("./pool.mjs").Pool, foreign: import("./pool.mjs").Pool, keys: Record<string, string | null>}} world
 */
export function sendable({ method, path, params, fitting: fits, query, headers, key, content }, world) {
  const value = (one) => {
    if (typeof one !== "object" || one === null) return String(one);
    return "prefix" in one
      ? (world[one.of].pick(one.prefix, one.nth) ?? `${one.prefix}_01KA9VR4T5M6N7P8Q9R0S1T2V3`)
      : JSON.stringify(one);
  };
  const { id: first, ...others } = Object.fromEntries(Object.entries(params).map(([name, one]) => [name, value(one)]));
  const [second = ""] = Object.values(others);
  const above = fits ? world.own.above(second) : undefined;
  const filled = path.replaceAll(/{(\w+)}/g, (_, name) =>
    escaped(name === "id" ? (above ?? first ?? "") : (others[name] ?? ""), true),
  );
  const search = query.map(([name, one]) => `${escaped(name)}=${escaped(value(one))}`).join("&");
  const authorization = world.keys[key];
  const { type, body } = content;
  return {
    method,
    path: `${Object.keys(params).length ? filled : escapedPath(path)}${search && `?${search}`}`.slice(0, LONGEST_PATH),
    headers: {
      ...(authorization ? { authorization: `Bearer ${authorization}` } : {}),
      ...(type === null ? {} : { "content-type": type }),
      ...Object.fromEntries(Object.entries(headers).filter(([, text_]) => text_ !== "")),
    },
    body: bytesOf(body),
  };
}

function bytesOf(body) {
  if (body === null) return null;
  if (body.size) return Buffer.alloc(body.size, 32);
  return body.raw === undefined ? Buffer.from(body.text) : Buffer.from(body.raw, "latin1");
}

/** Percent-encoded, but for what a path of its own would be. Half a surrogate pair becomes the bytes that some would make of it. */
function escaped(text_, isPath = false) {
  const bytes = text_.isWellFormed()
    ? encodeURIComponent(text_)
    : encodeURIComponent(text_.toWellFormed()).replaceAll("%EF%BF%BD", "%ED%A0%80");
  // An empty segment, and dots alone, would name another path.
  return isPath && /^\.{0,2}$/.test(bytes) ? "%20" : bytes;
}

const escapedPath = (path) =>
  path.toWellFormed().replaceAll(/[^\w/.~%:@!$&'()*+,;=-]/gu, (one) => encodeURIComponent(one));
