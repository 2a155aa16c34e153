/** The token of a callback URL is in its path: no log line, span, event or error that Parley writes shows it. */
import { createExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createApp } from "#api/http/app";
import { composeServices } from "#cloudflare/compose";
import { configureLog } from "#core/log";
import {
  addKey,
  all,
  bindings,
  call,
  type Client,
  eventsOf,
  hookUrl,
  makeTenant,
  openInteraction,
  planFromMock,
  planModel,
  runWithStatus,
  start,
  tracesOf,
  until,
} from "../../support/parley";

let client: Client;
let lines: string[];
beforeEach(async () => {
  client = await makeTenant();
  lines = [];
  for (const level of ["debug", "info", "warn", "error", "log"] as const)
    vi.spyOn(console, level).mockImplementation((...parts) => void lines.push(parts.map(String).join(" ")));
  configureLog({ level: "debug", content: true, code_version: "0.1.0" });
});
afterEach(() => {
  vi.restoreAllMocks();
  configureLog({ level: "info", content: false, code_version: "0.1.0" });
});

/** An error of D1 that quotes the path of the request, as no driver should. */
const quoting = (path: string) =>
  ({
    prepare: () => ({
      bind: () => ({ first: () => Promise.reject(new Error(`D1_ERROR: no such column: ${path}: SQLITE_ERROR`)) }),
    }),
  }) as unknown;

it("during an answer by callback and all of its refusals", async () => {
  const options = { reviews: ["requirement_draft"], qa_rounds: 0 };
  const plan = await planFromMock(client, { options: { qa_rounds: 0 } });
  const id = await start(client.live, {
    options,
    models: await planModel(plan),
    webhook: { url: hookUrl("callback-tokens"), events: ["run.input_required", "run.completed"] },
  });
  const { callback_url } = await openInteraction(client.live, id);
  const { pathname } = new URL(callback_url);
  const token = pathname.split("/").at(-1)!;
  const mac = token.split(".").at(-1)!;

  const ask = async (
    method: string,
    more: { body?: unknown; headers?: Record<string, string> } = {},
    path = pathname,
  ) => call(method, path, more);
  const page = { accept: "text/html" };
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const refusals = [
    await ask("POST", { body: "{" }),
    await ask("POST", { body: { decision: "perhaps", [token]: token } }),
    await ask("POST", { body: "decision=perhaps", headers: form }),
    await ask("POST", { body: "x", headers: { "content-type": token } }),
    await ask("POST", { body: {}, headers: { "idempotency-key": `${token} é` } }),
    await ask("DELETE"),
    await ask("GET", {}, `${pathname}x`),
    await ask("GET", {}, `${pathname}/`),
    await ask("GET", { headers: { "x-request-id": token } }, `/v1/no-such-thing/${token}`),
    await ask("GET", { headers: page }, `/v1/callbacks/${token.slice(0, -1)}`),
  ];
  for (const { status } of refusals) expect(status).toBeGreaterThanOrEqual(400);
  const failing = { ...bindings, DB: quoting(pathname) } as unknown as Env;
  const request = new Request(`http://parley.test${pathname}`);
  const failed = await createApp<Env>(composeServices).fetch(request, failing, createExecutionContext());
  expect(failed.status).toBe(500);
  const failure = await failed.text();

  expect((await ask("GET", { headers: page })).status).toBe(200);
  expect((await ask("POST", { body: { decision: "approve" }, headers: { "idempotency-key": "one" } })).status).toBe(
    200,
  );
  expect((await ask("POST", { body: { decision: "approve", comment: "later" } })).status).toBe(409);
  await runWithStatus(client.live, id, "completed");

  const spans = await until("the trace", async () => {
    const found = (await tracesOf("collector")).map(({ body }) => body).filter((body) => body.includes(id));
    return found.length > 0 && found;
  });
  const events = JSON.stringify(await eventsOf(client.live, id));
  const own = (await call("GET", `/v1/webhook-endpoints?run_id=${id}`, { key: client.live })).body.data[0];
  const reader = await addKey(client.tenant, "live", ["runs:read"]); // one that may answer is shown the URL
  const deliveries = JSON.stringify(await all(reader, `/v1/webhook-endpoints/${own.id}/deliveries`));
  const errors = [failure, ...refusals.map(({ body }) => JSON.stringify(body))];
  const { results: audited } = await bindings.DB.prepare("SELECT * FROM audit_log WHERE actor_id = ?")
    .bind(token.split(".")[0])
    .all();
  expect(audited.length).toBeGreaterThan(0);
  expect(lines.length).toBeGreaterThan(20);
  for (const text of [...lines, ...spans, events, deliveries, ...errors, JSON.stringify(audited)]) {
    expect(text).not.toContain(mac);
    expect(text).not.toContain(mac.slice(0, -1));
  }
});

it("a page at a callback URL is not stored by caches, and sends its address to nobody", async () => {
  const id = await start(client.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
  const { callback_url } = await openInteraction(client.test, id);
  const { pathname } = new URL(callback_url);
  for (const [method, path] of [
    ["GET", pathname],
    ["POST", pathname],
    ["GET", `${pathname}x`],
  ] as const) {
    const headers = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
    const reply = await call(method, path, { headers, ...(method === "POST" && { body: "decision=approve" }) });
    expect(reply.headers.get("content-type"), `${method} ${reply.status}`).toMatch(/^text\/html/);
    expect(reply.headers.get("referrer-policy")).toBe("no-referrer");
    expect(reply.headers.get("cache-control")).toBe("no-store");
  }
  const json = await call("GET", pathname);
  expect(json.headers.get("cache-control")).toBe("no-store");
  expect(json.headers.get("referrer-policy")).toBe("no-referrer");
});
