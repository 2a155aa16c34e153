/** Rules for every answer and every body: names, times, ids, problems, lists, strictness. */
import { beforeAll, describe, expect, it } from "vitest";
import document from "../../openapi/openapi.json";
import { isId } from "#core/ids";
import { call, type Client, eventsOf, makeTenant } from "../support/parley";
import { api, OPERATIONS, refusal } from "./api";
import { callbackPath } from "./questions";
import { found, furnish, idFor, type World } from "./world";

let client: Client;
let ids: World;
/** Every answer to a GET that is JSON. */
let bodies: { path: string; body: any }[];

const keyed = OPERATIONS.filter(({ security }) => security.length > 0);
const gets = keyed.filter(({ method }) => method === "get");
const codesOf = ({ responses }: (typeof OPERATIONS)[number], status: string) =>
  Object.keys(responses[status]?.content?.["application/problem+json"]?.examples ?? {});
const lists = gets.filter((operation) => codesOf(operation, "400").includes("invalid_cursor"));

beforeAll(async () => {
  client = await makeTenant();
  ids = await furnish(client);
  const replies = await Promise.all(
    gets.map(async ({ path }) => ({ path, reply: await api("GET", found(path, ids), { key: client.test }) })),
  );
  for (const { path, reply } of replies) expect(reply.status, path).toBe(200);
  bodies = replies.flatMap(({ path, reply: { body } }) => (typeof body === "object" ? [{ path, body }] : []));
  expect(bodies.length).toBeGreaterThan(20);
});

/** Every field within a value: its path, name, value and object. */
function* fields(value: unknown, at = ""): Generator<{ at: string; name: string; value: unknown; of: any }> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { at: `${at}.${name}`, name, value: inner, of: value };
    yield* fields(inner, `${at}.${name}`);
  }
}

/** Every object schema of the document, at any depth. */
function* objectSchemas(node: unknown, at: string): Generator<{ at: string; properties: Record<string, unknown> }> {
  if (typeof node !== "object" || node === null) return;
  const { properties } = node as { properties?: unknown };
  const isSchema = "type" in node && node.type === "object" && typeof properties === "object" && properties !== null;
  if (isSchema) yield { at, properties: properties as Record<string, unknown> };
  for (const [name, inner] of Object.entries(node))
    if (!["example", "examples", "default"].includes(name)) yield* objectSchemas(inner, `${at}/${name}`);
}

describe("the document", () => {
  it("is OpenAPI 3.1, and every JSON body of a request or an answer has a named schema", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const unnamed: string[] = [];
    for (const [path, operations] of Object.entries<Record<string, any>>(document.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries(operations)) {
        for (const answer of [requestBody, ...Object.values<any>(responses)]) {
          const schema = answer?.content?.["application/json"]?.schema;
          if (schema && !schema.$ref) unnamed.push(`${method} ${path}`);
        }
      }
    }
    expect(unnamed).toEqual([]);
  });

  it("writes every field in snake_case", () => {
    const names = [...objectSchemas(document.components.schemas, "")].flatMap(({ at, properties }) =>
      Object.keys(properties).map((name) => ({ at, name })),
    );
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter(({ name }) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))).toEqual([]);
  });
});

