/** Idempotency-Key: the same request gets the same answer, on every POST, and creates one resource. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import document from "../../openapi/openapi.json";
import { newId } from "#core/ids";
import { makeKey } from "#services/keys/make-key";
import { addKey, all, bindings, call, type Client, hookUrl, makeTenant, runWithStatus, start } from "../support/parley";
import { newAgent } from "./agent";
import { api, OPERATIONS, prefixOf, refusal, startBody } from "./api";
import { askEverything, callbackPath, waitingRun } from "./questions";

let client: Client;
let header: { "idempotency-key": string };
beforeAll(async () => {
  client = await makeTenant();
});
beforeEach(() => {
  header = { "idempotency-key": crypto.randomUUID() };
});

const post = (
  path: string,
  body?: unknown,
  { key = client.test, headers = header }: { key?: string; headers?: object } = {},
) => api("POST", path, { key, body, headers: { ...headers } });
const replayed = (reply: { headers: Headers }) => reply.headers.get("idempotency-replayed");
const rowOf = () =>
  bindings.DB.prepare("SELECT * FROM idempotency_keys WHERE key = ?").bind(header["idempotency-key"]).first<any>();
const WAITING = { options: { reviews: ["requirement_draft"], qa_rounds: 0 } };

describe("a repeated request", () => {
  it("gets the first answer, byte for byte, and creates nothing", async () => {
    const body = startBody({ ...WAITING, webhook: { url: hookUrl("idempotency") } });
    const first = await post("/v1/runs", body);
    expect(first.status).toBe(201);
    expect(replayed(first)).toBeNull();
    await runWithStatus(client.test, first.body.id, "input_required");
    const second = await post("/v1/runs", body);
    expect(second.status).toBe(201);
    expect(replayed(second)).toBe("true");
    expect(second.body).toEqual(first.body);
    expect(second.body.webhook.secret).toMatch(/^whsec_/);
    for (const name of ["location", "content-type"]) expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(await all(client.test, "/v1/runs")).toHaveLength(1);
  });

  it("gets an error again too, even if it would now succeed", async () => {
    const agent = newAgent();
    const other = await post("/v1/agents", agent, { headers: {} });
    const first = await post("/v1/agents", agent);
    expect(first).toMatchObject(refusal(409, "name_taken"));
    await api("DELETE", `/v1/agents/${other.body.id}`, { key: client.test });
    const second = await post("/v1/agents", agent);
    expect([second.status, second.body, replayed(second)]).toEqual([409, first.body, "true"]);
    expect((await post("/v1/agents", agent, { headers: {} })).status).toBe(201);
  });

  it("with another body is refused", async () => {
    await post("/v1/keys", { name: "one", mode: "test" });
    expect(await post("/v1/keys", { name: "two", mode: "test" })).toMatchObject(refusal(422, "idempotency_key_reused"));
    expect(replayed(await post("/v1/keys", { name: "one", mode: "test" }))).toBe("true");
  });

  it("at another path, of another mode, or of another tenant, counts as the first", async () => {
    expect((await post("/v1/runs", {})).status).toBe(422);
    const key = await post("/v1/keys", { name: "one", mode: "test" });
    expect([key.status, replayed(key)]).toEqual([201, null]);
    for (const other of [client.live, (await makeTenant()).test]) {
      const theirs = await post("/v1/keys", { name: "one", mode: "test" }, { key: other });
      expect([theirs.status, replayed(theirs)]).toEqual([201, null]);
    }
  });

  it("is answered to keys of the tenant with the scope, and to no others", async () => {
    const body = { name: "one", mode: "test" };
    const first = await post("/v1/keys", body);
    const admin = await addKey(client.tenant, "test", ["admin"]);
    expect((await post("/v1/keys", body, { key: admin })).body).toEqual(first.body);
    const writer = await addKey(client.tenant, "test", ["runs:read", "runs:write"]);
    expect(await post("/v1/keys", body, { key: writer })).toMatchObject(refusal(403, "missing_scope"));
    expect(await post("/v1/keys", body, { key: makeKey("test").text })).toMatchObject(refusal(401, "unauthenticated"));
  });

  it("that was refused for its API key is not stored: the next one counts as the first", async () => {
    const body = { name: "one", mode: "test" };
    const reader = await addKey(client.tenant, "test", ["runs:read"]);
    for (const key of [makeKey("test").text, reader]) {
      expect([401, 403]).toContain((await post("/v1/keys", body, { key })).status);
    }
    const reply = await post("/v1/keys", body);
    expect([reply.status, replayed(reply)]).toEqual([201, null]);
  });

  it("counts as the first after a day", async () => {
    const body = { name: "one", mode: "test" };
    const first = await post("/v1/keys", body);
    const { claimed_at, expires_at } = await rowOf();
    expect(expires_at - claimed_at).toBe(24 * 3_600_000);
    await bindings.DB.prepare("UPDATE idempotency_keys SET expires_at = ? WHERE key = ?")
      .bind(Date.now(), header["idempotency-key"])
      .run();
    const second = await post("/v1/keys", { ...body, name: "two" });
    expect([second.status, replayed(second)]).toEqual([201, null]);
    expect(second.body.id).not.toBe(first.body.id);
  });
});

it("twenty equal concurrent requests create one run, and all get it", async () => {
  const tenant = await makeTenant();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => post("/v1/runs", startBody(WAITING), { key: tenant.test })),
  );
  const runs = await all(tenant.test, "/v1/runs");
  expect(runs).toHaveLength(1);
  for (const reply of replies) {
    if (reply.status === 201) expect(reply.body.id).toBe(runs[0].id);
    else expect(reply).toMatchObject(refusal(409, "idempotency_key_in_flight"));
  }
  expect(replies.filter((reply) => reply.status === 201 && !replayed(reply))).toHaveLength(1);
  expect((await post("/v1/runs", startBody(WAITING), { key: tenant.test })).body.id).toBe(runs[0].id);
});

describe("a request while the first one is in progress", () => {
  /** Writes the row that D1 has while a request is in progress, or after it died. */
  const underWay = async (body: object) => {
    await post("/v1/keys", body);
    const { changes } = (
      await bindings.DB.prepare(
        // A new row, because a row that was settled stays settled.
        `INSERT OR REPLACE INTO idempotency_keys (scope, path, key, fingerprint, owner, claimed_at, expires_at)
         SELECT scope, path, key, fingerprint, owner, ?, expires_at FROM idempotency_keys WHERE key = ?`,
      )
        .bind(Date.now(), header["idempotency-key"])
        .run()
    ).meta;
    expect(changes).toBeGreaterThan(0);
  };
  const age = (ms: number) =>
    bindings.DB.prepare("UPDATE idempotency_keys SET claimed_at = claimed_at - ? WHERE key = ?")
      .bind(ms, header["idempotency-key"])
      .run();

  it("gets a 409 with Retry-After for 60 seconds at most, and then counts as the first", async () => {
    const body = { name: "one", mode: "test" };
    await underWay(body);
    const early = await post("/v1/keys", body);
    expect(early).toMatchObject(refusal(409, "idempotency_key_in_flight"));
    const wait = Number(early.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    await age(60_001);
    const late = await post("/v1/keys", body);
    expect([late.status, replayed(late)]).toEqual([201, null]);
    expect(replayed(await post("/v1/keys", body))).toBe("true");
  });

  it("is refused with another body, for as long as the first is in progress", async () => {
    await underWay({ name: "one", mode: "test" });
    for (const ms of [0, 60_001]) {
      await age(ms);
      expect(await post("/v1/keys", { name: "two", mode: "test" })).toMatchObject(
        refusal(422, "idempotency_key_reused"),
      );
    }
  });
});

