/** Requests are limited for each key, and those to a callback URL for its interaction, by an app that allows five a minute. */
import { beforeAll, describe, expect, it } from "vitest";
import { createExecutionContext } from "cloudflare:test";
import { composeServices } from "../../src/compose";
import { createApp } from "../../src/http/app";
import { problemSchema } from "../../src/http/schemas/problem";
import { makeKey } from "../../src/keys/make-key";
import { addKey, bindings, type Client, makeTenant, openInteraction, start } from "../support/parley";
import { callbackPath } from "./questions";

const FIVE = createApp(() => {
  const services = composeServices(bindings);
  const settings = { ...services.settings, requests_per_minute: 5, callback_requests_per_minute: 5 };
  return { ...services, settings };
});

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const ask = async (path: string, headers: Record<string, string> = {}) =>
  FIVE.fetch(new Request(`http://parley.test${path}`, { headers }), bindings, createExecutionContext());
const withKey = (key: string) => ({ authorization: `Bearer ${key}` });
const statuses = async (times: number, path: string, headers?: Record<string, string>) => {
  const all: number[] = [];
  for (let n = 0; n < times; n++) all.push((await ask(path, headers)).status);
  return all;
};

describe("a key", () => {
  it("is told with every response how many requests it has left, and when there are new ones", async () => {
    const key = await addKey(client.tenant, "test", ["runs:read"]);
    for (const left of [4, 3]) {
      const { headers } = await ask("/v1/runs", withKey(key));
      expect(headers.get("ratelimit-policy")).toBe('"key";q=5;w=60');
      const [, r, t] = /^"key";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit")!)!;
      expect(Number(r)).toBe(left);
      expect(Number(t)).toBeGreaterThan(50);
      expect(headers.has("retry-after")).toBe(false);
    }
  });

  it("is refused beyond its limit with 429 and Retry-After, and the next key is not", async () => {
    const key = await addKey(client.tenant, "test", ["runs:read"]);
    expect(await statuses(5, "/v1/runs", withKey(key))).toEqual([200, 200, 200, 200, 200]);
    const reply = await ask("/v1/runs", withKey(key));
    expect(reply.status).toBe(429);
    const problem = problemSchema.parse(await reply.json());
    expect(problem.code).toBe("rate_limited");
    expect(reply.headers.get("x-request-id")).toBe(problem.request_id);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(reply.headers.get("ratelimit")).toMatch(/^"key";r=0;t=\d+$/);
    const another = await addKey(client.tenant, "test", ["runs:read"]);
    expect((await ask("/v1/runs", withKey(another))).status).toBe(200);
  });

  it("never has more requests let in than its limit, though they all come at once", async () => {
    const key = await addKey(client.tenant, "test", ["runs:read"]);
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask("/v1/runs", withKey(key))));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  it("that lacks the scope is counted: it exists", async () => {
    const key = await addKey(client.tenant, "test", ["runs:read"]);
    expect(await statuses(6, "/v1/keys", withKey(key))).toEqual([403, 403, 403, 403, 403, 429]);
  });
});

it("a request without a valid key is counted against no key", async () => {
  for (const headers of [{}, withKey(makeKey("test").text)]) {
    expect(await statuses(7, "/v1/runs", headers)).toEqual(Array(7).fill(401));
    expect((await ask("/v1/runs", headers)).headers.has("ratelimit")).toBe(false);
  }
});

it("/healthz, /openapi.json and /docs are not limited", async () => {
  for (const path of ["/healthz", "/openapi.json", "/docs", "/docs/errors"]) {
    expect(await statuses(7, path), path).toEqual(Array(7).fill(200));
  }
});

describe("callbacks", () => {
  const from = (address: string) => ({ "cf-connecting-ip": address });

  it("are counted for their interaction, wherever they come from", async () => {
    const id = await start(client.test, { options: { checkpoints: ["requirement_draft"], qa_rounds: 0 } });
    const path = await callbackPath(client, (await openInteraction(client.test, id)).id);
    for (let n = 0; n < 5; n++) expect((await ask(path, from(`198.51.100.${n}`))).status).toBe(200);
    const refused = await ask(path, from("198.51.100.9"));
    expect(refused.status).toBe(429);
    expect(refused.headers.get("ratelimit-policy")).toBe('"callback";q=5;w=60');
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("that are guessed are counted for the address, an IPv6 network being one", async () => {
    const guess = (n: number) => `/v1/callbacks/int_${n}.guess`;
    for (let n = 0; n < 5; n++) expect((await ask(guess(n), from(`2001:db8:1:2::${n}`))).status).toBe(404);
    expect((await ask(guess(5), from("2001:db8:1:2:ffff::1"))).status).toBe(429);
    expect((await ask(guess(6), from("2001:db8:1:3::1"))).status).toBe(404);
    expect((await ask(guess(7), from("203.0.113.7"))).status).toBe(404);
  });
});