describe("every answer", () => {
  it("gives times as RFC 3339 in UTC", () => {
    const times = bodies.flatMap(({ path, body }) =>
      [...fields(body)].flatMap(({ at, name, value }) =>
        // A contract is about fields; it has no times of its own.
        !path.startsWith("/v1/workflows") &&
        !at.endsWith("options.accept_at") && // the worst severity at which a check accepts
        /(^|_)(at|timestamp)$/.test(name) &&
        value !== null
          ? [{ path, at, value }]
          : [],
      ),
    );
    expect(times.length).toBeGreaterThan(30);
    for (const { path, at, value } of times)
      expect(value, path + at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("gives ids as the resource's prefix and a ULID", async () => {
    const PREFIXES = {
      run: "run",
      artifact: "art",
      interaction: "int",
      webhook_endpoint: "whe",
      delivery: "del",
      agent: "agt",
      corpus: "cor",
      document: "doc",
      upload: "upl",
      key: "key",
    } as const;
    const seen = new Set<string>();
    for (const { path, body } of bodies) {
      for (const { name, value, of } of fields(body)) {
        const prefix = PREFIXES[of.object as keyof typeof PREFIXES];
        if (name !== "id" || !prefix || of.built_in) continue;
        expect(isId(prefix, value as string), `${path}: ${value}`).toBe(true);
        seen.add(prefix);
      }
    }
    expect(seen).toEqual(new Set(Object.values(PREFIXES)));
    for (const event of await eventsOf(client.test, ids.run)) expect(isId("evt", event.id), event.id).toBe(true);
  });
});

describe("every list", () => {
  it.each(lists)("$path takes a limit of 1 to 100, and answers with data and next_cursor", async ({ path }) => {
    for (const limit of [1, 100]) {
      const { body } = await api("GET", `${found(path, ids)}?limit=${limit}`, { key: client.test });
      expect(Object.keys(body).toSorted()).toEqual(["data", "next_cursor"]);
      expect(body.data.length).toBeLessThanOrEqual(limit);
    }
  });

  it.each(lists)("$path is the same page by page as at once", async ({ path }) => {
    const at = found(path, ids);
    const whole = (await api("GET", `${at}?limit=100`, { key: client.test })).body;
    expect(whole.next_cursor).toBeNull();
    const seen: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const { body } = await api("GET", `${at}?limit=1${cursor && `&cursor=${cursor}`}`, { key: client.test });
      seen.push(...body.data);
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(whole.data);
  });
});

describe("every problem", () => {
  const members = ["code", "detail", "request_id", "status", "title", "type"];
  const asked = [
    ["GET", "/v1/nothing", {}, 404],
    ["GET", "/v1/runs", {}, 401],
    ["PUT", "/v1/runs", {}, 405],
    ["POST", "/v1/runs", { body: "{" }, 400],
    ["POST", "/v1/runs", { body: {} }, 422],
  ] as const;

  it.each(asked)(
    "has type, title, status, detail, code and request_id, and lists errors by path, code and message: %s %s",
    async (method, path, options, status) => {
      const key = status === 401 ? undefined : client.test;
      const { headers, body } = await api(method, path, { key, ...options });
      const { errors, ...problem } = body;
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(Object.keys(problem).toSorted()).toEqual(members);
      expect(problem).toMatchObject({
        status,
        type: `/docs/errors#${problem.code}`,
        request_id: headers.get("x-request-id"),
      });
      if (status === 422) {
        expect(errors.length).toBeGreaterThan(0);
        for (const fieldError of errors)
          expect(Object.keys(fieldError).toSorted()).toEqual(["code", "message", "path"]);
      } else expect(errors).toBeUndefined();
    },
  );
});

describe("every body", () => {
  // The lines of an upload are no JSON body: test/contract/dataset-uploads.test.ts.
  const taking = OPERATIONS.filter(
    (operation) => codesOf(operation, "422").includes("validation_failed") && operation.operationId !== "addItems",
  );

  it.each(taking)("is refused with an unknown field, by its name: $method $path", async ({ method, path }) => {
    const at = path.includes("{token}") ? await callbackPath(client, ids.int) : found(path, ids);
    const body = { colour: "red" };
    const reply = await api(method.toUpperCase(), at, { key: client.test, body });
    // A waiting run refuses a retry with its state, before it reads the body.
    if (path.endsWith("/retry") || path.endsWith("/resume")) expect([409, 422]).toContain(reply.status);
    else expect(reply).toMatchObject(refusal(422, "validation_failed", "colour"));
  });

  it("changed nothing that was stored", async () => {
    expect((await call("GET", `/v1/runs/${ids.run}`, { key: client.test })).body.status).toBe("input_required");
    expect(
      (await call("GET", `/v1/interactions/${idFor("/v1/interactions/{id}", ids)}`, { key: client.test })).body.status,
    ).toBe("open");
  });
});
