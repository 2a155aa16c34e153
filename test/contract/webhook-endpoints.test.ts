/** Webhook endpoints of a tenant: created, changed, rotated, pinged and deleted; their log shows every attempt and no secret. */
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { newId } from "#core/ids";
import { DEFAULT_ENDPOINT_TYPES } from "#core/vocabulary";
import { addKey, bindings, type Client, hookUrl, makeTenant, openInteraction, start, until } from "../support/parley";
import { api, refusal } from "./api";

const PATH = "/v1/webhook-endpoints";
const SECRET = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;

let client: Client;
let url: string;
beforeAll(async () => {
  client = await makeTenant();
});
beforeEach(() => {
  url = hookUrl(newId("whe").toLowerCase());
});

const create = (body: object = { url }, key = client.test) => api("POST", PATH, { key, body });
const at = (method: string, id: string, verb = "", body?: object, key = client.test) =>
  api(method, `${PATH}/${id}${verb}`, { key, body });
const made = async (body?: object) => (await create(body)).body;
const delivered = (id: string) =>
  until("a delivery is settled", async () => {
    const { body } = await api("GET", `/v1/deliveries/${id}`, { key: client.test });
    return body.status !== "pending" && body;
  });
/** A tenant can have twenty. */
beforeEach(() => bindings.DB.prepare("DELETE FROM webhook_endpoints WHERE tenant_id = ?").bind(client.tenant).run());

