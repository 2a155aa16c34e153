import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";
import type { Json } from "../../scripts/lib/json.ts";
import type { Pool } from "./pool.ts";
import { type Body, bodyOf, type Content } from "./bodies.ts";
import { type Document, fitting, type Operation, type Special } from "./schemas.ts";
import { wildText } from "./wild.ts";

/** Longest path and query that servers accept. Characters. */
const MAX_PATH_LENGTH = 4000;

/** Prefix of the `{id}` of a path, by the path's first segment. */
const PREFIXES: Record<string, string> = {
  keys: "key",
  interactions: "int",
  agents: "agt",
  corpora: "cor",
  datasets: "dst",
  templates: "tpl",
  schedules: "sch",
  "webhook-endpoints": "whe",
  deliveries: "del",
  runs: "run",
};
/** Prefix of every other parameter, by its name. */
const PARAMETERS: Record<string, string> = {
  artifact_id: "art",
  document_id: "doc",
  upload_id: "upl",
  token: "token",
  run_id: "run",
  cursor: "cursor",
};

const BUILT_IN = ["builtin:calculator", "builtin:nothing"];

/** Ids: an existing id, another tenant's, one of another kind, an invented one, or no id at all. `sendable` picks the existing ones. */
const ids = (prefix: string, own = 6) =>
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

/** The key of a request: mostly the tenant's own key with every scope. */
const keys = fc.oneof(
  { weight: 12, arbitrary: fc.constant("test") },
  { weight: 1, arbitrary: fc.constantFrom("reader", "writer", "foreign", "revoked", "none", "unknown") },
  { weight: 1, arbitrary: fc.constant("live") },
);

/** Values of header fields, from the characters that HTTP allows. */
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

function queryOf(parameters: Json[], document: Document): Arbitrary<[string, unknown][]> {
  const declared = parameters.filter((parameter) => parameter.in === "query");
  const each = declared.map(({ name, schema }) => {
    const fits = PARAMETERS[name]
      ? ids(PARAMETERS[name])
      : fitting(schema, document).map((value) => (typeof value === "object" ? value : String(value)));
    return fc.tuple(fc.constant(name), fc.oneof({ weight: 4, arbitrary: fits }, { weight: 1, arbitrary: wildText }));
  });
  const invented = fc.tuple(
    fc.oneof(fc.constantFrom("colour", "limit", "metadata[a]", "metadata[", "__proto__", "status"), wildText),
    wildText,
  );
  const known = each.length
    ? fc.oneof({ weight: 8, arbitrary: fc.oneof(...each) }, { weight: 1, arbitrary: invented })
    : invented;
  return fc.oneof(
    { weight: 10, arbitrary: fc.constant<[string, unknown][]>([]) },
    { weight: each.length ? 20 : 1, arbitrary: fc.array<[string, unknown]>(known, { maxLength: 4 }) },
  );
}

/** A generated request, in which ids of existing resources are still open. */
export interface Draft {
  method: string;
  /** template */
  path: string;
  /** values of the path parameters */
  params: Record<string, unknown>;
  /** the first of two parameters is the parent of the second */
  fitting?: boolean;
  query: [string, unknown][];
  headers: Record<string, string>;
  key: string;
  content: Content;
}

/** The tenant's ids and another tenant's, and the keys by their names. */
export interface World {
  own: Pool;
  foreign: Pool;
  keys: Record<string, string | null>;
}

export type Sendable = ReturnType<typeof sendable>;

/** Names of the workflows. */
const workflowsOf = (document: Document) => Object.keys(document.components.schemas.CreateRun.discriminator.mapping);

/**
 * Requests of an operation: valid, nearly valid, and wild ones.
 * @param document OpenAPI
 */
export function requestsOf(
  document: Document,
  { method, path, operation }: { method: string; path: string; operation: Operation },
  special: Special,
): Arbitrary<Draft> {
  const parameters = operation.parameters ?? [];
  const names = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name as string);
  const params = Object.fromEntries(
    names.map((name) => [
      name,
      name === "name"
        ? fc.oneof(
            { weight: 3, arbitrary: fc.constantFrom(...workflowsOf(document)) },
            { weight: 1, arbitrary: wildText },
          )
        : ids(PARAMETERS[name] ?? PREFIXES[path.split("/")[2] ?? ""] ?? "", method === "delete" ? 1 : 6),
    ]),
  );
  return fc.record({
    method: fc.constant(method.toUpperCase()),
    path: fc.constant(path),
    params: fc.record(params),
    fitting: fc.integer({ min: 0, max: 3 }).map((number) => number > 0),
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

/** Requests to no operation. */
export const strayRequests: Arbitrary<Draft> = fc.record({
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
    wildText.filter((path) => path.length < 300).map((path) => `/${path}`),
    wildText.filter((path) => path.length < 300).map((path) => `/v1/${path}`),
  ),
  params: fc.constant({}),
  query: fc.constant([]),
  headers: fc.oneof(fc.constant({}), oddHeaders),
  key: keys,
  content: fc.constant({ type: null, body: null }),
});

/** The request to send for a draft, with the ids that are known now. */
export function sendable({ method, path, params, fitting: fits, query, headers, key, content }: Draft, world: World) {
  const textOf = (value: any): string => {
    if (typeof value !== "object" || value === null) return String(value);
    return "prefix" in value
      ? (world[value.of as "own" | "foreign"].pick(value.prefix, value.nth) ??
          `${value.prefix}_01KA9VR4T5M6N7P8Q9R0S1T2V3`)
      : JSON.stringify(value);
  };
  const { id: first, ...others } = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, textOf(value)]),
  );
  const [second = ""] = Object.values(others);
  const parent = fits ? world.own.parentOf(second) : undefined;
  const filled = path.replaceAll(/{(\w+)}/g, (_, name: string) =>
    escaped(name === "id" ? (parent ?? first ?? "") : (others[name] ?? ""), true),
  );
  const search = query.map(([name, value]) => `${escaped(name)}=${escaped(textOf(value))}`).join("&");
  const authorization = world.keys[key];
  const { type, body } = content;
  return {
    method,
    path: `${Object.keys(params).length ? filled : escapedPath(path)}${search && `?${search}`}`.slice(
      0,
      MAX_PATH_LENGTH,
    ),
    headers: {
      ...(authorization ? { authorization: `Bearer ${authorization}` } : {}),
      ...(type === null ? {} : { "content-type": type }),
      ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== "")),
    },
    body: bytesOf(body),
  };
}

function bytesOf(body: Body) {
  if (body === null) return null;
  if ("size" in body) return Buffer.alloc(body.size, 32);
  return "raw" in body ? Buffer.from(body.raw, "latin1") : Buffer.from(body.text);
}

/** Percent-encodes a query part or a path segment. A lone surrogate becomes the invalid UTF-8 bytes ED A0 80. */
function escaped(part: string, isSegment = false) {
  const encoded = part.isWellFormed()
    ? encodeURIComponent(part)
    : encodeURIComponent(part.toWellFormed()).replaceAll("%EF%BF%BD", "%ED%A0%80");
  // An empty segment, `.` and `..` would change the path.
  return isSegment && /^\.{0,2}$/.test(encoded) ? "%20" : encoded;
}

const escapedPath = (path: string) => path.toWellFormed().replaceAll(/[^\w/.~%:@!$&'()*+,;=-]/gu, encodeURIComponent);
