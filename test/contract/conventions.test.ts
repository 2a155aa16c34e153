/** Rules for every path: request ids, problems, keys, scopes, bodies. */
import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "#core/ids";
import { makeKey } from "#services/keys/make-key";
import { addKey, type Client, makeTenant } from "../support/parley";
import { api, type Operation, OPERATIONS, prefixOf, refusal, startBody } from "./api";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const fill = (path: string) =>
  path
    .replace("{id}", newId(prefixOf(path)))
    .replace("{artifact_id}", newId("art"))
    .replace("{document_id}", newId("doc"))
    .replace("{upload_id}", newId("upl"))
    .replace("{name}", "requirements")
    .replace("{provider}", "nobody");
const keyed = OPERATIONS.filter(({ security }) => security.length > 0);

describe("request ids", () => {
  it("are generated when the caller sends none, and differ", async () => {
    const [one, other] = await Promise.all([api("GET", "/healthz"), api("GET", "/healthz")]);
    expect(one.headers.get("x-request-id")).not.toBe(other.headers.get("x-request-id"));
  });

  it("are the caller's own when it sends a valid one, in problems too", async () => {
    const reply = await api("GET", "/v1/runs", { headers: { "x-request-id": "trace-42:a" } });
    expect(reply.headers.get("x-request-id")).toBe("trace-42:a");
    expect(reply.body.request_id).toBe("trace-42:a");
  });

  it("are replaced when they could forge a line of a log", async () => {
    const reply = await api("GET", "/healthz", { headers: { "x-request-id": 'a" }{ "b' } });
    expect(reply.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("paths and methods", () => {
  it("that do not exist are problems", async () => {
    expect(await api("GET", "/v1/nothing")).toMatchObject(refusal(404, "not_found"));
    expect(await api("GET", "/v1/runs/")).toMatchObject(refusal(404, "not_found"));
  });

  it("name the allowed methods when the method is wrong", async () => {
    for (const [method, path, allow] of [
      ["PUT", "/v1/runs", "GET, HEAD, POST"],
      ["POST", `/v1/runs/${newId("run")}`, "DELETE, GET, HEAD"],
      ["GET", `/v1/runs/${newId("run")}/cancel`, "POST"],
      ["DELETE", "/openapi.json", "GET, HEAD"],
      ["DELETE", "/v1/callbacks/some.token", "GET, HEAD, POST"],
    ] as const) {
      const reply = await api(method, path, { key: client.test });
      expect(reply, `${method} ${path}`).toMatchObject(refusal(405, "method_not_allowed"));
      expect(reply.headers.get("allow")).toBe(allow);
    }
  });
});

describe("keys", () => {
  const unknown = makeKey("test").text;
  const ways: [string, Record<string, string>, string][] = [
    ["no header", {}, "unauthenticated"],
    ["another scheme", { authorization: "Basic abc" }, "unauthenticated"],
    ["a key of another form", { authorization: "Bearer sk-abc" }, "unauthenticated"],
    ["an unknown key", { authorization: `Bearer ${unknown}` }, "unauthenticated"],
  ];
  test.each(ways)("%s is a 401 that says how to authenticate", async (_, headers, code) => {
    const reply = await api("GET", "/v1/runs", { headers });
    expect(reply).toMatchObject(refusal(401, code));
    expect(reply.headers.get("www-authenticate")).toContain("Bearer");
  });

  it.each(keyed)("guards $method $path", async ({ method, path }) => {
    expect(await api(method.toUpperCase(), fill(path))).toMatchObject(refusal(401, "unauthenticated"));
  });

  it.each(keyed)("a key without the scope is refused: $method $path", async ({ method, path }) => {
    const changes = path.startsWith("/v1/providers") || ["/v1/tenant", "/v1/budget"].includes(path);
    const admins = /^\/v1\/(keys|audit|export)/.test(path) || (changes && method !== "get");
    const reads = method === "get" || path.endsWith("/search");
    const wants = admins ? "admin" : reads ? "runs:read" : "runs:write";
    const held = wants === "runs:read" ? "runs:write" : "runs:read";
    const reply = await api(method.toUpperCase(), fill(path), { key: await addKey(client.tenant, "test", [held]) });
    expect(reply).toMatchObject(refusal(403, "missing_scope"));
    expect(reply.body.detail).toContain(wants);
  });

  it("with the scope admin may do everything", async () => {
    const key = await addKey(client.tenant, "test", ["admin"]);
    expect((await api("GET", "/v1/runs", { key })).status).toBe(200);
    expect((await api("POST", `/v1/runs/${newId("run")}/cancel`, { key })).status).toBe(404);
  });

  it("are checked before the body", async () => {
    expect(await api("POST", "/v1/runs", { body: "no json" })).toMatchObject(refusal(401, "unauthenticated"));
  });
});

const withBody = OPERATIONS.filter(({ responses }) => "415" in responses);

describe("bodies", () => {
  it.each(withBody)(
    "that are too large are refused before they are parsed: $method $path",
    async ({ method, path }) => {
      const most = path.endsWith("/documents") ? 20 : path.endsWith("/items") ? 8 : 1;
      const body = `"${"x".repeat(most * 1024 * 1024)}"`;
      expect(
        await api(method.toUpperCase(), fill(path).replace("{token}", "x"), { key: client.test, body }),
      ).toMatchObject(refusal(413, "payload_too_large"));
    },
  );

  it("of undeclared length are counted", async () => {
    const chunk = new Uint8Array(300_000).fill(32);
    const stream = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 4; n++) controller.enqueue(chunk);
        controller.close();
      },
    });
    const headers = { authorization: `Bearer ${client.test}`, "content-type": "application/json" };
    const reply: Response = await (exports as any).default.fetch("http://parley.test/v1/runs", {
      method: "POST",
      headers,
      body: stream,
    });
    expect({ status: reply.status, body: await reply.json() }).toMatchObject(refusal(413, "payload_too_large"));
  });

  it.each(withBody.filter(({ path }) => /^\/v1\/(runs|keys|agents|corpora|datasets|webhook-endpoints)/.test(path)))(
    "must be declared as JSON: $method $path",
    async ({ method, path }) => {
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
        const reply = await api(method.toUpperCase(), fill(path), {
          key: client.test,
          body: "{}",
          headers: { "content-type": type },
        });
        expect(reply, type).toMatchObject(refusal(415, "unsupported_media_type"));
      }
    },
  );

  it("without a content type are refused, empty ones too", async () => {
    for (const body of ["{}", ""]) {
      expect(await api("POST", "/v1/runs", { key: client.test, body, headers: { "content-type": "" } })).toMatchObject(
        refusal(415, "unsupported_media_type"),
      );
    }
  });

  it("may be of a +json type, with parameters", async () => {
    for (const type of ["application/json; charset=utf-8", "application/vnd.acme.v1+json", "Application/JSON"]) {
      const reply = await api("POST", "/v1/keys", {
        key: client.test,
        body: { name: "a", mode: "test" },
        headers: { "content-type": type },
      });
      expect(reply.status, type).toBe(201);
    }
  });

  it("that are not JSON have another error than JSON that does not fit", async () => {
    for (const body of ["{", "", "undefined", "{'a':1}"]) {
      expect(await api("POST", "/v1/runs", { key: client.test, body }), body).toMatchObject(
        refusal(400, "malformed_json"),
      );
      expect(await api("POST", "/v1/keys", { key: client.test, body }), body).toMatchObject(
        refusal(400, "malformed_json"),
      );
    }
    for (const body of ["[]", "null", '"text"', "1"]) {
      expect(await api("POST", "/v1/runs", { key: client.test, body }), body).toMatchObject(
        refusal(422, "validation_failed"),
      );
      expect(await api("POST", "/v1/keys", { key: client.test, body }), body).toMatchObject(
        refusal(422, "validation_failed"),
      );
    }
  });

  it("with unknown fields are refused by the name of each", async () => {
    const reply = await api("POST", "/v1/runs", {
      key: client.test,
      body: startBody({ colour: "red", options: { speed: 1 } }),
    });
    expect(reply).toMatchObject(refusal(422, "validation_failed", "colour", "options.speed"));
    expect(reply.body.errors.every((fieldError: { code: string }) => fieldError.code === "unknown_field")).toBe(true);
  });
});

