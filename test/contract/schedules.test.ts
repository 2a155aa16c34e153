/** Templates and schedules over HTTP: saved requests, the times of schedules, and what becomes of each. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { composeServices } from "#cloudflare/compose";
import { startDue } from "#services/schedules/start-due";
import { addKey, all, bindings, call, type Client, makeTenant, runWithStatus } from "../support/parley";
import { api, refusal } from "./api";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const IDEA = { type: "string", example: "A shelf for books." };
const REQUEST = { workflow: "requirements", input: { idea: "{{idea}}" }, options: { qa_rounds: "{{rounds}}" } };
const FIELDS = { idea: IDEA, rounds: { type: "number", default: 0 } };
const post = (path: string, body: object, key = client.test) => api("POST", path, { key, body });
const get = async (path: string) => (await call("GET", path, { key: client.test })).body;
const newTemplate = async (more: object = {}) =>
  (await post("/v1/templates", { name: "A check", request: REQUEST, fields: FIELDS, ...more })).body;

describe("a template", () => {
  it("is saved, listed, changed and deleted", async () => {
    const made = await newTemplate({ description: "Each week." });
    expect(made).toMatchObject({ object: "template", version: 1, workflow: "requirements", description: "Each week." });
    expect(await get(`/v1/templates/${made.id}`)).toEqual(made);
    expect((await all(client.test, "/v1/templates")).map(({ id }) => id)).toContain(made.id);
    const named = await api("PATCH", `/v1/templates/${made.id}`, { key: client.test, body: { name: "Other" } });
    expect(named.body).toMatchObject({ name: "Other", version: 1 });
    const request = {
      ...REQUEST,
      workflow: "waterfall",
      input: { requirement: "{{idea}}" },
      options: { qa_rounds: "{{rounds}}" },
    };
    const wrong = await api("PATCH", `/v1/templates/${made.id}`, { key: client.test, body: { request } });
    expect(wrong).toMatchObject(refusal(422, "validation_failed", "request.options.qa_rounds"));
    const fields = { idea: IDEA };
    const body = { request: { workflow: "waterfall", input: { requirement: "Build {{idea}}" } }, fields };
    const changed = await api("PATCH", `/v1/templates/${made.id}`, { key: client.test, body });
    expect(changed.body).toMatchObject({ version: 2, workflow: "waterfall" });
    expect((await api("DELETE", `/v1/templates/${made.id}`, { key: client.test })).status).toBe(204);
    expect(await api("GET", `/v1/templates/${made.id}`, { key: client.test })).toMatchObject(refusal(404, "not_found"));
  });

  it.each([
    ["a placeholder without a field", { fields: { rounds: FIELDS.rounds } }, "request"],
    ["a field without a placeholder", { fields: { ...FIELDS, other: IDEA } }, "fields.other"],
    ["a field without a value to check with", { fields: { ...FIELDS, idea: { type: "string" } } }, "fields.idea"],
    ["a default of another type", { fields: { ...FIELDS, rounds: { type: "number", default: "0" } } }, "fields.rounds"],
    ["a request that no run takes", { request: { ...REQUEST, limit: 1 } }, "request.limit"],
    [
      "an example that no run takes",
      { fields: { ...FIELDS, rounds: { type: "number", default: 99 } } },
      "request.options.qa_rounds",
    ],
  ])("is refused with %s", async (_, more, path) => {
    const body = { name: "A check", request: REQUEST, fields: FIELDS, ...more };
    const answer = await post("/v1/templates", body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((one: { path: string }) => one.path)).toContain(path);
  });

  it("starts runs with its fields filled in, once under one key, and names every error of the values", async () => {
    const { id } = await newTemplate();
    const headers = { "idempotency-key": "tuesday" };
    const start = () =>
      api("POST", `/v1/templates/${id}/runs`, {
        key: client.test,
        headers,
        body: { fields: { idea: "A choir's calendar." } },
      });
    const { status, body } = await start();
    expect(status).toBe(201);
    expect((await start()).body.id).toBe(body.id);
    expect(body).toMatchObject({ workflow: "requirements", metadata: { template_id: id } });
    const run = await runWithStatus(client.test, body.id, "completed");
    expect([run.input.idea, run.options.qa_rounds]).toEqual(["A choir's calendar.", 0]);
    const wrong = await post(`/v1/templates/${id}/runs`, { fields: { rounds: "1", other: 1 } });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors.map(({ path, code }: any) => `${path} ${code}`).toSorted()).toEqual([
      "fields.idea required",
      "fields.other unknown_field",
      "fields.rounds invalid_type",
    ]);
  });

  it("leaves room for the metadata of its runs, which must be an object", async () => {
    const metadata = (entries: number) =>
      Object.fromEntries(Array.from({ length: entries }, (_, at) => [`m${at}`, "x"]));
    const save = (entries: number) =>
      post("/v1/templates", {
        name: "A check",
        request: { ...REQUEST, metadata: metadata(entries) },
        fields: FIELDS,
      });
    expect(await save(15)).toMatchObject(refusal(422, "validation_failed", "request.metadata"));
    const made = (await save(14)).body;
    const started = await post(`/v1/templates/${made.id}/runs`, { fields: { idea: "x" } });
    expect(started.body.metadata).toEqual({ ...metadata(14), template_id: made.id });
    const request = { ...REQUEST, metadata: "{{about}}" };
    const fields = { ...FIELDS, about: { type: "json", example: {} } };
    const open = await newTemplate({ request, fields });
    for (const about of ["abc", ["a"], 1])
      expect(await post(`/v1/templates/${open.id}/runs`, { fields: { idea: "x", about } })).toMatchObject(
        refusal(422, "validation_failed", "metadata"),
      );
  });

  it("is refused when its request, filled in, would be larger than a request may be", async () => {
    const many = "{{idea}}".repeat(50_000);
    const fields = { idea: { type: "string", example: "x".repeat(400_000) } };
    const body = { name: "Long", request: { workflow: "requirements", input: { idea: many } }, fields };
    expect(await post("/v1/templates", body)).toMatchObject(refusal(422, "validation_failed", "request"));
    const short = { ...body, fields: { idea: { type: "string", example: "" } } };
    expect((await post("/v1/templates", short)).status).toBe(422); // an idea is not empty
    const few = { ...body, request: { ...body.request, input: { idea: "A shelf. {{idea}}{{idea}}{{idea}}" } } };
    const made = (await post("/v1/templates", { ...few, fields: { idea: { type: "string", example: "x" } } })).body;
    const filled = await post(`/v1/templates/${made.id}/runs`, { fields: { idea: "x".repeat(400_000) } });
    expect(filled).toMatchObject(refusal(422, "validation_failed", "fields"));
  });

  it("that is nested too deeply is refused, as every body is", async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const request = `{"workflow": "requirements", "input": ${deep}}`;
    for (const [path, body] of [
      ["/v1/templates", `{"name": "Deep", "request": ${request}}`],
      ["/v1/runs", request],
    ] as const)
      expect(await api("POST", path, { key: client.test, body }), path).toMatchObject(refusal(400, "malformed_json"));
  });

  it("with a long text shares no page with others that would fill the Worker's memory", async () => {
    const { test: key } = await makeTenant();
    const idea = { type: "string", default: "A shelf. ".repeat(2000), description: "" };
    const note = { type: "string", default: "x".repeat(500_000) };
    const request = { ...REQUEST, options: {}, metadata: { note: "{{note}}" } };
    const small = { ...note, default: "y" };
    const body = { name: "Long", request: { ...request, input: { idea: "{{idea}}" } }, fields: { idea, note: small } };
    for (let made = 0; made < 3; made++) {
      const { id } = (await post("/v1/templates", body, key)).body;
      await bindings.DB.prepare("UPDATE templates SET fields = json_set(fields, '$.note.default', ?) WHERE id = ?")
        .bind(note.default, id)
        .run();
    }
    const page = (await call("GET", "/v1/templates?limit=100", { key })).body;
    expect([page.data.length, page.next_cursor]).toEqual([2, expect.any(String)]);
    expect(await all(key, "/v1/templates")).toHaveLength(3);
  });

  it("of another mode is not found, and one that a schedule uses is not deleted", async () => {
    const { id } = await newTemplate();
    expect(await post(`/v1/templates/${id}/runs`, { fields: { idea: "x" } }, client.live)).toMatchObject(
      refusal(404, "not_found"),
    );
    const schedule = { name: "S", template_id: id, cron: "@daily", fields: { idea: "x" } };
    expect(await post("/v1/schedules", schedule, client.live)).toMatchObject(
      refusal(422, "unknown_template", "template_id"),
    );
    const made = (await post("/v1/schedules", schedule)).body;
    const kept = await api("DELETE", `/v1/templates/${id}`, { key: client.test });
    expect(kept).toMatchObject(refusal(409, "template_in_use"));
    expect(kept.body.detail).toContain(made.id);
  });
});

const HOUR = 60 * 60_000;
const HOURLY = "0 * * * *";

/** A schedule whose next time is set, as if it had been created before. */
async function newSchedule(next_at: number | null, more: object = {}) {
  const { id: template_id } = await newTemplate();
  const body = { name: "Hourly", template_id, cron: HOURLY, fields: { idea: "A shelf." }, ...more };
  const { id } = (await post("/v1/schedules", body)).body;
  if (next_at !== null)
    await bindings.DB.prepare("UPDATE schedules SET next_at = ? WHERE id = ?").bind(next_at, id).run();
  return id as string;
}
/** A maintenance pass at a time. */
const roundAt = (now: number) => startDue(composeServices(bindings), now);
const occurrences = async (id: string): Promise<any[]> =>
  (await get(`/v1/schedules/${id}/occurrences`)).data.toReversed();
