/** Keys are shown once, and changed and revoked by admin keys; a key cannot revoke itself. */
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { bindings, type Client, makeTenant } from "../support/parley";
import { api, refusal } from "./api";

let client: Client;
let made: { id: string; key: string };
beforeAll(async () => {
  client = await makeTenant();
});
beforeEach(async () => {
  made = (await create({ name: "backend", mode: "test" })).body;
});

const create = (body: object, key = client.test) => api("POST", "/v1/keys", { key, body });
const at = (method: string, id: string, body?: object, key = client.test) =>
  api(method, `/v1/keys/${id}`, { key, body });
const own = async () => {
  const { data } = (await api("GET", "/v1/keys?limit=100", { key: client.test })).body;
  return data.find((key: { hint: string; mode: string }) => key.hint === client.test.slice(-4) && key.mode === "test")
    .id as string;
};

describe("a new key", () => {
  it("is shown once, has a prefix for its mode, and works at once", async () => {
    const reply = await create({ name: "ci", mode: "live", scopes: ["runs:read"] }, client.live);
    expect(reply.status).toBe(201);
    expect(reply.headers.get("location")).toBe(`/v1/keys/${reply.body.id}`);
    expect(reply.body).toMatchObject({
      mode: "live",
      scopes: ["runs:read"],
      key: expect.stringMatching(/^parley_live_[\w-]{43}$/),
      last_used_at: null,
    });
    expect((await create({ name: "ci", mode: "test" })).body.key).toMatch(/^parley_test_[\w-]{43}$/);
    expect(reply.body.hint).toBe(reply.body.key.slice(-4));
    expect((await api("GET", "/v1/runs", { key: reply.body.key })).status).toBe(200);
    expect(JSON.stringify((await at("GET", reply.body.id, undefined, client.live)).body)).not.toContain(reply.body.key);
  });

  it("is stored only as a hash", async () => {
    const { results } = await bindings.DB.prepare("SELECT * FROM keys WHERE id = ?").bind(made.id).all();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain(made.key.slice(12));
  });

  const wrong: [what: string, body: object, path: string][] = [
    ["no name", { mode: "test" }, "name"],
    ["a blank name", { name: "  ", mode: "test" }, "name"],
    ["no mode", { name: "a" }, "mode"],
    ["another mode", { name: "a", mode: "dry" }, "mode"],
    ["no scope", { name: "a", mode: "test", scopes: [] }, "scopes"],
    ["an unknown scope", { name: "a", mode: "test", scopes: ["root"] }, "scopes.0"],
    ["a scope twice", { name: "a", mode: "test", scopes: ["admin", "admin"] }, "scopes"],
    ["an unknown field", { name: "a", mode: "test", key: "parley_test_x" }, "key"],
  ];
  test.each(wrong)("is refused with %s", async (_, body, path) => {
    expect(await create(body)).toMatchObject(refusal(422, "validation_failed", path));
  });
});

describe("a change", () => {
  it("changes the given fields and no others", async () => {
    expect((await at("PATCH", made.id, { name: "worker" })).body).toMatchObject({
      name: "worker",
      scopes: ["runs:read", "runs:write"],
    });
    expect((await at("PATCH", made.id, { scopes: ["runs:read"] })).body).toMatchObject({
      name: "worker",
      scopes: ["runs:read"],
    });
    expect(await api("POST", "/v1/runs", { key: made.key, body: {} })).toMatchObject(refusal(403, "missing_scope"));
  });

  it("must change something that can be changed", async () => {
    expect(await at("PATCH", made.id, {})).toMatchObject(refusal(422, "validation_failed", ""));
    expect(await at("PATCH", made.id, { mode: "live" })).toMatchObject(refusal(422, "validation_failed", "mode"));
  });
});

describe("a revoked key", () => {
  it("is refused as revoked from then on, and stays in the list", async () => {
    expect((await api("GET", "/v1/runs", { key: made.key })).status).toBe(200);
    expect((await at("DELETE", made.id)).status).toBe(204);
    expect(await api("GET", "/v1/runs", { key: made.key })).toMatchObject(refusal(401, "key_revoked"));
    const { revoked_at } = (await at("GET", made.id)).body;
    expect(revoked_at).not.toBeNull();
    expect((await at("DELETE", made.id)).status).toBe(204);
    expect((await at("GET", made.id)).body.revoked_at).toBe(revoked_at);
    const { data } = (await api("GET", "/v1/keys?limit=100", { key: client.test })).body;
    expect(data.map((key: { id: string }) => key.id)).toContain(made.id);
  });

  it("is never the key that makes the request, which cannot remove its own admin scope either", async () => {
    expect(await at("DELETE", await own())).toMatchObject(refusal(409, "key_in_use"));
    expect(await at("PATCH", await own(), { scopes: ["runs:read"] })).toMatchObject(refusal(409, "key_in_use"));
    expect((await api("GET", "/v1/keys", { key: client.test })).status).toBe(200);
  });
});

it("last_used_at is written once a minute, not with every request", async () => {
  const used = async () => Date.parse((await at("GET", made.id)).body.last_used_at);
  await api("GET", "/v1/runs", { key: made.key });
  await expect.poll(used).toBeGreaterThan(0);
  const first = await used();
  await api("GET", "/v1/runs", { key: made.key });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await used()).toBe(first);
  await bindings.DB.prepare("UPDATE keys SET last_used_at = ? WHERE id = ?")
    .bind(first - 61_000, made.id)
    .run();
  await api("GET", "/v1/runs", { key: made.key });
  await expect.poll(used).toBeGreaterThan(first);
});

it("last_used_at is written", async () => {
  expect((await at("GET", made.id)).body.last_used_at).toBeNull();
  await api("GET", "/v1/runs", { key: made.key });
  await expect.poll(async () => (await at("GET", made.id)).body.last_used_at).not.toBeNull();
});