describe("a stored answer", () => {
  it("shows no secret to a reader of the database", async () => {
    const name = "Longer than what chance writes";
    const reply = await post("/v1/keys", { name, mode: "test" });
    const row = await rowOf();
    expect(row.status).toBe(201);
    expect(JSON.stringify(row)).not.toContain(reply.body.key.slice(12));
    expect(JSON.stringify(row)).not.toContain(name);
  });

  it("may be large: it is then stored in R2, and removed with its row", async () => {
    const stakeholders = Array.from({ length: 8 }, (_, n) => ({ name: `S${n}`, profile: "€".repeat(2000) }));
    const body = startBody({ ...WAITING, input: { idea: "x", background: "ä".repeat(20_000), stakeholders } });
    const first = await post("/v1/runs", body);
    expect(first.status).toBe(201);
    const { body: inline, body_key } = await rowOf();
    expect(inline).toBeNull();
    expect(await bindings.BUCKET.head(body_key)).not.toBeNull();
    expect((await post("/v1/runs", body)).body).toEqual(first.body);
    await bindings.DB.prepare("UPDATE idempotency_keys SET expires_at = 0 WHERE key = ?")
      .bind(header["idempotency-key"])
      .run();
    await start(client.test, WAITING); // arms the maintenance worker
    await expect.poll(() => bindings.BUCKET.head(body_key), { timeout: 10_000 }).toBeNull();
    expect(await rowOf()).toBeNull();
  });

  it("about a run is removed with the run", async () => {
    const tenant = await makeTenant();
    const options = { key: tenant.test };
    const body = startBody({ options: { human_stakeholder: true } });
    const { id } = (await post("/v1/runs", body, options)).body;
    await runWithStatus(tenant.test, id, "input_required");
    const interaction = await askEverything(id);
    const path = await callbackPath(tenant, interaction);
    await post(`/v1/runs/${id}/pause`, {}, options);
    await post(`/v1/interactions/${interaction}/answer`, {}, options);
    await api("POST", path, { body: { answers: { q1: "a", q2: 1 } }, headers: header });
    const count = async () =>
      (await bindings.DB.prepare("SELECT COUNT(*) AS n FROM idempotency_keys WHERE key = ?")
        .bind(header["idempotency-key"])
        .first<{ n: number }>())!.n;
    expect(await count()).toBe(4);
    await post(`/v1/runs/${id}/cancel`, {}, { ...options, headers: {} });
    expect((await api("DELETE", `/v1/runs/${id}`, options)).status).toBe(204);
    expect(await count()).toBe(0);
    const anew = await post("/v1/runs", body, options);
    expect(anew.body.id).not.toBe(id);
  });
});