describe("a new endpoint", () => {
  it("receives the default events, and shows its secret once", async () => {
    const reply = await create();
    expect(reply.status).toBe(201);
    expect(reply.headers.get("location")).toBe(`${PATH}/${reply.body.id}`);
    expect(reply.body).toMatchObject({
      run_id: null,
      url,
      events: DEFAULT_ENDPOINT_TYPES,
      description: "",
      status: "enabled",
      disabled_because: null,
      previous_secret_expires_at: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...rest } = reply.body;
    expect((await at("GET", reply.body.id)).body).toEqual(rest);
    expect((await api("GET", PATH, { key: client.test })).body.data).toEqual([rest]);
    const row = await bindings.DB.prepare("SELECT * FROM webhook_endpoints WHERE id = ?").bind(rest.id).first();
    expect(JSON.stringify(row)).not.toContain(secret.slice(6));
  });

  it("accepts given types, description and secret", async () => {
    const body = { url, events: ["run.created", "webhook_endpoint.disabled"], description: "Mine", secret: SECRET };
    expect((await create(body)).body).toMatchObject(body);
  });

  const wrong: [what: string, body: object, path: string][] = [
    ["no URL", {}, "url"],
    ["a relative URL", { url: "/hook" }, "url"],
    ["another scheme", { url: "ftp://example.com/" }, "url"],
    ["no type", { events: [] }, "events"],
    ["an unknown type", { events: ["run.vanished"] }, "events.0"],
    ["a ping for a type, which always arrives", { events: ["webhook.ping"] }, "events.0"],
    ["a type twice", { events: ["run.failed", "run.failed"] }, "events"],
    ["a short secret", { secret: "whsec_AAAA" }, "secret"],
    ["a long description", { description: "x".repeat(201) }, "description"],
    ["an unknown field", { colour: "red" }, "colour"],
  ];
  test.each(wrong)("is refused with %s", async (_, body, path) => {
    const given = "url" in body || path === "url" ? body : { url, ...body };
    const reply = await create(given);
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([expect.objectContaining({ path })]);
  });

  it("is refused when the tenant has twenty", async () => {
    for (let n = 0; n < 20; n++) expect((await create()).status).toBe(201);
    expect(await create()).toMatchObject(refusal(429, "quota_exceeded"));
    const { data } = (await api("GET", `${PATH}?limit=1`, { key: client.test })).body;
    expect((await at("DELETE", data[0].id)).status).toBe(204);
    expect((await create()).status).toBe(201);
  });
});

describe("a change", () => {
  it("changes the given fields and no others", async () => {
    const { id } = await made();
    const changed = await at("PATCH", id, "", { events: ["run.failed"], description: "Pager" });
    expect(changed.body).toMatchObject({ url, events: ["run.failed"], description: "Pager", status: "enabled" });
    const moved = `${url}-2`;
    expect((await at("PATCH", id, "", { url: moved })).body).toMatchObject({ url: moved, events: ["run.failed"] });
  });

  it("disables an endpoint and enables it again", async () => {
    const { id } = await made();
    expect((await at("PATCH", id, "", { status: "disabled" })).body).toMatchObject({
      status: "disabled",
      disabled_because: "by_request",
      disabled_at: expect.any(String),
    });
    expect(await at("POST", id, "/ping")).toMatchObject(refusal(409, "webhook_endpoint_disabled"));
    expect((await api("GET", `${PATH}?status=enabled`, { key: client.test })).body.data).toEqual([]);
    expect((await at("PATCH", id, "", { status: "enabled" })).body).toMatchObject({
      status: "enabled",
      disabled_because: null,
      disabled_at: null,
    });
    expect((await at("POST", id, "/ping")).status).toBe(202);
  });

  it("must change something that can be changed", async () => {
    const { id } = await made();
    expect(await at("PATCH", id, "", {})).toMatchObject(refusal(422, "validation_failed", ""));
    expect(await at("PATCH", id, "", { secret: SECRET })).toMatchObject(refusal(422, "validation_failed", "secret"));
    expect(await at("PATCH", id, "", { url: "ftp://x/" })).toMatchObject(refusal(422, "url_refused", "url"));
  });
});

describe("rotating a secret", () => {
  it("makes a new one, shown once, and keeps the previous one for a day", async () => {
    const { id, secret } = await made();
    const before = Date.now();
    const { status, body } = await at("POST", id, "/rotate-secret");
    expect(status).toBe(200);
    expect(body.secret).toMatch(/^whsec_/);
    expect(body.secret).not.toBe(secret);
    const hours = (Date.parse(body.previous_secret_expires_at) - before) / 3_600_000;
    expect(hours).toBeGreaterThan(23.99);
    expect(hours).toBeLessThan(24.01);
    expect((await at("GET", id)).body).not.toHaveProperty("secret");
  });

  it("accepts the caller's own secret and overlap, also no overlap", async () => {
    const { id } = await made();
    const { body } = await at("POST", id, "/rotate-secret", { secret: SECRET, overlap: "2h" });
    expect(body.secret).toBe(SECRET);
    expect(Date.parse(body.previous_secret_expires_at) - Date.now()).toBeLessThan(2 * 3_600_000 + 1000);
    expect((await at("POST", id, "/rotate-secret", { overlap: "0s" })).body.previous_secret_expires_at).toBeNull();
  });

  test.each(["8d", "1s", "soon", "-1h"])("is refused with an overlap of %s", async (overlap) => {
    const { id } = await made();
    expect(await at("POST", id, "/rotate-secret", { overlap })).toMatchObject(
      refusal(422, "validation_failed", "overlap"),
    );
  });
});

describe("a ping", () => {
  it("is a delivery, whatever types the endpoint asks for, with request, response and timing", async () => {
    const { id } = await made({ url, events: ["run.failed"] });
    const reply = await at("POST", id, "/ping");
    expect(reply.status).toBe(202);
    expect(reply.headers.get("location")).toBe(`/v1/deliveries/${reply.body.id}`);
    const delivery = await delivered(reply.body.id);
    expect(delivery).toMatchObject({
      endpoint_id: id,
      run_id: null,
      type: "webhook.ping",
      status: "delivered",
      next_attempt_at: null,
      attempts: [
        {
          attempt: 1,
          started_at: expect.any(String),
          duration_ms: expect.any(Number),
          request: {
            url,
            headers: {
              "webhook-id": delivery.event_id,
              "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
              "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
              "content-type": "application/json",
            },
          },
          response: { status: 200, body: "{}" },
          error: null,
        },
      ],
    });
    expect(JSON.parse(delivery.body)).toEqual({
      type: "webhook.ping",
      timestamp: delivery.created_at,
      data: { event: { id: delivery.event_id }, endpoint: { id, run_id: null } },
    });
    expect((await at("GET", id, "/deliveries")).body.data).toEqual([delivery]);
    expect((await at("GET", id, "/deliveries?status=failed")).body.data).toEqual([]);
  });
});

describe("the log", () => {
  it("is read page by page, newest first", async () => {
    const { id } = await made();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await at("POST", id, "/ping")).body.id);
    const first = (await at("GET", id, "/deliveries?limit=2")).body;
    const second = (await at("GET", id, `/deliveries?limit=2&cursor=${first.next_cursor}`)).body;
    const seen = [...first.data, ...second.data].map((delivery) => delivery.id);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(seen).toEqual(seen.toSorted().toReversed());
    expect(second.next_cursor).toBeNull();
  });

  it("shows a callback_url only to keys that may write runs", async () => {
    const { id } = await made({ url, events: ["run.input_required"] });
    const run = await start(client.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
    await openInteraction(client.test, run);
    const bodyFor = async (key: string) => {
      const { data } = (await at("GET", id, `/deliveries?run_id=${run}`, undefined, key)).body;
      return JSON.parse(data[0].body).data.interaction;
    };
    expect((await bodyFor(client.test)).callback_url).toContain("/v1/callbacks/");
    const reader = await bodyFor(await addKey(client.tenant, "test", ["runs:read"]));
    expect(reader).toMatchObject({ kind: "feedback", callback_url: null });
  });

  it("of a run's own webhook is found by the run", async () => {
    const run = await api("POST", "/v1/runs", {
      key: client.test,
      body: { workflow: "requirements", input: { idea: "A tool library" }, webhook: { url, events: ["run.created"] } },
    });
    const { id, status } = run.body.webhook;
    expect(status).toBe("enabled");
    const { data } = (await api("GET", `${PATH}?run_id=${run.body.id}`, { key: client.test })).body;
    expect(data).toMatchObject([{ id, run_id: run.body.id, events: ["run.created"] }]);
    expect((await at("GET", id, "/deliveries")).body.data).toMatchObject([
      { type: "run.created", run_id: run.body.id },
    ]);
    expect((await api("GET", PATH, { key: client.test })).body.data).toEqual([]);
  });
});

