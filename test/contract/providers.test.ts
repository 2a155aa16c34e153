/** Keys for model providers that tenants bring: set, shown by their last characters only, and asked for where the host lends none. */
import { createExecutionContext } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "#api/http/app";
import { composeServices } from "#cloudflare/compose";
import { addKey, bindings, type Client, makeTenant } from "../support/parley";
import { api, refusal, startBody } from "./api";

const SECRET = "sk-of-the-tenant-0123456789-x7Qa";
const body = { api_key: SECRET };
let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const app = createApp<Env>(composeServices);
/** A request to the same Worker with another policy. */
async function under(policy: string, method: string, path: string, given?: object, key = client.live) {
  const request = new Request(`http://parley.test${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(given && { body: JSON.stringify(given) }),
  });
  const env = { ...bindings, TENANT_PROVIDER_KEYS: policy } as Env;
  const response = await app.fetch(request, env, createExecutionContext());
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

it("the configured providers are listed, without their keys and URLs", async () => {
  const { status, body: list } = await api("GET", "/v1/providers", { key: client.live });
  expect(status).toBe(200);
  expect(list.data).toContainEqual({
    object: "provider",
    name: "openai",
    configured: true,
    key_required: false,
    key: null,
  });
  expect(list.data.map(({ name }: { name: string }) => name)).toContain("nowhere");
  expect(JSON.stringify(list)).not.toMatch(/sk-test|127\.0\.0\.1/);
});

it("a key is set, shown by its last four characters, replaced and deleted", async () => {
  const path = "/v1/providers/openai";
  const set = await api("PUT", `${path}/key`, { key: client.live, body });
  expect(set).toMatchObject({ status: 200, body: { name: "openai", key: { hint: "x7Qa" } } });
  expect(JSON.stringify(set.body)).not.toContain(SECRET);
  const other = await api("PUT", `${path}/key`, { key: client.live, body: { api_key: "sk-another-one-9999" } });
  expect(other.body.key.hint).toBe("9999");
  expect((await api("GET", path, { key: client.live })).body).toEqual(other.body);
  expect((await api("DELETE", `${path}/key`, { key: client.live })).status).toBe(204);
  expect((await api("GET", path, { key: client.live })).body.key).toBeNull();
  expect(await api("DELETE", `${path}/key`, { key: client.live })).toMatchObject(refusal(404, "not_found"));
});

it("a test key neither sees nor sets nor deletes a live one, and no tenant sees another's", async () => {
  await api("PUT", "/v1/providers/openai/key", { key: client.live, body });
  const stranger = await makeTenant();
  for (const key of [client.test, stranger.live, stranger.test]) {
    expect((await api("GET", "/v1/providers/openai", { key })).body.key).toBeNull();
    expect((await api("DELETE", "/v1/providers/openai/key", { key })).status).toBe(404);
  }
  await api("PUT", "/v1/providers/openai/key", { key: client.test, body: { api_key: "sk-only-for-tests" } });
  expect((await api("GET", "/v1/providers/openai", { key: client.live })).body.key.hint).toBe("x7Qa");
});

it("only admin keys set and delete; a provider must be configured; a body is strict and not repeated", async () => {
  const reader = await addKey(client.tenant, "live", ["runs:read", "runs:write"]);
  expect(await api("PUT", "/v1/providers/openai/key", { key: reader, body })).toMatchObject(
    refusal(403, "missing_scope"),
  );
  expect(await api("DELETE", "/v1/providers/openai/key", { key: reader })).toMatchObject(refusal(403, "missing_scope"));
  expect(await api("PUT", "/v1/providers/mine/key", { key: client.live, body })).toMatchObject(
    refusal(404, "not_found"),
  );
  for (const wrong of [
    { api_key: `${SECRET} ` },
    { api_key: SECRET, base_url: "https://evil.example" },
    { api_key: "short" },
  ]) {
    const reply = await api("PUT", "/v1/providers/openai/key", { key: client.live, body: wrong });
    expect(reply).toMatchObject(refusal(422, "validation_failed"));
    expect(JSON.stringify(reply.body)).not.toContain(SECRET);
  }
});

it("the export has the hint and not the key, and a removed tenant's keys go with its API keys", async () => {
  const leaving = await makeTenant();
  await api("PUT", "/v1/providers/openai/key", { key: leaving.live, body });
  const lines = (await api("GET", "/v1/export", { key: leaving.live })).body as string;
  const all = typeof lines === "string" ? lines : JSON.stringify(lines);
  expect(all).toContain("provider_key");
  expect(all).toContain("x7Qa");
  expect(all).not.toContain(SECRET);
  expect((await api("DELETE", `/v1/tenant?confirm=${leaving.tenant}`, { key: leaving.live })).status).toBeLessThan(300);
  const left = await bindings.DB.prepare("SELECT 1 FROM provider_keys WHERE tenant_id = ?")
    .bind(leaving.tenant)
    .first();
  expect(left).toBeNull();
});

describe("a host that lends its keys to nobody", () => {
  const run = () => startBody({ models: { default: "priced/any", roles: { collector: ["openai/a", "crowded/b"] } } });

  it("refuses live runs and corpora whose models need a key that the tenant has not brought", async () => {
    const poor = (await makeTenant()).live;
    const refused = await under("required", "POST", "/v1/runs", run(), poor);
    expect(refused).toMatchObject({ status: 422, body: { code: "provider_key_required" } });
    const needed = refused.body.errors.map(({ message }: { message: string }) => /for (\w+)/.exec(message)![1]);
    expect(needed.toSorted()).toEqual(["crowded", "openai", "priced"]);
    const corpus = { name: "A", embedding_model: "openai/e" };
    expect(await under("required", "POST", "/v1/corpora", corpus, poor)).toMatchObject({
      status: 422,
      body: { code: "provider_key_required", errors: [{ path: "embedding_model", code: "provider_key_required" }] },
    });
    expect((await under("required", "GET", "/v1/providers/openai", undefined, poor)).body.key_required).toBe(true);
  });

  it("takes them once it has brought the keys, and takes test runs without any", async () => {
    const rich = await makeTenant();
    for (const name of ["openai", "crowded", "priced"])
      expect((await under("required", "PUT", `/v1/providers/${name}/key`, body, rich.live)).status).toBe(200);
    const made = await under("required", "POST", "/v1/runs", run(), rich.live);
    expect(made.status).toBe(201);
    await api("POST", `/v1/runs/${made.body.id}/cancel`, { key: rich.live });
    expect((await under("required", "POST", "/v1/runs", run(), (await makeTenant()).test)).status).toBe(201);
  });
});

it("a host without the feature takes no keys", async () => {
  expect(await under("off", "PUT", "/v1/providers/openai/key", body)).toMatchObject({
    status: 403,
    body: { code: "provider_keys_off" },
  });
});