describe("a callback", () => {
  it("is answered again by its interaction, and its path, a capability, is not stored", async () => {
    const run = await waitingRun(client);
    const path = await callbackPath(client, await askEverything(run));
    const body = { answers: { q1: "a", q2: 1 } };
    const ask = (given: object) => api("POST", path, { body: given, headers: header });
    const first = await ask(body);
    expect(first.status).toBe(200);
    expect([replayed(await ask(body)), (await ask(body)).body]).toEqual(["true", first.body]);
    expect(await ask({ answers: { q1: "b", q2: 1 } })).toMatchObject(refusal(422, "idempotency_key_reused"));
    expect(JSON.stringify(await rowOf())).not.toContain(path.split("/").at(-1)!.split(".").at(-1));
  });

  it("with an invalid URL is not found, with or without an Idempotency-Key", async () => {
    const ask = () => api("POST", "/v1/callbacks/int_x.y", { body: {}, headers: header });
    for (const reply of [await ask(), await ask()]) {
      expect(reply).toMatchObject(refusal(404, "not_found"));
      expect(replayed(reply)).toBeNull();
    }
  });
});

it.each(["", " ", "a b", "é", "x".repeat(256)])(
  "a key that is not visible ASCII of 1 to 255 is refused: %j",
  async (key) => {
    const encoded = [...new TextEncoder().encode(key)].map((byte) => String.fromCharCode(byte)).join("");
    expect(await post("/v1/keys", {}, { headers: { "idempotency-key": encoded } })).toMatchObject(
      refusal(400, "invalid_idempotency_key"),
    );
  },
);

it("other methods ignore it", async () => {
  const { id } = (await post("/v1/keys", { name: "one", mode: "test" }, { headers: {} })).body;
  for (const name of ["two", "three"]) {
    const reply = await api("PATCH", `/v1/keys/${id}`, { key: client.test, body: { name }, headers: header });
    expect(reply.body.name).toBe(name);
  }
});

const POSTS = OPERATIONS.filter(({ method }) => method === "post");

describe.each(POSTS)("POST $path", ({ path, operationId }) => {
  it("declares the header and its errors in the document", () => {
    const operation = (document.paths as any)[path].post;
    expect(operation.operationId).toBe(operationId);
    expect(operation.parameters).toContainEqual(
      expect.objectContaining({ name: "Idempotency-Key", in: "header", required: false }),
    );
    const codes = Object.values<any>(operation.responses).flatMap(({ $ref }) =>
      $ref
        ? Object.keys(
            (document.components.responses as any)[$ref.split("/").at(-1)].content["application/problem+json"].examples,
          )
        : [],
    );
    expect(codes).toEqual(
      expect.arrayContaining(["invalid_idempotency_key", "idempotency_key_reused", "idempotency_key_in_flight"]),
    );
    const [, success] = Object.entries<any>(operation.responses).find(([status]) => status.startsWith("2"))!;
    expect(success.headers).toHaveProperty("Idempotency-Replayed");
  });

  it("replays its answer, and refuses another body", async () => {
    const at = path.includes("{token}")
      ? await callbackPath(client, await askEverything(await waitingRun(client)))
      : path.replace("{id}", newId(prefixOf(path)));
    const ask = (body: object) => call("POST", at, { key: client.test, body, headers: { ...header } });
    const first = await ask({ colour: "red" });
    expect(first.status).toBeGreaterThanOrEqual(400);
    expect(first.status).toBeLessThan(500);
    const second = await ask({ colour: "red" });
    if (path.includes("{token}")) {
      // Only the request that answers an interaction keeps its key at a callback.
      const { request_id: _, ...judgedAnew } = first.body;
      expect([second.status, replayed(second)]).toEqual([first.status, null]);
      expect(second.body).toMatchObject(judgedAnew);
      return;
    }
    expect([second.status, second.body, replayed(second)]).toEqual([first.status, first.body, "true"]);
    expect(await ask({ colour: "blue" })).toMatchObject(refusal(422, "idempotency_key_reused"));
  });
});

it("every POST is in the document", () => {
  const documented = Object.entries<any>(document.paths).flatMap(([path, item]) => (item.post ? [path] : []));
  expect(POSTS.map(({ path }) => path).toSorted()).toEqual(documented.toSorted());
});
