/** Endpoints of a tenant, seen from the receiver: signed by either secret, notified of every run, disabled when they fail for good. */
import { beforeEach, expect, it } from "vitest";
import { newId } from "#core/ids";
import { received, verified } from "../../../support/hooks";
import type { HookAnswer } from "../../../support/model";
import {
  all,
  bindings,
  call,
  type Client,
  eventsOf,
  hooksOf,
  hookUrl,
  makeTenant,
  planHook,
  runWithStatus,
  start,
  until,
} from "../../../support/parley";

let client: Client;
beforeEach(async () => {
  client = await makeTenant();
});

const SHORT = { options: { qa_rounds: 0 } };

async function endpoint(body: object = {}, answers?: HookAnswer[]) {
  const name = newId("whe").toLowerCase();
  if (answers) await planHook(name, answers);
  const reply = await call("POST", "/v1/webhook-endpoints", {
    key: client.test,
    body: { url: hookUrl(name), ...body },
  });
  expect(reply.status).toBe(201);
  return { id: reply.body.id as string, secret: reply.body.secret as string, name };
}
const at = async (method: string, id: string, verb = "", body?: object) =>
  (await call(method, `/v1/webhook-endpoints/${id}${verb}`, { key: client.test, body })).body;
const log = (id: string) => all(client.test, `/v1/webhook-endpoints/${id}/deliveries`);
const disabled = (id: string) =>
  until("the endpoint is disabled", async () => {
    const shown = await at("GET", id);
    return shown.status === "disabled" && shown;
  });
/** Moves the clock: changes the delivery's due time and the number of its attempts. */
const lastRetryIsDue = (endpointId: string) =>
  bindings.DB.prepare(
    "UPDATE deliveries SET round_attempts = 9, attempts = 9, next_attempt_at = ? WHERE endpoint_id = ? AND status = 'pending'",
  )
    .bind(Date.now(), endpointId)
    .run();

