/**
 * Under an `Idempotency-Key` a POST makes one thing, whichever call across the platform's edge fails: each call of each operation is failed
 * before it is executed, and after, and the request is repeated. The audit log has one entry about it.
 */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { expect, it } from "vitest";
import { createApp } from "#api/http/app";
import { composeServices } from "#cloudflare/compose";
import { type Decide, withFaults } from "../../support/faults";
import { bindings, type Client, makeTenant } from "../../support/parley";
import { type PostRequest, postRequests } from "../../contract/post-requests";

/** Trials at the same time. */
const CONCURRENCY = 6;
const NOBODY: Client = { tenant: "", test: "", live: "" };
const CASES = Object.entries(postRequests(NOBODY)).flatMap(([operation, requests]) =>
  Object.keys(requests).map((what) => ({ operation, what })),
);

const app = createApp<Env>(composeServices);
const untouched: Decide = () => "ok";

/** Sends the request to a Worker whose bindings fail as `decide` says. */
async function send({ path, body, headers, key }: PostRequest, decide: Decide): Promise<Response> {
  const request = new Request(`http://parley.test${path}`, {
    method: "POST",
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      "idempotency-key": "once",
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const context = createExecutionContext();
  const response = await app.fetch(request, withFaults(bindings as Env, decide), context);
  await waitOnExecutionContext(context);
  return response;
}

/** A request of a new tenant, and the number of its entries in the audit log. */
async function newRequest(operation: string, what: string): Promise<PostRequest & { entries(): Promise<number> }> {
  const client = await makeTenant();
  const count = bindings.DB.prepare(
    "SELECT COUNT(*) AS n FROM audit_log WHERE tenant_id = ? AND action = ? AND outcome = 'done'",
  ).bind(client.tenant, operation);
  const request = await postRequests(client)[operation]![what]!();
  const before = await count.first<number>("n");
  return { ...request, entries: async () => (await count.first<number>("n"))! - before! };
}

interface Baseline {
  calls: number;
  effects: number;
  entries: number;
}

/** The number of calls that the request makes, of its effects, and of its entries in the audit log, when nothing fails. */
async function baseline(operation: string, what: string): Promise<Baseline> {
  const one = await newRequest(operation, what);
  let calls = 0;
  const response = await send(one, () => (calls++, "ok"));
  expect(response.status, await response.text()).toBeLessThan(300);
  return { calls, effects: await one.count(), entries: await one.entries() };
}

/** Fails the call number `at`, then repeats the request until it is answered; returns what was wrong. */
async function trial(operation: string, what: string, at: number, fault: "before" | "after"): Promise<string[]> {
  const one = await newRequest(operation, what);
  const { effects, entries } = effectsOf.get(`${operation}/${what}`)!;
  let calls = 0;
  let failed = "no call";
  const first = await send(one, (call) => {
    if (calls++ !== at) return "ok";
    failed = `${fault} ${call.binding} ${call.operation.replace(/\s+/g, " ").slice(0, 90)}`;
    return fault;
  });
  const wrong: string[] = [];
  const told = (response: Response) => response.status < 300 || response.status === 503;
  if (!told(first)) wrong.push(`the first answer is ${first.status}: ${await first.text()}`);
  if (first.status === 503 && !first.headers.get("retry-after")) wrong.push("503 without Retry-After");
  const second = await send(one, untouched);
  if (second.status >= 300) wrong.push(`the second answer is ${second.status}: ${await second.text()}`);
  const third = await send(one, untouched);
  if (third.status !== second.status || (await third.text()) !== (await second.text()))
    wrong.push("the third answer differs from the second");
  const made = await one.count();
  if (made !== effects) wrong.push(`${made} effects, not ${effects}`);
  const entered = await one.entries();
  if (entered !== entries) wrong.push(`${entered} entries in the audit log, not ${entries}`);
  return wrong.map((text) => `${failed}: ${text}`);
}

const effectsOf = new Map<string, Baseline>();

it.each(CASES)(
  "$operation makes one thing under a key, whichever of its calls fails: $what",
  async ({ operation, what }) => {
    const found = await baseline(operation, what);
    const { calls, entries } = found;
    effectsOf.set(`${operation}/${what}`, found);
    const trials = Array.from({ length: calls }, (_, at) =>
      (["before", "after"] as const).map((fault) => ({ at, fault })),
    );
    const pending = trials.flat();
    const wrong: string[] = [];
    const worker = async () => {
      for (let next = pending.shift(); next; next = pending.shift())
        wrong.push(...(await trial(operation, what, next.at, next.fault)));
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    expect(calls).toBeGreaterThan(2);
    expect(entries).toBe(["searchCorpus", "estimateRun"].includes(operation) ? 0 : 1);
    expect(wrong).toEqual([]);
  },
);
