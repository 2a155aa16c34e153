/** Endpoints without a URL: a consumer leases their deliveries, signed as webhooks are, and acknowledges each. */
import { createExecutionContext } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { createApp } from "#api/http/app";
import { composeMaintenance, composeServices } from "#cloudflare/compose";
import { nextExpiry } from "#services/maintenance/next-expiry";
import { webhookSchema } from "#services/webhooks/message-schema";
import { RETRY_WINDOW_MS } from "#services/webhooks/delivery/schedule";
import { withFaults } from "../support/faults";
import { all, bindings, type Client, makeTenant, runWithStatus, start, until } from "../support/parley";
import { api, refusal } from "./api";

let client: Client;
beforeEach(async () => {
  client = await makeTenant();
});

const PATH = "/v1/webhook-endpoints";
const SHORT = { options: { qa_rounds: 0 } };
const STAGES = ["run.created", "run.started", "run.stage_started", "run.stage_completed", "run.completed"];

async function endpoint(body: object = {}, key = client.test): Promise<{ id: string; secret: string }> {
  const reply = await api("POST", PATH, { key, body: { delivery: "poll", ...body } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  expect(reply.body).toMatchObject({ delivery: "poll", url: null });
  return reply.body;
}
const lease = async (id: string, body?: object, key = client.test): Promise<any[]> => {
  const reply = await api("POST", `${PATH}/${id}/lease`, { key, body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data;
};
const acknowledge = async (id: string, deliveries: { id: string }[]) =>
  (
    await api("POST", `${PATH}/${id}/acknowledge`, {
      key: client.test,
      body: { deliveries: deliveries.map((one) => one.id) },
    })
  ).body;
const shown = async (delivery: { id: string }) =>
  (await api("GET", `/v1/deliveries/${delivery.id}`, { key: client.test })).body;
const ping = (id: string) => api("POST", `${PATH}/${id}/ping`, { key: client.test });
/** Moves the clock: the leases of an endpoint have ended. */
const endLeases = (id: string) =>
  bindings.DB.prepare("UPDATE deliveries SET leased_until = 1 WHERE endpoint_id = ? AND leased_until IS NOT NULL")
    .bind(id)
    .run();
/** Moves the clock: nobody has acknowledged the pending deliveries of an endpoint in time. */
const passTheirTime = (id: string) =>
  bindings.DB.prepare(
    "UPDATE deliveries SET next_attempt_at = ?, leased_until = NULL WHERE endpoint_id = ? AND status = 'pending'",
  )
    .bind(Date.now() - 1, id)
    .run();
/** What the maintenance worker does for an endpoint with due deliveries. */
const wakeSender = async (id: string) => {
  const { WEBHOOKS } = bindings as Env;
  await WEBHOOKS.get(WEBHOOKS.idFromName(id)).deliver();
};

describe("a lease", () => {
  it("gives deliveries as a webhook would: its signature, its headers and a body of the contract", async () => {
    const { id, secret } = await endpoint();
    await ping(id);
    const [leased] = await lease(id);
    expect(leased).toMatchObject({ type: "webhook.ping", run_id: null, attempt: 1 });
    const { headers, body } = leased;
    expect(headers).toMatchObject({ "content-type": "application/json", "webhook-id": leased.event_id });
    expect(webhookSchema.parse(new Webhook(secret).verify(body, headers))).toMatchObject({ type: "webhook.ping" });
    expect(body).toBe((await shown(leased)).body);
  });

  it("gives the events of a run one after the other, in order, each once the one before is acknowledged", async () => {
    const { id } = await endpoint({ events: STAGES });
    const run = await start(client.test, SHORT);
    await runWithStatus(client.test, run, "completed");
    const wanted = (await all(client.test, `/v1/runs/${run}/events`)).filter(({ type }) => STAGES.includes(type));
    const seen: string[] = [];
    for (let given = await lease(id, { limit: 100 }); given.length; given = await lease(id, { limit: 100 })) {
      expect(given).toHaveLength(1);
      expect(await lease(id, { limit: 100 })).toEqual([]);
      const webhook = webhookSchema.parse(JSON.parse(given[0].body));
      seen.push(webhook.data.event.id);
      expect(webhook.data.event).toEqual(wanted[seen.length - 1]);
      expect(await acknowledge(id, given)).toMatchObject({ acknowledged: [given[0].id], unknown: [] });
    }
    expect(seen).toEqual(wanted.map((event) => event.id));
    expect(wanted.length).toBeGreaterThan(6);
  });

  it("gives events of several runs at once, and at most as many as were asked for", async () => {
    const { id } = await endpoint({ events: ["run.created", "run.completed"] });
    const runs = [await start(client.test, SHORT), await start(client.test, SHORT), await start(client.test, SHORT)];
    for (const run of runs) await runWithStatus(client.test, run, "completed");
    const first = await lease(id, { limit: 2 });
    const second = await lease(id, { limit: 2 });
    expect([...first, ...second].map(({ run_id, type }) => [run_id, type])).toEqual(
      runs.map((run) => [run, "run.created"]),
    );
  });

  it("that ends gives its deliveries to the next one, with the same id and body and a new attempt", async () => {
    const { id } = await endpoint();
    await ping(id);
    const [before] = await lease(id, { lease_seconds: 1 });
    expect(await lease(id)).toEqual([]);
    const [after] = await until("the lease has ended", async () => {
      const given = await lease(id);
      return given.length > 0 && given;
    });
    const { id: delivery, event_id, body } = before;
    expect(after).toMatchObject({ id: delivery, event_id, body, attempt: 2 });
    expect(Date.parse(after.leased_until)).toBeGreaterThan(Date.parse(before.leased_until));
    await acknowledge(id, [after]);
    await endLeases(id);
    expect(await lease(id)).toEqual([]);
  });

  it("and another one at the same time share no delivery, and miss none", async () => {
    const { id } = await endpoint();
    await Promise.all(Array.from({ length: 12 }, () => ping(id)));
    const given = (await Promise.all(Array.from({ length: 6 }, () => lease(id, { limit: 3 })))).flat();
    expect(given).toHaveLength(12);
    expect(new Set(given.map((one) => one.id)).size).toBe(12);
  });

  it("whose answer is lost after its commit ends by itself: nothing is lost", async () => {
    const { id } = await endpoint();
    await ping(id);
    let isCommitted = false;
    const decide = ({ binding, operation }: { binding: string; operation: string }) => {
      if (isCommitted) return "before" as const; // the process is gone
      isCommitted = binding === "DB" && operation.includes("leased_until = ?4");
      return isCommitted ? ("after" as const) : ("ok" as const);
    };
    const request = new Request(`http://parley.test${PATH}/${id}/lease`, {
      method: "POST",
      headers: { authorization: `Bearer ${client.test}`, "content-type": "application/json" },
      body: JSON.stringify({ lease_seconds: 1 }),
    });
    const app = createApp<Env>(composeServices);
    const reply = await app.fetch(request, withFaults(bindings as Env, decide), createExecutionContext());
    expect(reply.status).toBe(503);
    expect(isCommitted).toBe(true);
    const [given] = await until("it is given again", async () => {
      const leased = await lease(id);
      return leased.length > 0 && leased;
    });
    expect(given.attempt).toBe(2);
  });
});

describe("an acknowledgement", () => {
  it("can be repeated, comes in time after the lease has ended, and names the deliveries that there are not", async () => {
    const { id } = await endpoint();
    await ping(id);
    const [leased] = await lease(id);
    await endLeases(id);
    const stranger = { id: leased.id.replace(/.$/, leased.id.endsWith("0") ? "1" : "0") };
    const answer = { object: "acknowledged_deliveries", acknowledged: [leased.id], unknown: [stranger.id] };
    expect(await acknowledge(id, [leased, stranger])).toEqual(answer);
    expect(await acknowledge(id, [leased, stranger])).toEqual(answer);
    expect(await shown(leased)).toMatchObject({ status: "delivered", next_attempt_at: null, leased_until: null });
    expect(await lease(id)).toEqual([]);
  });

  it("settles no delivery of another endpoint", async () => {
    const { id } = await endpoint();
    const other = await endpoint();
    await ping(id);
    const [leased] = await lease(id);
    expect(await acknowledge(other.id, [leased])).toMatchObject({ acknowledged: [], unknown: [leased.id] });
    expect((await shown(leased)).status).toBe("pending");
  });
});

describe("an endpoint", () => {
  it("of another tenant or mode is not found", async () => {
    const { id } = await endpoint();
    await ping(id);
    const stranger = await makeTenant();
    const body = { deliveries: [(await lease(id, { lease_seconds: 1 }))[0].id] };
    for (const key of [stranger.test, stranger.live, client.live]) {
      expect(await api("POST", `${PATH}/${id}/lease`, { key })).toMatchObject(refusal(404, "not_found"));
      expect(await api("POST", `${PATH}/${id}/acknowledge`, { key, body })).toMatchObject(refusal(404, "not_found"));
    }
  });

  it("with a URL leases nothing, and one without takes no URL", async () => {
    const url = "https://example.com/hook";
    const pushing = (await api("POST", PATH, { key: client.test, body: { url } })).body;
    expect(pushing).toMatchObject({ delivery: "push", url });
    expect(await api("POST", `${PATH}/${pushing.id}/lease`, { key: client.test })).toMatchObject(
      refusal(409, "webhook_endpoint_pushes"),
    );
    const both = { delivery: "poll", url };
    expect(await api("POST", PATH, { key: client.test, body: both })).toMatchObject(
      refusal(422, "validation_failed", "url"),
    );
    expect(await api("POST", PATH, { key: client.test, body: {} })).toMatchObject(
      refusal(422, "validation_failed", "url"),
    );
    const { id } = await endpoint();
    expect(await api("PATCH", `${PATH}/${id}`, { key: client.test, body: { url } })).toMatchObject(
      refusal(422, "validation_failed", "url"),
    );
  });

  it("leaves the maintenance worker asleep while deliveries wait, until the first of them would fail", async () => {
    const { id } = await endpoint();
    const before = Date.now();
    await ping(id);
    const services = composeMaintenance(bindings as Env);
    const due = (await bindings.DB.prepare("SELECT next_attempt_at AS at FROM deliveries WHERE endpoint_id = ?")
      .bind(id)
      .first<number>("at"))!;
    expect(due - before).toBeGreaterThanOrEqual(RETRY_WINDOW_MS);
    expect(due - before).toBeLessThan(RETRY_WINDOW_MS + 10_000);
    expect(await services.store.deliveries.endpointsDue(Date.now(), 1000)).not.toContain(id);
    expect(await nextExpiry(services)).toBeLessThanOrEqual(due);
    expect(await services.store.maintenance.remainingWork()).not.toContain("deliveries");
  });

  it("is disabled when nobody acknowledges a delivery in time, as after the last retry of a webhook", async () => {
    const { id } = await endpoint();
    await ping(id);
    await lease(id);
    await passTheirTime(id);
    await wakeSender(id);
    const gone = await until("the endpoint is disabled", async () => {
      const { body } = await api("GET", `${PATH}/${id}`, { key: client.test });
      return body.status === "disabled" && body;
    });
    expect(gone.disabled_because).toBe("retries_failed");
    const [delivery] = await all(client.test, `${PATH}/${id}/deliveries`);
    expect(delivery).toMatchObject({
      status: "failed",
      attempts: [{ error: "It was leased, and not acknowledged in time." }],
    });
    expect(await api("POST", `${PATH}/${id}/lease`, { key: client.test })).toMatchObject(
      refusal(409, "webhook_endpoint_disabled"),
    );
    // Enabled again, it gives what is redelivered.
    await api("PATCH", `${PATH}/${id}`, { key: client.test, body: { status: "enabled" } });
    await api("POST", `/v1/deliveries/${delivery.id}/redeliver`, { key: client.test });
    expect((await lease(id)).map((one) => one.id)).toEqual([delivery.id]);
  });

  it("stays enabled while another delivery is acknowledged", async () => {
    const { id } = await endpoint();
    await ping(id);
    await passTheirTime(id);
    await ping(id);
    const [other] = (await lease(id, { limit: 1 })) as any[];
    await acknowledge(id, [other]);
    await passTheirTime(id);
    await wakeSender(id);
    await until("the other one has failed", async () => {
      const statuses = (await all(client.test, `${PATH}/${id}/deliveries`)).map(({ status }) => status);
      return statuses.includes("failed") && statuses.includes("delivered");
    });
    expect((await api("GET", `${PATH}/${id}`, { key: client.test })).body.status).toBe("enabled");
  });

  it("is removed with its deliveries", async () => {
    const { id } = await endpoint();
    await ping(id);
    const [leased] = await lease(id);
    expect((await api("DELETE", `${PATH}/${id}`, { key: client.test })).status).toBe(204);
    expect(await api("POST", `${PATH}/${id}/lease`, { key: client.test })).toMatchObject(refusal(404, "not_found"));
    expect(await api("GET", `/v1/deliveries/${leased.id}`, { key: client.test })).toMatchObject(
      refusal(404, "not_found"),
    );
  });
});