it("is notified of every run of its tenant, each event once, and of no other tenant's", async () => {
  const { name, secret } = await endpoint({ events: ["run.created", "run.completed"] });
  const stranger = await makeTenant();
  await runWithStatus(stranger.test, await start(stranger.test, SHORT), "completed");
  const runs = [await start(client.test, SHORT), await start(client.test, SHORT)];
  for (const id of runs) await runWithStatus(client.test, id, "completed");
  const hooks = await received(name, 4);
  const events = (await Promise.all(runs.map((id) => eventsOf(client.test, id))))
    .flat()
    .filter(({ type }) => ["run.created", "run.completed"].includes(type));
  expect(hooks.map((hook) => hook.headers["webhook-id"]).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  for (const hook of hooks) expect(runs).toContain(verified(secret, hook).data.run.id);
});

it("gets an event that two endpoints subscribe to, both under one id", async () => {
  const [one, other] = [await endpoint({ events: ["run.completed"] }), await endpoint({ events: ["run.completed"] })];
  await runWithStatus(client.test, await start(client.test, SHORT), "completed");
  const [[first], [second]] = [await received(one.name, 1), await received(other.name, 1)];
  expect(first!.headers["webhook-id"]).toBe(second!.headers["webhook-id"]);
  verified(one.secret, first!);
  verified(other.secret, second!);
  expect(() => verified(one.secret, second!)).toThrow("No matching signature");
});

it("can be verified with either secret during a rotation, and only with the new one afterwards", async () => {
  const { id, secret, name } = await endpoint();
  const { secret: next } = await at("POST", id, "/rotate-secret", { overlap: "1h" });
  await at("POST", id, "/ping");
  const [during] = await received(name, 1);
  expect(during!.headers["webhook-signature"]!.split(" ")).toHaveLength(2);
  for (const one of [secret, next]) expect(verified(one, during!).type).toBe("webhook.ping");

  await bindings.DB.prepare("UPDATE webhook_endpoints SET previous_secret_until = ? WHERE id = ?")
    .bind(Date.now() - 1, id)
    .run();
  await at("POST", id, "/ping");
  const [, after] = await received(name, 2);
  expect(verified(next, after!).type).toBe("webhook.ping");
  expect(() => verified(secret, after!)).toThrow("No matching signature");
});

it("that answers 410 is disabled, pending deliveries fail, and the other endpoints are notified", async () => {
  const other = await endpoint();
  const unasked = await endpoint({ events: ["run.failed"] });
  const gone = await endpoint({ events: ["run.created", "run.completed"] }, [500, 410]);
  const run = await start(client.test, SHORT);
  await runWithStatus(client.test, run, "completed");
  const shown = await disabled(gone.id);
  expect(shown.disabled_because).toBe("receiver_gone");
  expect((await log(gone.id)).map(({ status, next_attempt_at }) => [status, next_attempt_at])).toEqual([
    ["failed", null],
    ["failed", null],
  ]);
  const events = (await received(other.name, 2)).map((hook) => verified(other.secret, hook));
  expect(events.find(({ type }) => type === "webhook_endpoint.disabled").data).toEqual({
    event: { id: expect.stringMatching(/^evt_/) },
    endpoint: { id: gone.id, run_id: null, disabled_because: "receiver_gone" },
  });
  expect(await log(unasked.id)).toEqual([]);

  // Nothing more is sent to it until it is enabled again.
  const seen = (await hooksOf(gone.name)).length;
  await runWithStatus(client.test, await start(client.test, SHORT), "completed");
  expect(await log(gone.id)).toHaveLength(2);
  expect(await hooksOf(gone.name)).toHaveLength(seen);
  await planHook(gone.name, [200]);
  await at("PATCH", gone.id, "", { status: "enabled" });
  const [lost] = await log(gone.id);
  await call("POST", `/v1/deliveries/${lost.id}/redeliver`, { key: client.test });
  await received(gone.name, seen + 1);
});

it("is disabled when the last retry fails", async () => {
  const { id } = await endpoint({}, [500]);
  await at("POST", id, "/ping");
  await until("the first attempt", async () => (await log(id))[0]?.attempts.length === 1);
  await lastRetryIsDue(id);
  expect((await disabled(id)).disabled_because).toBe("retries_failed");
  const [delivery] = await log(id);
  expect(delivery).toMatchObject({ status: "failed", next_attempt_at: null });
  expect(delivery.attempts.at(-1)).toMatchObject({ attempt: 10, response: { status: 500 }, error: "Answered 500." });
});

it("stays enabled when the last retry of one delivery fails but another succeeded meanwhile", async () => {
  const { id, name } = await endpoint({}, [500]);
  await at("POST", id, "/ping");
  await until("the first attempt", async () => (await log(id))[0]?.attempts.length === 1);
  await planHook(name, [200, 500]);
  await at("POST", id, "/ping");
  await until("another got through", async () => (await log(id)).some(({ status }) => status === "delivered"));
  await lastRetryIsDue(id);
  await until("the last retry failed", async () => (await log(id)).some(({ status }) => status === "failed"));
  expect((await at("GET", id)).status).toBe("enabled");
});

it("gets all retries again when a delivery is redelivered", async () => {
  const { id, name } = await endpoint({}, [500]);
  const { id: delivery } = await at("POST", id, "/ping");
  await until("the first attempt", async () => (await log(id))[0]?.attempts.length === 1);
  await lastRetryIsDue(id);
  await disabled(id);
  await at("PATCH", id, "", { status: "enabled" });
  const before = (await hooksOf(name)).length;
  await call("POST", `/v1/deliveries/${delivery}/redeliver`, { key: client.test });
  await received(name, before + 2, 15_000); // at once, and five seconds later
  const [shown] = await log(id);
  expect(shown.attempts.map(({ attempt }: any) => attempt)).toEqual([1, 10, 11, 12]);
  expect(shown.status).toBe("pending");
});

it("gets pending deliveries at its new URL", async () => {
  const { id } = await endpoint({}, [500]);
  const moved = newId("whe").toLowerCase();
  await at("POST", id, "/ping");
  await until("the first attempt", async () => (await log(id))[0]?.attempts.length === 1);
  await at("PATCH", id, "", { url: hookUrl(moved) });
  await received(moved, 1, 15_000);
  const delivery = await until("it is delivered", async () => {
    const [shown] = await log(id);
    return shown.status === "delivered" && shown;
  });
  expect(delivery.attempts.map(({ request }: any) => request.url)).toEqual([expect.any(String), hookUrl(moved)]);
});

it("is not disabled for what its former URL answers after it got a new one", async () => {
  const { id, name } = await endpoint({}, [{ status: 410, delay_ms: 1500 }]);
  const moved = newId("whe").toLowerCase();
  await at("POST", id, "/ping");
  await received(name, 1);
  await at("PATCH", id, "", { url: hookUrl(moved) });
  await received(moved, 1, 10_000);
  const delivery = await until("it is delivered", async () => {
    const [shown] = await log(id);
    return shown.status === "delivered" && shown;
  });
  expect(delivery.attempts.map(({ response }: any) => response.status)).toEqual([410, 200]);
  expect((await at("GET", id)).status).toBe("enabled");
});

it("that is slow or dead does not slow a run", async () => {
  const every = { events: ["run.created", "run.stage_started", "run.stage_completed", "run.artifact_created"] };
  const slow = await endpoint(every, [{ status: 200, delay_ms: 5000 }]);
  const dead = await endpoint({ url: "http://127.0.0.1:9/hook", ...every });
  const id = await start(client.test, SHORT);
  await runWithStatus(client.test, id, "completed");
  // The run ended before its first webhook was answered.
  for (const { id: of } of [slow, dead]) {
    const deliveries = await log(of);
    expect(deliveries.length).toBeGreaterThan(5);
    expect(deliveries.every(({ status }) => status === "pending")).toBe(true);
  }
  await at("DELETE", slow.id);
  await at("DELETE", dead.id);
});
