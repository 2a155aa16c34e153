/** PARLEY_SECRET is rotated: what was made before works until the old secret's date. */
import { createExecutionContext } from "cloudflare:test";
import { expect, it } from "vitest";
import { createApp } from "#api/http/app";
import { composeMaintenance, composeServices } from "#cloudflare/compose";
import { deliverDue } from "#services/webhooks/delivery/deliver-due";
import { received, verified } from "../support/hooks";
import { bindings, call, hookUrl, makeTenant, until } from "../support/parley";
import { askEverything, callbackPath, waitingRun } from "./questions";

const NEW = "the secret after a rotation, long enough";

/** The deployment after a rotation; the Worker of the tests is the one before. */
const rotated = (PARLEY_SECRET_UNTIL: string) =>
  ({ ...bindings, PARLEY_SECRET_UNTIL, PARLEY_SECRET_2: NEW }) as unknown as Env;
const during = rotated("2100-01-01");
const afterwards = rotated("2020-01-01");

const app = createApp<Env>(composeServices);
async function ask(env: Env, path: string, init: { key?: string; body?: unknown; headers?: object } = {}) {
  const { key, body, headers } = init;
  const request = new Request(`http://parley.test${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await app.fetch(request, env, createExecutionContext());
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

it("a callback URL from before a rotation answers until the date, and new ones name the new key", async () => {
  const client = await makeTenant();
  const id = await askEverything(await waitingRun(client));
  const before = await callbackPath(client, id);
  const after = new URL((await ask(during, `/v1/interactions/${id}`, { key: client.test })).body.callback_url).pathname;
  expect(after).not.toBe(before);

  expect((await ask(afterwards, before)).status).toBe(404);
  expect((await ask(afterwards, before, { body: { answers: { q1: "a", q2: 1 } } })).status).toBe(404);
  expect((await ask(afterwards, after)).status).toBe(200);
  expect((await ask(during, after)).status).toBe(200);
  expect((await ask(during, before, { body: { answers: { q1: "a", q2: 1 } } })).status).toBe(200);
  expect((await ask(during, before)).body.status).toBe("answered");
});

it("an endpoint from before a rotation is signed for with its secret until the date; then the log of deliveries says why not", async () => {
  const client = await makeTenant();
  const body = { url: hookUrl(client.tenant.toLowerCase()), events: ["run.completed"] };
  const { body: endpoint } = await call("POST", "/v1/webhook-endpoints", { key: client.test, body });
  const deliver = async (env: Env) => {
    const silent = { getByName: () => null, idFromName: () => "id", get: () => ({ deliver: async () => {} }) };
    const asleep = { ...env, WEBHOOKS: silent as unknown as Env["WEBHOOKS"] } as Env;
    const ping = await ask(asleep, `/v1/webhook-endpoints/${endpoint.id}/ping`, { key: client.test, body: {} });
    expect(ping.status).toBe(202);
    await deliverDue(composeMaintenance(env), endpoint.id, new Map());
    return (await call("GET", `/v1/deliveries/${ping.body.id}`, { key: client.test })).body;
  };
  expect((await deliver(during)).status).toBe("delivered");
  const [hook] = await received(client.tenant.toLowerCase(), 1);
  expect(verified(endpoint.secret, hook!).type).toBe("webhook.ping");

  const refused = await deliver(afterwards);
  expect(refused).toMatchObject({ status: "pending" });
  expect(refused.attempts[0].error).toMatch(/signing secret of whe_\w+ cannot be opened: .* valid until 2020-01-01/);
  // The Worker of the tests, which has the secret, may send it later.
  expect(refused.attempts[0]).toMatchObject({ request: null, response: null });
});

it("an answer under an Idempotency-Key is replayed after a rotation", async () => {
  const client = await makeTenant();
  const [key, headers] = [client.test, { "idempotency-key": "before" }];
  const body = { url: hookUrl("rotation"), events: ["run.completed"] };
  const first = await ask(bindings, "/v1/webhook-endpoints", { key, body, headers });
  const again = await ask(during, "/v1/webhook-endpoints", { key, body, headers });
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.body).toEqual(first.body);
});

it("a request whose answer was sealed with a secret that is gone says so, and makes nothing", async () => {
  const { test: key } = await makeTenant();
  const headers = { "idempotency-key": "before" };
  const body = { url: hookUrl("rotation"), events: ["run.completed"] };
  expect((await ask(bindings, "/v1/webhook-endpoints", { key, body, headers })).status).toBe(201);
  const late = await ask(afterwards, "/v1/webhook-endpoints", { key, body, headers });
  expect(late).toMatchObject({ status: 409, body: { code: "idempotency_answer_unreadable" } });
  expect((await call("GET", "/v1/webhook-endpoints", { key })).body.data).toHaveLength(1);
});

it("a tenant's own provider key whose secret is gone is asked for again", async () => {
  const { live: key } = await makeTenant();
  const own = { api_key: "sk-of-the-tenant-0123456789" };
  expect((await call("PUT", "/v1/providers/openai/key", { key, body: own })).status).toBe(200);
  const { body: corpus } = await call("POST", "/v1/corpora", { key, body: { name: "A", embedding_model: "openai/e" } });
  const path = `/v1/corpora/${corpus.id}`;
  await call("POST", `${path}/documents`, { key, body: { source: "S", text: "Tools are lent." } });
  await until("it is embedded", async () => (await call("GET", path, { key })).body.status === "ready");

  const body = { query: "tools", method: "hybrid" };
  expect((await ask(during, `${path}/search`, { key, body })).status).toBe(200);
  const asked = await ask(afterwards, `${path}/search`, { key, body });
  expect(asked).toMatchObject({ status: 422, body: { code: "provider_key_unreadable" } });
  expect(asked.body.detail).toContain("PUT /v1/providers/openai/key");
});