const runsOf = (id: string) => all(client.test, `/v1/runs?metadata[schedule_id]=${id}`);
/** The last full hour, which the server's own maintenance worker does not reach before the test. */
const hourOf = (time: number) => Math.floor(time / HOUR) * HOUR;
const SOON = hourOf(Date.now()) + 100 * HOUR;

describe("a schedule", () => {
  // A round handles a limited number, the longest due first: those of other tests would keep it from the test's own.
  beforeEach(async () => {
    await bindings.DB.prepare("UPDATE schedules SET paused = 1").run();
  });

  it("shows its next times in its zone, also over a change of the clock", async () => {
    const { id: template_id } = await newTemplate();
    const body = { name: "S", template_id, cron: "30 8 * * MON", time_zone: "Europe/Lisbon", fields: { idea: "x" } };
    const { body: made } = await post("/v1/schedules", body);
    expect(made).toMatchObject({ object: "schedule", status: "active", overlap: "skip", catch_up: "last" });
    expect(made.next_times).toHaveLength(5);
    const local = made.next_times.map((time: string) =>
      new Date(time).toLocaleString("en-GB", {
        timeZone: "Europe/Lisbon",
        weekday: "short",
        hour: "2-digit",
        minute: "2-digit",
      }),
    );
    expect(new Set(local)).toEqual(new Set(["Mon 08:30"]));
  });

  it.each([
    [{ cron: "* * * *" }, "cron"],
    [{ cron: "0 0 * * * *" }, "cron"],
    [{ cron: "61 * * * *" }, "cron"],
    [{ cron: "0 0 30 2 *" }, "cron"],
    [{ time_zone: "Moon/Sea" }, "time_zone"],
    [{ fields: {} }, "fields.idea"],
    [{ every: "day" }, "every"],
  ])("is refused with %j", async (more, path) => {
    const { id: template_id } = await newTemplate();
    const body = { name: "S", template_id, cron: HOURLY, fields: { idea: "x" }, ...more };
    const { status, body: problem } = await post("/v1/schedules", body);
    expect([status, problem.errors.map((one: any) => one.path)]).toEqual([422, [path]]);
  });

  it("is refused with every error of its times, in our words", async () => {
    const { id: template_id } = await newTemplate();
    const times = { cron: "30 8 * * FUNDAY", time_zone: "Moon/Sea" };
    const { body: problem } = await post("/v1/schedules", { name: "S", template_id, fields: { idea: "x" }, ...times });
    const [cron, zone] = problem.errors;
    expect([cron.path, zone.path]).toEqual(["cron", "time_zone"]);
    expect(cron.message).toMatch(/^This is no cron expression: .*FUNDAY/);
  });

  it("starts one run for each time, however many rounds are run at once", async () => {
    const id = await newSchedule(SOON);
    await Promise.all([roundAt(SOON), roundAt(SOON), roundAt(SOON + 1000)]);
    await roundAt(SOON + 1000);
    const runs = await runsOf(id);
    expect(runs).toHaveLength(1);
    expect(await occurrences(id)).toMatchObject([
      { outcome: "started", run_id: runs[0].id, due_at: new Date(SOON).toISOString() },
    ]);
    expect(await get(`/v1/schedules/${id}`)).toMatchObject({ last_run_id: runs[0].id });
    expect((await get(`/v1/schedules/${id}`)).next_times[0]).toBe(new Date(SOON + HOUR).toISOString());
    await runWithStatus(client.test, runs[0].id, "completed");
    await roundAt(SOON - HOUR); // the clock has jumped back
    expect(await runsOf(id)).toHaveLength(1);
    await roundAt(SOON + HOUR);
    expect(await runsOf(id)).toHaveLength(2);
  });

  it.each([
    ["none", ["skipped"]],
    ["last", ["started"]],
    ["all", ["started", "started", "started"]],
  ])("after an outage with catch_up %s", async (catch_up, outcomes) => {
    const id = await newSchedule(SOON, { catch_up, overlap: "queue" });
    const end = SOON + 2 * HOUR + 30 * 60_000;
    for (let round = 0; round < 6; round++) {
      await roundAt(end);
      for (const run of await runsOf(id)) await runWithStatus(client.test, run.id, "completed");
    }
    const found = await occurrences(id);
    expect(found.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(found.at(-1)!.due_at).toBe(new Date(SOON + 2 * HOUR).toISOString());
    if (catch_up === "last") expect(found[0].reason).toBe("2 earlier times were missed.");
    expect((await get(`/v1/schedules/${id}`)).next_times[0]).toBe(new Date(SOON + 3 * HOUR).toISOString());
  });

  it("after a jump of a day starts what its policy says, and nothing twice", async () => {
    const id = await newSchedule(SOON);
    const day = SOON + 24 * HOUR;
    await Promise.all([roundAt(day), roundAt(day)]);
    await roundAt(SOON + HOUR); // and back
    await roundAt(day);
    expect(await runsOf(id)).toHaveLength(1);
    expect((await occurrences(id)).map(({ reason }) => reason)).toEqual(["24 earlier times were missed."]);
  });

  it("of every minute, after a week, starts the last time without a walk over ten thousand", async () => {
    const id = await newSchedule(SOON, { cron: "* * * * *" });
    const week = SOON + 7 * 24 * HOUR;
    await roundAt(week);
    expect(await occurrences(id)).toMatchObject([
      { outcome: "started", due_at: new Date(week).toISOString(), reason: "More than 100 earlier times were missed." },
    ]);
    expect((await get(`/v1/schedules/${id}`)).next_times[0]).toBe(new Date(week + 60_000).toISOString());
  });

  it.each([
    ["skip", ["started", "skipped"], 1],
    ["queue", ["started"], 1],
    ["cancel_other", ["started", "started"], 2],
  ])("whose run before has not ended, with overlap %s", async (overlap, outcomes, runs) => {
    const request = { workflow: "requirements", input: { idea: "{{idea}}" }, options: { human_stakeholder: true } };
    const { id: template_id } = await newTemplate({ request, fields: { idea: IDEA } });
    const id = await newSchedule(SOON, { overlap, template_id });
    await roundAt(SOON);
    await roundAt(SOON + HOUR);
    expect((await occurrences(id)).map(({ outcome }) => outcome)).toEqual(outcomes);
    const [latest, ...earlier] = await runsOf(id);
    expect([latest, ...earlier]).toHaveLength(runs);
    expect(earlier.map(({ status }) => status)).toEqual(Array(runs - 1).fill("canceled"));
    await call("POST", `/v1/runs/${latest.id}/cancel`, { key: client.test });
    await roundAt(SOON + HOUR);
    expect(await runsOf(id)).toHaveLength(overlap === "queue" ? 2 : runs);
  });

  it("that queues its time keeps it however long the run before takes, and holds up no other schedule", async () => {
    const request = { workflow: "requirements", input: { idea: "{{idea}}" }, options: { human_stakeholder: true } };
    const { id: template_id } = await newTemplate({ request, fields: { idea: IDEA } });
    const waiting = await newSchedule(SOON, { overlap: "queue", catch_up: "none", template_id });
    await roundAt(SOON);
    const [first] = await runsOf(waiting);
    const { DB } = bindings;
    // Fifty more schedules of that kind, which is as many as a round handles, and one that is due later.
    const { results } = await DB.prepare("SELECT * FROM schedules WHERE id = ?").bind(waiting).all<any>();
    const names = Object.keys(results[0]!);
    const copy = `INSERT INTO schedules (${names.join(", ")}) SELECT ${names.map((name) => (name === "id" ? "?2" : name)).join(", ")} FROM schedules WHERE id = ?1`;
    const copies = Array.from({ length: 50 }, (_, at) => `${waiting}_${at}`);
    await DB.batch(copies.map((id) => DB.prepare(copy).bind(waiting, id)));
    const other = await newSchedule(SOON + 2 * HOUR);
    await roundAt(SOON + 2 * HOUR);
    expect(await runsOf(other)).toHaveLength(1);
    await DB.batch(copies.map((id) => DB.prepare("DELETE FROM schedules WHERE id = ?").bind(id)));
    await call("POST", `/v1/runs/${first.id}/cancel`, { key: client.test });
    await DB.prepare("UPDATE runs SET finished_at = ? WHERE id = ?")
      .bind(SOON + 1.9 * HOUR, first.id)
      .run();
    await roundAt(SOON + 2 * HOUR - 1);
    expect((await occurrences(waiting)).map(({ outcome }) => outcome)).toEqual(["started", "started"]);
  });

  it.each([
    ["none", ["skipped"]],
    ["last", ["started"]],
    ["all", ["skipped"]],
  ])("of every month, after an outage of ten days, with catch_up %s", async (catch_up, outcomes) => {
    const first = Date.UTC(new Date(SOON).getUTCFullYear() + 1, 0, 1);
    const id = await newSchedule(first, { cron: "0 0 1 * *", catch_up });
    await roundAt(first + 10 * 24 * HOUR);
    expect(await occurrences(id)).toMatchObject(
      outcomes.map((outcome) => ({ outcome, due_at: new Date(first).toISOString() })),
    );
    expect((await get(`/v1/schedules/${id}`)).next_times[0]).toMatch(/-02-01T00:00:00.000Z$/);
  });

  it("that is paused while a round handles it starts nothing", async () => {
    const id = await newSchedule(SOON);
    const services = composeServices(bindings);
    const { templates } = services.store;
    const found = templates.get.bind(templates);
    templates.get = async (...given) => {
      await api("PATCH", `/v1/schedules/${id}`, { key: client.test, body: { status: "paused" } });
      return found(...given);
    };
    await startDue(services, SOON);
    expect([await runsOf(id), await occurrences(id)]).toEqual([[], []]);
  });

  it("that is paused starts nothing, and begins anew from now", async () => {
    const id = await newSchedule(SOON);
    const patch = (body: object) => api("PATCH", `/v1/schedules/${id}`, { key: client.test, body });
    expect((await patch({ status: "paused" })).body).toMatchObject({ status: "paused", next_times: [] });
    await roundAt(SOON + HOUR);
    expect(await occurrences(id)).toEqual([]);
    const { next_times } = (await patch({ status: "active" })).body;
    expect(Date.parse(next_times[0])).toBe(hourOf(Date.now()) + HOUR);
    const changed = await patch({ cron: "0 0 1 1 *", time_zone: "Asia/Tokyo" });
    expect(changed.body.next_times[0]).toMatch(/-12-31T15:00:00.000Z$/);
    expect(await patch({ fields: { idea: 1 } })).toMatchObject(refusal(422, "validation_failed", "fields.idea"));
  });

  it("whose key was revoked is paused with the reason; a key that was rolled continues", async () => {
    const key = await addKey(client.tenant, "test", ["runs:read", "runs:write"]);
    const { id: template_id } = await newTemplate();
    const body = { name: "S", template_id, cron: HOURLY, fields: { idea: "x" } };
    const made = (await post("/v1/schedules", body, key)).body;
    await bindings.DB.batch([
      bindings.DB.prepare("UPDATE schedules SET next_at = ? WHERE id = ?").bind(SOON, made.id),
      bindings.DB.prepare("UPDATE keys SET revoked_at = 1 WHERE id = ?").bind(made.key_id),
    ]);
    await roundAt(SOON);
    expect(await occurrences(made.id)).toMatchObject([
      { outcome: "failed", run_id: null, reason: expect.stringContaining("key_revoked") },
    ]);
    expect(await get(`/v1/schedules/${made.id}`)).toMatchObject({ status: "paused" });
  });

  it("continues with the key to which its own was rolled, however often", async () => {
    const key = await addKey(client.tenant, "test", ["runs:read", "runs:write"]);
    const { id: template_id } = await newTemplate();
    const body = { name: "S", template_id, cron: HOURLY, fields: { idea: "x" } };
    const made = (await post("/v1/schedules", body, key)).body;
    const { DB } = bindings;
    const roll = (from: string, to: string) => [
      DB.prepare(
        `INSERT INTO keys (id, tenant_id, name, mode, hash, hint, scopes, created_at)
         SELECT ?2, tenant_id, name, mode, ?2, hint, scopes, created_at FROM keys WHERE id = ?1`,
      ).bind(from, to),
      DB.prepare("UPDATE keys SET rolled_to = ?2, expires_at = 1 WHERE id = ?1").bind(from, to),
    ];
    const ids = [made.key_id, ...Array.from({ length: 30 }, (_, at) => `${made.key_id}r${at}`)];
    await DB.batch(ids.slice(1).flatMap((to, at) => roll(ids[at], to)));
    await DB.prepare("UPDATE schedules SET next_at = ? WHERE id = ?").bind(SOON, made.id).run();
    await roundAt(SOON);
    expect((await occurrences(made.id)).map(({ outcome }) => outcome)).toEqual(["started"]);
    await runWithStatus(client.test, (await runsOf(made.id))[0]!.id, "completed");
    await DB.prepare("UPDATE keys SET revoked_at = 1 WHERE id = ?").bind(ids.at(-1)).run();
    await roundAt(SOON + HOUR);
    expect((await occurrences(made.id))[1]).toMatchObject({ reason: expect.stringContaining(ids.at(-1)!) });
  });

  it("is triggered: a run starts now, its times stay, and the next one finds that run as the one before", async () => {
    const request = { workflow: "requirements", input: { idea: "{{idea}}" }, options: { human_stakeholder: true } };
    const { id: template_id } = await newTemplate({ request, fields: { idea: IDEA } });
    const id = await newSchedule(SOON, { template_id });
    const before = await get(`/v1/schedules/${id}`);
    const trigger = (key = client.test, headers = {}) => api("POST", `/v1/schedules/${id}/trigger`, { key, headers });
    const headers = { "idempotency-key": "now" };
    const { status, body } = await trigger(client.test, headers);
    expect([status, body.metadata]).toEqual([201, { template_id, schedule_id: id }]);
    expect((await trigger(client.test, headers)).body.id).toBe(body.id);
    expect(await get(`/v1/schedules/${id}`)).toEqual({ ...before, last_run_id: body.id });
    await roundAt(SOON);
    expect(await occurrences(id)).toMatchObject([{ outcome: "skipped", reason: `${body.id} had not ended.` }]);
    expect(await runsOf(id)).toHaveLength(1);
    const second = (await trigger()).body.id;
    expect((await get(`/v1/schedules/${id}`)).last_run_id).toBe(second);
    for (const run of [body.id, second]) await call("POST", `/v1/runs/${run}/cancel`, { key: client.test });
    const reader = await addKey(client.tenant, "test", ["runs:read"]);
    expect(await trigger(reader)).toMatchObject(refusal(403, "missing_scope"));
    for (const stranger of [client.live, (await makeTenant()).test])
      expect(await trigger(stranger)).toMatchObject(refusal(404, "not_found"));
  });

  it("keeps each of several changes at once", async () => {
    const id = await newSchedule(null);
    const patch = (body: object) => api("PATCH", `/v1/schedules/${id}`, { key: client.test, body });
    const changes = { name: "Other", status: "paused", overlap: "queue", catch_up: "all", fields: { idea: "y" } };
    await Promise.all(Object.entries(changes).map(([name, value]) => patch({ [name]: value })));
    expect(await get(`/v1/schedules/${id}`)).toMatchObject(changes);
  });

  it("tells why a time started no run, and continues with the next", async () => {
    const id = await newSchedule(SOON);
    const endpoint = (await post("/v1/webhook-endpoints", { delivery: "poll", events: ["schedule.failed"] })).body.id;
    await bindings.DB.prepare("INSERT INTO quota_limits (tenant_id, quota, most) VALUES (?, 'queued_runs', 0)")
      .bind(client.tenant)
      .run();
    await roundAt(SOON);
    await bindings.DB.prepare("DELETE FROM quota_limits WHERE tenant_id = ?").bind(client.tenant).run();
    expect(await occurrences(id)).toMatchObject([
      { outcome: "failed", reason: expect.stringContaining("quota_exceeded") },
    ]);
    await roundAt(SOON + HOUR);
    expect((await occurrences(id)).map(({ outcome }) => outcome)).toEqual(["failed", "started"]);
    const told = (await all(client.test, `/v1/webhook-endpoints/${endpoint}/deliveries`)).map(({ body }) =>
      JSON.parse(body),
    );
    expect(told).toMatchObject([
      {
        type: "schedule.failed",
        data: {
          schedule_id: id,
          due_at: new Date(SOON).toISOString(),
          reason: expect.stringContaining("quota_exceeded"),
        },
      },
    ]);
  });

  it("that cancels the run before leaves it when the next request is invalid", async () => {
    const request = { workflow: "requirements", input: { idea: "{{idea}}" }, options: { human_stakeholder: true } };
    const { id: template_id } = await newTemplate({ request, fields: { idea: IDEA } });
    const id = await newSchedule(SOON, { overlap: "cancel_other", template_id });
    await roundAt(SOON);
    const fields = { idea: IDEA, more: { type: "string", example: "x" } };
    const changed = { ...request, input: { idea: "{{idea}} {{more}}" } };
    await api("PATCH", `/v1/templates/${template_id}`, { key: client.test, body: { request: changed, fields } });
    await roundAt(SOON + HOUR);
    expect((await occurrences(id)).map(({ outcome }) => outcome)).toEqual(["started", "failed"]);
    const [run] = await runsOf(id);
    expect(run.status).not.toBe("canceled");
    await call("POST", `/v1/runs/${run.id}/cancel`, { key: client.test });
  });

  it("is deleted with the record of its times, and its runs stay", async () => {
    const id = await newSchedule(SOON);
    await roundAt(SOON);
    const [run] = await runsOf(id);
    expect((await api("DELETE", `/v1/schedules/${id}`, { key: client.test })).status).toBe(204);
    expect(await api("GET", `/v1/schedules/${id}/occurrences`, { key: client.test })).toMatchObject(
      refusal(404, "not_found"),
    );
    const left = await bindings.DB.prepare("SELECT COUNT(*) AS n FROM occurrences WHERE schedule_id = ?")
      .bind(id)
      .first<{ n: number }>();
    expect(left!.n).toBe(0);
    expect((await get(`/v1/runs/${run.id}`)).id).toBe(run.id);
  });

  it("is started by the server's own maintenance worker", async () => {
    const id = await newSchedule(Date.now() - 1000, { cron: "* * * * *" });
    await expect.poll(() => runsOf(id).then(({ length }) => length), { timeout: 20_000 }).toBeGreaterThanOrEqual(1);
  }, 30_000);
});