describe("a redelivery", () => {
  it("is another attempt with the same id and body, and a new signature", async () => {
    const { id } = await made();
    const ping = await delivered((await at("POST", id, "/ping")).body.id);
    const again = await api("POST", `/v1/deliveries/${ping.id}/redeliver`, { key: client.test });
    expect(again.status).toBe(202);
    expect(again.body).toMatchObject({ id: ping.id, event_id: ping.event_id, body: ping.body });
    const twice = await until("a second attempt", async () => {
      const { body } = await api("GET", `/v1/deliveries/${ping.id}`, { key: client.test });
      return body.attempts.length === 2 && body.status === "delivered" && body;
    });
    expect(twice.attempts.map((attempt: any) => attempt.request.headers["webhook-id"])).toEqual([
      ping.event_id,
      ping.event_id,
    ]);
  });

  it("needs an enabled endpoint", async () => {
    const { id } = await made();
    const ping = await delivered((await at("POST", id, "/ping")).body.id);
    await at("PATCH", id, "", { status: "disabled" });
    expect(await api("POST", `/v1/deliveries/${ping.id}/redeliver`, { key: client.test })).toMatchObject(
      refusal(409, "webhook_endpoint_disabled"),
    );
  });
});

it("an endpoint is deleted with its log", async () => {
  const { id } = await made();
  const ping = await delivered((await at("POST", id, "/ping")).body.id);
  expect((await at("DELETE", id)).status).toBe(204);
  expect(await at("GET", id)).toMatchObject(refusal(404, "not_found"));
  expect(await api("GET", `/v1/deliveries/${ping.id}`, { key: client.test })).toMatchObject(refusal(404, "not_found"));
  const left = await bindings.DB.prepare(
    `SELECT (SELECT COUNT(*) FROM delivery_attempts WHERE delivery_id = ?1) + (SELECT COUNT(*) FROM deliveries WHERE endpoint_id = ?2)
       + (SELECT COUNT(*) FROM webhook_messages WHERE endpoint_id = ?2) AS rows`,
  )
    .bind(ping.id, id)
    .first();
  expect(left).toEqual({ rows: 0 });
});
