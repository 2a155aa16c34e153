/** DELETE when the platform fails: the rest stays for another DELETE, or for the maintenance worker. */
import { createExecutionContext } from "cloudflare:test";
import { expect, it } from "vitest";
import { composeServices } from "#cloudflare/compose";
import { createApp } from "#api/http/app";
import { Store } from "#store/store";
import { bindings, hookUrl, planHook, until } from "../../support/parley";
import { setUpRuns } from "../../support/runs";

const { client, runToEnd, send } = setUpRuns();

/** DELETE of a run by a Worker with these bindings instead of its own. */
const deleteWith = async (broken: Partial<Env>, id: string) => {
  const env = { ...bindings, ...broken } as Env;
  const request = new Request(`http://parley.test/v1/runs/${id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${client.test}` },
  });
  return createApp<Env>(composeServices).fetch(request, env, createExecutionContext());
};
const lost = () => Promise.reject(new Error("Network connection lost."));
const ended = (body: object = {}) => runToEnd({ options: { strategy: "single_model" }, ...body });

it("is a 503 that keeps the run while its instance stays, and can be repeated", async () => {
  const { id } = await ended();
  const asked: string[] = [];
  const get = async (instance: string) => (asked.push(instance), { delete: lost });
  expect((await deleteWith({ RUNS: { get } as unknown as Env["RUNS"] }, id)).status).toBe(503);
  expect(asked).toEqual([`${id}-e1`]);
  expect((await send("GET", `/v1/runs/${id}`)).body.status).toBe("completed");
  expect((await send("DELETE", `/v1/runs/${id}`)).status).toBe(204);
  expect((await send("GET", `/v1/runs/${id}`)).status).toBe(404);
});

it("succeeds when an instance was already deleted", async () => {
  const { id } = await ended();
  await ((await bindings.RUNS.get(`${id}-e1`)) as unknown as { delete(): Promise<void> }).delete();
  expect((await send("DELETE", `/v1/runs/${id}`)).status).toBe(204);
});

it("leaves objects that it could not remove to the maintenance worker, which it armed", async () => {
  const stakeholders = Array.from({ length: 8 }, (_, n) => ({ name: `S${n}`, profile: "€".repeat(2000) }));
  const { id } = await ended({ input: { idea: "x", background: "ä".repeat(20_000), stakeholders } });
  const key = `${client.tenant}/${id}/input`;
  expect(await bindings.BUCKET.head(key)).not.toBeNull();
  let armed = 0;
  const arm = async () => void armed++;
  const reply = await deleteWith(
    {
      BUCKET: { list: lost } as unknown as Env["BUCKET"],
      MAINTENANCE: { idFromName: () => "maintenance", get: () => ({ arm }) } as unknown as Env["MAINTENANCE"],
    },
    id,
  );
  expect(reply.status).toBe(204);
  expect(armed).toBe(1);
  await until("the object is gone", async () => (await bindings.BUCKET.head(key)) === null);
});

const count = async (sql: string, ...values: unknown[]) =>
  (await bindings.DB.prepare(`SELECT COUNT(*) AS n FROM ${sql}`)
    .bind(...values)
    .first<number>("n"))!;
/** Rows about an endpoint, and attempts to call it under this name. */
const rowsAbout = async (endpoint: string, name: string) => ({
  deliveries: await count("deliveries WHERE endpoint_id = ?", endpoint),
  attempts: await count("delivery_attempts WHERE url = ?", hookUrl(name)),
  messages: await count("webhook_messages WHERE endpoint_id = ?", endpoint),
});
const NONE = { deliveries: 0, attempts: 0, messages: 0 };
/** A run with an endpoint of its own, which did not take a ping. */
async function pinged(name: string) {
  await planHook(name, [500, 500, 500]);
  const { id } = await ended({ webhook: { url: hookUrl(name), events: ["run.failed"] } });
  const [endpoint] = (await send("GET", `/v1/webhook-endpoints?run_id=${id}`)).body.data;
  expect((await send("POST", `/v1/webhook-endpoints/${endpoint.id}/ping`)).status).toBe(202);
  await until("the ping is refused", async () => (await rowsAbout(endpoint.id, name)).attempts > 0);
  return { id, endpoint: endpoint.id as string };
}
const storedBytes = async () => (await send("GET", "/v1/metrics")).body.quotas.stored_bytes.used as number;

it("deletes pings to the run's own webhook, so that nothing keeps the maintenance worker awake, and gives their bytes back", async () => {
  const before = await storedBytes();
  const { id, endpoint } = await pinged("deleted");
  expect((await send("DELETE", `/v1/runs/${id}`)).status).toBe(204);
  expect(await rowsAbout(endpoint, "deleted")).toEqual(NONE);
  expect(await storedBytes()).toBe(before);
});

it("a pending delivery to an endpoint that is gone is deleted when it is due", async () => {
  const { endpoint } = await pinged("stray");
  await bindings.DB.batch([
    bindings.DB.prepare("DELETE FROM webhook_endpoints WHERE id = ?").bind(endpoint),
    bindings.DB.prepare("UPDATE deliveries SET next_attempt_at = 0 WHERE endpoint_id = ?").bind(endpoint),
  ]);
  expect(await new Store(bindings.DB, bindings.BUCKET).deliveries.endpointsDue(Date.now(), 1000)).toContain(endpoint);
  await bindings.WEBHOOKS.get(bindings.WEBHOOKS.idFromName(endpoint)).deliver();
  await until("it is deleted", async () => (await rowsAbout(endpoint, "stray")).deliveries === 0);
  expect(await rowsAbout(endpoint, "stray")).toEqual(NONE);
});