const codesOf = (responses: Operation["responses"]) =>
  Object.keys(responses["400"]?.content?.["application/problem+json"]?.examples ?? {});

describe("query parameters", () => {
  const gets = keyed.filter(({ method }) => method === "get");
  it.each(gets)("that are unknown to $path are refused by name", async ({ path }) => {
    expect(await api("GET", `${fill(path)}?colour=red`, { key: client.test })).toMatchObject(
      refusal(400, "invalid_query", "colour"),
    );
  });

  const lists = gets.filter(({ responses }) => codesOf(responses).includes("invalid_cursor"));
  it.each(lists)("$path refuses invented cursors and those of another list", async ({ path }) => {
    const cursor = (text: string) => Buffer.from(text).toString("base64url");
    for (const made of [
      "x",
      "!!!",
      cursor("runs:1"),
      cursor(`other:${newId("run")}`),
      cursor("runs:' OR 1=1"),
      `${cursor(`keys:${newId("run")}`)}=`,
    ]) {
      const reply = await api("GET", `${fill(path)}?cursor=${encodeURIComponent(made)}`, { key: client.test });
      expect(reply, made).toMatchObject(refusal(400, "invalid_cursor"));
    }
  });

  it.each(lists)("$path bounds limit", async ({ path }) => {
    for (const limit of ["0", "101", "-1", "1.5", "ten", ""]) {
      expect(await api("GET", `${fill(path)}?limit=${limit}`, { key: client.test }), limit).toMatchObject(
        refusal(400, "invalid_query", "limit"),
      );
    }
    expect(await api("GET", `${fill(path)}?limit=1&limit=2`, { key: client.test })).toMatchObject(
      refusal(400, "invalid_query", "limit"),
    );
  });
});
