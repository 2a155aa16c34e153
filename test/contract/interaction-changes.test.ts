/** Open questions are extended, addressed to somebody else and withdrawn; of a change and an answer at one moment one counts. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  addKey,
  bindings,
  call,
  type Client,
  eventsOf,
  makeTenant,
  runWithStatus,
  start,
  until,
} from "../support/parley";
import { openInteraction } from "../support/parley";
import { api, refusal } from "./api";
import { ask, askEverything, callbackPath, clarification, waitingRun } from "./questions";

const DAY = 86_400_000;
const GOOD = { answers: { q1: "Because", q2: 3 } };
let client: Client;
let run: string;
let id: string;
beforeAll(async () => {
  client = await makeTenant();
  run = await waitingRun(client);
});
beforeEach(async () => {
  id = await askEverything(run);
});

const change = (verb: string, body?: object, of = id, headers = {}) =>
  api("POST", `/v1/interactions/${of}/${verb}`, { key: client.test, body, headers });
const answer = (of = id) => api("POST", `/v1/interactions/${of}/answer`, { key: client.test, body: GOOD });
const now = async (of = id) => (await api("GET", `/v1/interactions/${of}`, { key: client.test })).body;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const eventsAbout = async (type: string, of = id) =>
  (await eventsOf(client.test, run)).filter((event) => event.type === type && event.data.interaction_id === of);
const rowOf = (of = id) => bindings.DB.prepare("SELECT * FROM interactions WHERE id = ?").bind(of).first<any>();
const keyId = async () =>
  (await bindings.DB.prepare("SELECT id FROM keys WHERE tenant_id = ? AND mode = 'test'")
    .bind(client.tenant)
    .first<string>("id"))!;

describe("extending", () => {
  it("sets a later deadline, once, with an event that names the key, and an entry of the audit log", async () => {
    const expires_at = inDays(20);
    const reply = await change("extend", { expires_at });
    expect(reply).toMatchObject({ status: 200, body: { status: "open", expires_at } });
    expect(await change("extend", { expires_at })).toMatchObject({ status: 200, body: { expires_at } });
    expect(await eventsAbout("run.input_extended")).toMatchObject([{ data: { expires_at, key_id: await keyId() } }]);
    const { data } = (await api("GET", "/v1/audit", { key: client.test })).body;
    expect(data.filter((entry: any) => entry.action === "extendInteraction" && entry.object_id === id)).toHaveLength(1);
  });

  it("moves its reminder to a day before the new deadline", async () => {
    const expires_at = inDays(20);
    await change("extend", { expires_at });
    expect((await rowOf()).remind_at).toBe(Date.parse(expires_at) - DAY);
  });

  it.each([
    ["an earlier deadline", () => new Date(Date.now() + 1000).toISOString()],
    ["one more than 365 days ahead", () => inDays(366)],
    ["no time", () => "tomorrow"],
  ])("refuses %s", async (_, expires_at) => {
    expect(await change("extend", { expires_at: expires_at() })).toMatchObject(
      refusal(422, "validation_failed", "expires_at"),
    );
  });

  it("lets a run wait past its old deadline", async () => {
    const waiting = await start(client.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
    const open = await openInteraction(client.test, waiting);
    await bindings.DB.prepare("UPDATE interactions SET expires_at = ? WHERE id = ?")
      .bind(Date.now() + 1500, open.id)
      .run();
    expect((await change("extend", { expires_at: inDays(1) }, open.id)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await now(open.id)).toMatchObject({ status: "open" });
    await call("POST", `/v1/interactions/${open.id}/answer`, { key: client.test, body: { decision: "approve" } });
    await runWithStatus(client.test, waiting, "completed");
    const types = (await eventsOf(client.test, waiting)).map(({ type }) => type);
    expect(types).not.toContain("run.input_expired");
  });
});

describe("reassigning", () => {
  it("gives a new link and refuses the old one, to read and to answer", async () => {
    const old = await callbackPath(client, id);
    const reply = await change("reassign", { name: "Ada", email: "ada@example.com" });
    expect(reply.body).toMatchObject({ assignee: { name: "Ada", email: "ada@example.com" }, status: "open" });
    const link = new URL(reply.body.callback_url).pathname;
    expect(link).not.toBe(old);
    for (const [method, body] of [["GET"], ["POST", GOOD]] as const)
      expect(await call(method, old, { body })).toMatchObject({ status: 410, body: { code: "link_replaced" } });
    const page = await call("POST", old, {
      body: "q1=a&q2=1",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
    });
    expect(page.status).toBe(410);
    expect((await now()).status).toBe("open");
    expect((await call("POST", link, { body: GOOD })).body).toMatchObject({ status: "answered" });
    expect(await eventsAbout("run.input_reassigned")).toMatchObject([{ data: { link: 1, assignee: { name: "Ada" } } }]);
  });

  it("refuses an answer by the old link that was read before the change", async () => {
    const old = await callbackPath(client, id);
    const replies = await Promise.all([call("POST", old, { body: GOOD }), change("reassign", { name: "Ada" })]);
    const won = replies.map(({ status }) => status === 200);
    if (won[1]) {
      expect((await rowOf()).link).toBe(1);
      expect((await call("POST", old, { body: GOOD })).status).toBe(410);
    }
    expect((await now()).status).toBe(won[0] ? "answered" : "open");
  });

  it("makes one link for requests with one Idempotency-Key", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const replies = [await change("reassign", { name: "Ada" }, id, headers)];
    replies.push(await change("reassign", { name: "Ada" }, id, headers));
    expect(replies[0]!.body).toEqual(replies[1]!.body);
    expect((await rowOf()).link).toBe(1);
  });

  it.each<[string, object, string]>([
    ["nobody", {}, ""],
    ["two lines", { name: "Ada\nBcc: all@example.com" }, "name"],
    ["two addresses", { email: "a@example.com, b@example.com" }, "email"],
    ["an address with a line break", { email: "a@example.com\nBcc:b" }, "email"],
    ["an unknown field", { phone: "1" }, "phone"],
  ])("refuses %s", async (_, body, path) => {
    expect(await change("reassign", body)).toMatchObject(refusal(422, "validation_failed", path));
  });
});

describe("withdrawing", () => {
  it("lets the run continue as when nobody answers, once", async () => {
    const waiting = await start(client.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
    const open = await openInteraction(client.test, waiting);
    expect((await change("withdraw", undefined, open.id)).body).toMatchObject({ status: "withdrawn", answer: null });
    expect((await change("withdraw", undefined, open.id)).body).toMatchObject({ status: "withdrawn" });
    await runWithStatus(client.test, waiting, "completed");
    const events = (await eventsOf(client.test, waiting)).filter(({ type }) => /withdrawn|expired/.test(type));
    expect(events).toMatchObject([{ type: "run.input_withdrawn", data: { key_id: await keyId() } }]);
  });

  it("refuses later answers and changes, and shows it on the page", async () => {
    const path = await callbackPath(client, id);
    await change("withdraw");
    const gone = { status: 410, body: { code: "interaction_withdrawn" } };
    expect(await answer()).toMatchObject(gone);
    expect(await change("extend", { expires_at: inDays(2) })).toMatchObject(gone);
    expect(await change("reassign", { name: "Ada" })).toMatchObject(gone);
    const page = await call("GET", path, { headers: { accept: "text/html" } });
    expect(JSON.stringify(page.body)).toContain("The question was withdrawn");
    const list = async (status: string) =>
      (await api("GET", `/v1/interactions?run_id=${run}&status=${status}&limit=100`, { key: client.test })).body.data;
    expect((await list("withdrawn")).map((one: any) => one.id)).toContain(id);
    expect((await list("expired")).map((one: any) => one.id)).not.toContain(id);
  });

  it("is refused where the run fails without an answer", async () => {
    const needed = await ask(run, clarification([{ id: "q1", text: "Why?", type: "text", required: true }]), {
      on_expiry: "fail",
    });
    expect(await change("withdraw", undefined, needed)).toMatchObject(refusal(409, "answer_required"));
    expect(await now(needed)).toMatchObject({ status: "open" });
  });
});

it("no closed question is changed", async () => {
  await answer();
  const body = { extend: { expires_at: inDays(2) }, reassign: { name: "Ada" }, withdraw: undefined };
  for (const [verb, given] of Object.entries(body))
    expect(await change(verb, given), verb).toMatchObject(refusal(409, "already_answered"));
  const late = await askEverything(run, { expires_in: -1 });
  for (const [verb, given] of Object.entries(body))
    expect(await change(verb, given, late), verb).toMatchObject({ status: 410, body: { code: "interaction_expired" } });
});

it("of a withdrawal and an answer at the same moment exactly one wins", async () => {
  for (let round = 0; round < 8; round++) {
    const of = await askEverything(run);
    const requests = [() => answer(of), () => change("withdraw", undefined, of)];
    if (round % 2) requests.reverse();
    const replies = await Promise.all(requests.map((send) => send()));
    if (round % 2) replies.reverse();
    expect(replies.map(({ status }) => status).toSorted()[0]).toBe(200);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const won = replies[0]!.status === 200 ? "answered" : "withdrawn";
    expect(await now(of)).toMatchObject({ status: won });
    expect(
      (await eventsAbout("run.input_received", of)).length + (await eventsAbout("run.input_withdrawn", of)).length,
    ).toBe(1);
  }
});

it("a key that may only read changes nothing", async () => {
  const key = await addKey(client.tenant, "test", ["runs:read"]);
  for (const verb of ["extend", "reassign", "withdraw"])
    expect((await call("POST", `/v1/interactions/${id}/${verb}`, { key, body: {} })).status, verb).toBe(403);
});

it("a person is reminded once, a quarter of the time before the deadline, and not of what is withdrawn", async () => {
  const soon = await askEverything(run, { expires_in: 8000 });
  const withdrawn = await askEverything(run, { expires_in: 8000 });
  expect((await rowOf(soon)).remind_at).toBeLessThanOrEqual((await rowOf(soon)).expires_at - 1900);
  await change("withdraw", undefined, withdrawn);
  const extended = await askEverything(run, { expires_in: 8000 });
  await change("extend", { expires_at: inDays(3) }, extended);
  await until("the reminder", async () => (await eventsAbout("run.input_reminder", soon)).length > 0);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await eventsAbout("run.input_reminder", soon)).toHaveLength(1);
  for (const other of [withdrawn, extended]) expect(await eventsAbout("run.input_reminder", other)).toEqual([]);
});
