/** Rates: each key has its own count, every answer shows it, and requests over the limit are refused until the next minute. */
import { createExecutionContext, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { composeServices } from "#cloudflare/compose";
import { createApp } from "#api/http/app";
import { addKey, bindings, type Client, makeTenant } from "../support/parley";
import { problemSchema } from "#api/http/schemas/problem";
import { api } from "./api";
import { askEverything, callbackPath, waitingRun } from "./questions";

let client: Client;
beforeEach(async () => {
  client = await makeTenant();
});

const app = createApp<Env>(composeServices);
const withLimit = (limit: number, other: Partial<Env> = {}) => {
  const env = { ...bindings, ...other, RATE_LIMIT_PER_MINUTE: String(limit) } as Env;
  return async (path: string, key?: string, init: RequestInit = {}) =>
    app.fetch(
      new Request(`http://parley.test${path}`, {
        ...init,
        headers: { ...(key && { authorization: `Bearer ${key}` }), ...init.headers },
      }),
      env,
      createExecutionContext(),
    );
};
const remaining = (response: Response) =>
  /^"per-minute";r=(\d+);t=(\d+)$/.exec(response.headers.get("RateLimit") ?? "");

it("every answer shows how many requests remain, also errors and refusals for a missing scope", async () => {
  const ask = withLimit(5);
  const reader = await addKey(client.tenant, "test", ["runs:read"]);
  const replies = [
    await ask("/v1/runs", reader),
    await ask("/v1/runs?colour=red", reader),
    await ask("/v1/keys", reader),
    await ask("/v1/agents", reader),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 400, 403, 200]);
  for (const [at, reply] of replies.entries()) {
    expect(reply.headers.get("RateLimit-Policy")).toBe('"per-minute";q=5;w=60');
    const [, r, t] = remaining(reply)!;
    expect(Number(r)).toBe(4 - at);
    expect(Number(t)).toBeGreaterThan(0);
    expect(Number(t)).toBeLessThanOrEqual(60);
  }
});

it("a request over the rate is a 429 with Retry-After, and has no effect", async () => {
  const ask = withLimit(2);
  const body = JSON.stringify({ name: "one", mode: "test" });
  const post = () =>
    ask("/v1/keys", client.test, { method: "POST", body, headers: { "content-type": "application/json" } });
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await post()).status);
  expect(statuses).toEqual([201, 201, 429]);
  const refused = await post();
  expect(problemSchema.parse(await refused.json())).toMatchObject({ status: 429, code: "rate_limited" });
  expect(remaining(refused)![1]).toBe("0");
  expect(refused.headers.get("Retry-After")).toBe(remaining(refused)![2]);
  const { body: keys } = await api("GET", "/v1/keys", { key: client.live });
  expect(keys.data).toHaveLength(4);
});

it("after a minute a key may make the same number of requests again", async () => {
  const ask = withLimit(1);
  for (const status of [200, 429]) expect((await ask("/v1/runs", client.test)).status).toBe(status);
  const key = await bindings.DB.prepare("SELECT id FROM keys WHERE tenant_id = ? AND mode = 'test'")
    .bind(client.tenant)
    .first<{ id: string }>();
  const counter = bindings.RATE_LIMITS.get(bindings.RATE_LIMITS.idFromName(key!.id));
  const later = (ms: number) =>
    (runInDurableObject as any)(counter, (limiter: { begunAt: number }) => {
      limiter.begunAt -= ms;
    });
  await later(50_000);
  const early = await ask("/v1/runs", client.test);
  expect(early.status).toBe(429);
  expect(Number(early.headers.get("Retry-After"))).toBeLessThanOrEqual(10);
  await later(10_000);
  expect((await ask("/v1/runs", client.test)).status).toBe(200);
});

it("each key has its own count", async () => {
  const ask = withLimit(1);
  expect((await ask("/v1/runs", client.test)).status).toBe(200);
  expect((await ask("/v1/runs", client.test)).status).toBe(429);
  expect((await ask("/v1/runs", client.live)).status).toBe(200);
});

it("a callback URL has its own count too", async () => {
  const run = await waitingRun(client);
  const [one, other] = [
    await callbackPath(client, await askEverything(run)),
    await callbackPath(client, await askEverything(run)),
  ];
  const ask = withLimit(1);
  expect((await ask(one)).status).toBe(200);
  expect((await ask(one)).status).toBe(429);
  expect((await ask(other)).status).toBe(200);
});

it("health and documents are not counted", async () => {
  const ask = withLimit(1);
  for (const path of ["/healthz", "/openapi.json", "/docs/errors"]) {
    for (let n = 0; n < 3; n++) {
      const reply = await ask(path, client.test);
      expect([reply.status, reply.headers.get("RateLimit")]).toEqual([200, null]);
    }
  }
});

