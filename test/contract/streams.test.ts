/** Streams of events end with their key, and their number is bounded. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApp } from "#api/http/app";
import { composeServices } from "#cloudflare/compose";
import { STREAM_TIMING } from "#services/runs/stream-events";
import { STREAM_LIMITS } from "#services/runs/stream-leases";
import { addKey, all, bindings, type Client, eventsOf, makeTenant } from "../support/parley";
import { api } from "./api";
import { waitingRun } from "./questions";

const usual = { pace: { ...STREAM_TIMING }, limits: { ...STREAM_LIMITS } };
let client: Client;
let run: string;
let last: number;

beforeAll(() => {
  Object.assign(STREAM_TIMING, { heartbeat_every_ms: 200, feed_retry_ms: 10 });
  Object.assign(STREAM_LIMITS, { per_key: 2 });
});
afterAll(() => {
  Object.assign(STREAM_TIMING, usual.pace);
  Object.assign(STREAM_LIMITS, usual.limits);
});
beforeEach(async () => {
  client = await makeTenant();
  run = await waitingRun(client);
  last = (await eventsOf(client.test, run)).length;
});

/** Opens a stream that waits for further events. */
async function open(key: string) {
  const context = createExecutionContext();
  const request = new Request(`http://parley.test/v1/runs/${run}/events?after=${last}`, {
    headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
  });
  const response = await createApp<Env>(composeServices).fetch(request, bindings, context);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  // It is read as it arrives: a stream that nobody reads stands still.
  const text = (async () => {
    let seen = "";
    for (let next = await reader.read(); !next.done; next = await reader.read()) seen += next.value;
    return seen;
  })();
  return {
    status: response.status,
    headers: response.headers,
    /** Everything, once it has ended. */
    text: () => text,
    leave: async () => {
      await reader.cancel();
      await waitOnExecutionContext(context);
    },
  };
}

const idOf = async (key: string) =>
  (await all(client.test, "/v1/keys")).find(({ hint }) => hint === key.slice(-4)).id as string;
const readerKey = () => addKey(client.tenant, "test", ["runs:read"]);
const closing = (text: string) => {
  const block = text.split("\n\n").findLast(Boolean)!;
  expect(block).toMatch(/^event: stream\.closed\n/);
  expect(block).not.toMatch(/^id:/m);
  return JSON.parse(/^data: (.*)$/m.exec(block)![1]!);
};
const leases = async () =>
  (await bindings.DB.prepare("SELECT COUNT(*) AS n FROM stream_leases WHERE tenant_id = ?")
    .bind(client.tenant)
    .first<number>("n"))!;

describe("a stream ends", () => {
  it("when its key is revoked, and says so", async () => {
    const key = await readerKey();
    const stream = await open(key);
    expect(stream.status).toBe(200);
    await api("DELETE", `/v1/keys/${await idOf(key)}`, { key: client.test });
    const text = await stream.text();
    expect(closing(text)).toMatchObject({ code: "key_revoked", status: 401 });
    await expect.poll(leases).toBe(0);
  });

  it("when its key expires", async () => {
    const expires_at = new Date(Date.now() + 700).toISOString();
    const { body: made } = await api("POST", "/v1/keys", {
      key: client.test,
      body: { name: "short", mode: "test", expires_at },
    });
    const stream = await open(made.key);
    const text = await stream.text();
    expect(closing(text)).toMatchObject({ code: "key_expired", detail: expect.stringContaining(expires_at) });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at));
  });

  it("when its key loses the scope to read", async () => {
    const key = await readerKey();
    const stream = await open(key);
    await api("PATCH", `/v1/keys/${await idOf(key)}`, { key: client.test, body: { scopes: ["runs:write"] } });
    expect(closing(await stream.text())).toMatchObject({ code: "missing_scope", status: 403 });
  });
});

describe("open streams", () => {
  it("are limited for a key and for the tenant, with a message that says which; one that ends makes room", async () => {
    const [one, other] = [await readerKey(), await readerKey()];
    const first = await open(one);
    const second = await open(one);
    const refused = await open(one);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    const detail = `The key ${await idOf(one)} has 2 streams of events open, which is the most.`;
    expect(JSON.parse(await refused.text())).toMatchObject({ code: "too_many_streams", detail });
    await bindings.DB.prepare("INSERT INTO quota_limits (tenant_id, quota, most) VALUES (?, 'streams', 3)")
      .bind(client.tenant)
      .run();
    const third = await open(other);
    expect(third.status).toBe(200);
    expect(JSON.parse(await (await open(other)).text())).toMatchObject({
      code: "quota_exceeded",
      quota: { name: "streams", used: 3, limit: 3 },
    });
    await first.leave();
    await expect.poll(leases).toBe(2);
    const again = await open(one);
    expect(again.status).toBe(200);
    for (const stream of [second, third, again]) await stream.leave();
    await expect.poll(leases).toBe(0);
  });

  it("are not opened by HEAD, which nobody would read to its end", async () => {
    const headers = { accept: "text/event-stream" };
    for (let times = 0; times < 3; times++)
      expect((await api("HEAD", `/v1/runs/${run}/events`, { key: client.test, headers })).status).toBe(200);
    expect(await leases()).toBe(0);
  });

  it("of another tenant do not count", async () => {
    const streams = [await open(client.test), await open(client.test)];
    const other = await makeTenant();
    const theirs = await waitingRun(other);
    const page = await api("GET", `/v1/runs/${theirs}/events`, { key: other.test });
    expect(page.status).toBe(200);
    [client, run, last] = [other, theirs, page.body.data.length];
    const stream = await open(other.test);
    expect(stream.status).toBe(200);
    for (const each of [...streams, stream]) await each.leave();
  });

  it("that a crash cut off count until their leases expire, and those that live renew theirs", async () => {
    const insert = bindings.DB.prepare(
      "INSERT INTO stream_leases (id, tenant_id, key_id, expires_at, run_id) VALUES (?, ?, ?, ?, 'run_1')",
    );
    const id = await idOf(client.test);
    for (const name of ["a", "b"]) await insert.bind(`${id}-${name}`, client.tenant, id, Date.now() + 400).run();
    expect((await open(client.test)).status).toBe(429);
    await new Promise((resolve) => setTimeout(resolve, 450));
    const stream = await open(client.test);
    expect(stream.status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1200)); // longer than a lease of four heartbeats
    const [lease] = (
      await bindings.DB.prepare("SELECT * FROM stream_leases WHERE tenant_id = ?").bind(client.tenant).all()
    ).results;
    expect(lease!.expires_at).toBeGreaterThan(Date.now());
    await stream.leave();
  });
});
