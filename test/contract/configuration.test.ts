/** Effects of the operator's variables that clients see. */
import { createExecutionContext } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import { composeServices } from "#cloudflare/compose";
import { createApp } from "#api/http/app";
import { bindings, call, type Client, makeTenant, openInteraction } from "../support/parley";
import { startBody } from "./api";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const app = createApp<Env>(composeServices);
/** A request to the same Worker with other variables. */
async function ask(
  variables: Partial<Env>,
  method: string,
  url: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const request = new Request(new URL(url, "http://parley.test"), {
    method,
    headers: { authorization: `Bearer ${client.test}`, "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const env = { ...bindings, ...variables } as Env;
  const response = await app.fetch(request, env, createExecutionContext());
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

it("callback URLs begin with PUBLIC_URL, or with the origin that the run was created at", async () => {
  const body = startBody({ options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
  for (const [variables, url, origin] of [
    [{ PUBLIC_URL: "https://api.example.com/parley/" }, "/v1/runs", "https://api.example.com/parley"],
    [{}, "https://other.example.com/v1/runs", "https://other.example.com"],
  ] as const) {
    const { body: run } = await ask(variables, "POST", url, body);
    const { callback_url } = await openInteraction(client.test, run.id);
    expect(callback_url.startsWith(`${origin}/v1/callbacks/int_`), callback_url).toBe(true);
    await call("POST", `/v1/runs/${run.id}/cancel`, { key: client.test });
  }
});

it("the agent card names PUBLIC_URL, and a page of its origin may call", async () => {
  const PUBLIC_URL = "https://api.example.com/parley/";
  const { body: card } = await ask({ PUBLIC_URL }, "GET", "/.well-known/agent-card.json");
  expect(card.supportedInterfaces).toMatchObject([{ url: "https://api.example.com/parley/a2a" }]);
  const rpc = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  for (const [origin, status] of [
    ["https://api.example.com", 200],
    ["http://parley.test", 403],
  ] as const)
    expect(await ask({ PUBLIC_URL }, "POST", "/mcp", rpc, { origin }), origin).toMatchObject({ status });
});

it("URLs of webhooks must be https and public, unless ALLOW_PRIVATE_URLS is true", async () => {
  const refused = [
    "http://example.com/hook",
    "https://localhost/",
    "https://127.0.0.1/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest",
    "https://[::1]/",
  ];
  const strict = { ALLOW_PRIVATE_URLS: "false" };
  for (const url of refused) {
    const run = await ask(strict, "POST", "/v1/runs", startBody({ webhook: { url } }));
    expect(run, url).toMatchObject({ status: 422, body: { code: "url_refused", errors: [{ path: "webhook.url" }] } });
    const endpoint = await ask(strict, "POST", "/v1/webhook-endpoints", { url });
    expect(endpoint, url).toMatchObject({ status: 422, body: { code: "url_refused", errors: [{ path: "url" }] } });
  }
  expect((await ask(strict, "POST", "/v1/webhook-endpoints", { url: "https://example.com/hook" })).status).toBe(201);
  for (const url of refused) {
    const { status } = await ask({ ALLOW_PRIVATE_URLS: "true" }, "POST", "/v1/webhook-endpoints", { url });
    expect(status, url).toBe(201);
  }
});

it("URLs may name the private hosts that ALLOW_PRIVATE_HOSTS lists, and no others; those that the deployment uses itself are not for callers", async () => {
  const variables = {
    ALLOW_PRIVATE_URLS: "false",
    ALLOW_PRIVATE_HOSTS: "hooks.internal, 10.0.0.5:8080",
    OPENAI_BASE_URL: "https://llm.corp.example/v1",
  };
  const post = async (url: string) => (await ask(variables, "POST", "/v1/webhook-endpoints", { url })).status;
  const run = async (url: string) => (await ask(variables, "POST", "/v1/runs", startBody({ webhook: { url } }))).status;
  for (const of of [post, run]) {
    expect(await of("http://hooks.internal/a")).toBe(201);
    expect(await of("http://10.0.0.5:8080/a")).toBe(201);
    expect(await of("http://10.0.0.5:8081/a")).toBe(422);
    expect(await of("https://other.internal/a")).toBe(422);
    expect(await of("https://llm.corp.example/a")).toBe(422);
  }
});

it("healthz is a 503 with Retry-After while the database does not answer", async () => {
  const broken = { prepare: () => ({ first: () => Promise.reject(new Error("gone")) }) };
  const reply = await ask({ DB: broken as unknown as Env["DB"] }, "GET", "/healthz");
  expect(reply).toMatchObject({ status: 503, body: { status: "unavailable" } });
  expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(JSON.stringify(reply.body)).not.toContain("gone");
});