it("a refusal is not stored under an Idempotency-Key, and a count is not replayed", async () => {
  const ask = withLimit(2);
  const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  const post = (key: string) =>
    ask("/v1/keys", key, { method: "POST", body: JSON.stringify({ name: "one", mode: "test" }), headers });
  const other = await addKey(client.tenant, "test", ["admin"]);
  await ask("/v1/runs", client.test);
  await ask("/v1/runs", client.test);
  expect((await post(client.test)).status).toBe(429);
  const first = await post(other);
  expect([first.status, first.headers.get("Idempotency-Replayed"), remaining(first)![1]]).toEqual([201, null, "1"]);
  const second = await post(other);
  expect([second.status, second.headers.get("Idempotency-Replayed"), remaining(second)![1]]).toEqual([
    201,
    "true",
    "0",
  ]);
});

describe("invalid callback URLs", () => {
  /** An address that no other test guesses from. */
  let next = 0;
  const address = () => `192.0.2.${++next}`;
  const from = (ip: string, path = "/v1/callbacks/int_x.guess", init: RequestInit = {}, limit = 6000) =>
    withLimit(limit)(path, undefined, { ...init, headers: { ...init.headers, "CF-Connecting-IP": ip } });
  const guess = async (count: number, ip: (n: number) => string) => {
    const statuses = [];
    for (let n = 0; n < count; n++) statuses.push((await from(ip(n))).status);
    return statuses;
  };

  it("are counted by address: after 60 within a minute, GET or POST, the answer is a 429 with Retry-After", async () => {
    const mine = address();
    expect(new Set(await guess(60, () => mine))).toEqual(new Set([404]));
    for (const init of [{}, { method: "POST", body: "{}", headers: { "content-type": "application/json" } }]) {
      const refused = await from(mine, undefined, init);
      expect(problemSchema.parse(await refused.json())).toMatchObject({ status: 429, code: "rate_limited" });
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    expect((await from(address())).status).toBe(404);
  });

  it("do not block the holder of a valid one at the same address", async () => {
    const ours = address();
    expect((await guess(61, () => ours)).at(-1)).toBe(429);
    const path = await callbackPath(client, await askEverything(await waitingRun(client)));
    expect((await from(ours, path)).status).toBe(200);
    const body = JSON.stringify({ answers: { q1: "a", q2: 1 } });
    const answer = { method: "POST", body, headers: { "content-type": "application/json" } };
    expect((await from(ours, path, answer)).status).toBe(200);
  });

  it("are counted together for all addresses of one IPv6 network", async () => {
    expect((await guess(61, (n) => `2001:db8:0:1::${n.toString(16)}`)).at(-1)).toBe(429);
    expect((await from("2001:db8:0:2::1")).status).toBe(404);
  });

  it("are not counted without an address from the platform, or without rate limits", async () => {
    for (const ip of ["", "unknown"]) expect((await guess(61, () => ip)).at(-1)).toBe(404);
    const mine = address();
    for (let n = 0; n < 61; n++) expect((await from(mine, undefined, {}, 0)).status).toBe(404);
  });
});

describe("a counter that fails, or does not answer within a second", () => {
  const counter = (admit: () => Promise<never>) =>
    ({ idFromName: () => "id", get: () => ({ admit }) }) as unknown as Env["RATE_LIMITS"];

  it.each([
    ["fails", () => Promise.reject(new Error("overloaded"))],
    ["is silent", () => new Promise<never>(() => {})],
  ])("refuses no request, and the failure is logged: %s", async (_how, admit) => {
    const written = vi.spyOn(console, "warn").mockImplementation(() => {});
    const ask = withLimit(1, { RATE_LIMITS: counter(admit) });
    for (let n = 0; n < 2; n++) {
      const reply = await ask("/v1/runs", client.test);
      expect([reply.status, reply.headers.get("RateLimit")]).toEqual([200, null]);
    }
    const guess = await ask("/v1/callbacks/int_x.guess", undefined, {
      headers: { "CF-Connecting-IP": "198.51.100.7" },
    });
    expect(guess.status).toBe(404);
    const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)));
    written.mockRestore();
    const uncounted = lines.filter(({ message }) => message === "a request was not counted");
    expect(uncounted).toHaveLength(3);
    expect(JSON.stringify(uncounted)).not.toContain("198.51.100.7");
  });
});

it("0 lifts the limit", async () => {
  const ask = withLimit(0);
  for (let n = 0; n < 3; n++) {
    const reply = await ask("/v1/runs", client.test);
    expect([reply.status, reply.headers.get("RateLimit")]).toEqual([200, null]);
  }
});
