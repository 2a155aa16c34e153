/** Runs that are too old, and deleted tenants: all their data is removed, in every store. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { rowOf } from "../../../support/runs";
import { newId } from "#core/ids";
import { STREAM_LIMITS } from "#services/runs/stream-leases";
import type { MaintenanceWorker } from "#cloudflare/maintenance-worker";
import { makePlatform } from "#cloudflare/platform";
import { Store } from "#store/store";
import {
  addKey,
  all,
  bindings,
  call,
  type Client,
  hookUrl,
  makeTenant,
  openInteraction,
  runWithStatus,
  start,
  until,
} from "../../../support/parley";
import { ownedTables, type Owners, tablesWithRowsOf } from "../../../support/rows";
import { newAgent } from "../../../contract/agent";
import { datasetsOf, item } from "../../../contract/dataset";

const DAY = 24 * 60 * 60_000;
const store = new Store(bindings.DB, bindings.BUCKET);

/** An input that is stored in R2. */
const large = {
  idea: "x",
  background: "ä".repeat(20_000),
  stakeholders: Array.from({ length: 8 }, (_, n) => ({ name: `S${n}`, profile: "€".repeat(2000) })),
};

async function completed(client: Client): Promise<string> {
  const id = await start(client.test, {
    options: { strategy: "single_model" },
    metadata: { project: "removed" },
    input: large,
    webhook: { url: hookUrl("removed"), events: ["run.completed"] },
  });
  await runWithStatus(client.test, id, "completed");
  await until("the delivery", () =>
    bindings.DB.prepare("SELECT 1 FROM deliveries WHERE run_id = ? AND status = 'delivered'").bind(id).first(),
  );
  return id;
}
const waiting = async (client: Client) => {
  const id = await start(client.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
  return { id, interaction: await openInteraction(client.test, id) };
};
const age = (id: string, days: number) =>
  bindings.DB.prepare("UPDATE runs SET created_at = ?2, finished_at = iif(finished_at IS NULL, NULL, ?2) WHERE id = ?1")
    .bind(id, Date.now() - days * DAY)
    .run();
/** Ends the live runs of other tests: while one lives, the maintenance worker does not sleep. */
const endAll = () =>
  bindings.DB.batch([
    bindings.DB.prepare("UPDATE runs SET phase = 'canceled', finished_at = ? WHERE finished_at IS NULL").bind(
      Date.now(),
    ),
    bindings.DB.prepare("UPDATE deliveries SET status = 'failed', next_attempt_at = NULL WHERE status = 'pending'"),
  ]);
const exists = async (client: Client, id: string) =>
  (await call("GET", `/v1/runs/${id}`, { key: client.test })).status === 200;
const instanceOf = (id: string) => bindings.RUNS.get(`${id}-e1`).then((instance) => instance.status());
const objectsOf = async (prefix: string) => (await bindings.BUCKET.list({ prefix })).objects.length;

describe("AUDIT_RETENTION_DAYS", () => {
  it("deletes entries of the audit log that are older, and no others", async () => {
    const client = await makeTenant();
    const made = async (name: string) =>
      (await call("POST", "/v1/corpora", { key: client.test, body: { name } })).body.id as string;
    const [old, young] = [await made("old"), await made("young")];
    const aged = (id: string, days: number) =>
      bindings.DB.prepare("UPDATE audit_log SET created_at = ?2 WHERE object_id = ?1")
        .bind(id, Date.now() - days * DAY)
        .run();
    await aged(young, 300);
    await aged(old, 366);
    await bindings.MAINTENANCE.get(bindings.MAINTENANCE.idFromName("maintenance")).arm();
    const entries = async () => (await all(client.test, "/v1/audit")).map(({ object_id }) => object_id as string);
    await until("the old entry is gone", async () => !(await entries()).includes(old));
    expect(await entries()).toEqual([young]);
  });
});

describe("RETENTION_DAYS", () => {
  it("deletes a run that ended longer ago, with everything that it stored", async () => {
    const client = await makeTenant();
    const id = await completed(client);
    expect(await objectsOf(`${client.tenant}/${id}/`)).toBeGreaterThan(0);
    expect(await tablesWithRowsOf({ run_id: [id] })).toEqual(
      expect.arrayContaining(["artifacts", "deliveries", "events", "stages", "webhook_endpoints"]),
    );
    await age(id, 31);
    await until("the run is gone", async () => !(await exists(client, id)));
    await until("its objects are gone", async () => (await objectsOf(`${client.tenant}/${id}/`)) === 0);
    expect(await tablesWithRowsOf({ run_id: [id] })).toEqual([]);
    await expect(instanceOf(id)).rejects.toThrow(/not.?found/i);
  });

  it("keeps runs that ended later, and runs that have not ended, however old", async () => {
    const client = await makeTenant();
    const [young, old] = [await completed(client), await completed(client)];
    const open = await waiting(client);
    await age(young, 29);
    await age(open.id, 400);
    await age(old, 31);
    await until("the old run is gone", async () => !(await exists(client, old)));
    expect(await exists(client, young)).toBe(true);
    expect(await exists(client, open.id)).toBe(true);
    await call("POST", `/v1/runs/${open.id}/cancel`, { key: client.test });
  });

  it("keeps an old run while deliveries of its events are under way, and removes it afterwards", async () => {
    const client = await makeTenant();
    await call("POST", "/v1/webhook-endpoints", { key: client.test, body: { url: hookUrl("underway") } });
    const [pending, old] = [await completed(client), await completed(client)];
    const settle = (run: string, status: string, next: number | null) =>
      bindings.DB.prepare("UPDATE deliveries SET status = ?2, next_attempt_at = ?3 WHERE run_id = ?1")
        .bind(run, status, next)
        .run();
    await settle(pending, "pending", Date.now() + DAY);
    await settle(old, "delivered", null);
    await age(pending, 31);
    await age(old, 31);
    await until("the other old run is gone", async () => !(await exists(client, old)));
    expect(await exists(client, pending)).toBe(true);
    await settle(pending, "failed", null);
    await until("it is gone too", async () => !(await exists(client, pending)));
  });

  it("removes webhook deliveries that ended longer ago, with their attempts, including pings and those of runs that stay", async () => {
    const client = await makeTenant();
    const post = async (path: string, body: object = {}) => (await call("POST", path, { key: client.test, body })).body;
    const { id: endpoint } = await post("/v1/webhook-endpoints", {
      url: hookUrl("aged"),
      events: ["run.input_required"],
    });
    const ping = async () => (await post(`/v1/webhook-endpoints/${endpoint}/ping`)).id as string;
    const [old, young, again] = [await ping(), await ping(), await ping()];
    const open = await waiting(client);
    const log = async () =>
      (await call("GET", `/v1/webhook-endpoints/${endpoint}/deliveries`, { key: client.test })).body.data;
    await until("all are delivered", async () => {
      const found = await log();
      return found.length === 4 && found.every(({ status }: { status: string }) => status === "delivered");
    });
    const settled = (id: string, days: number) =>
      bindings.DB.prepare("UPDATE deliveries SET settled_at = ?2 WHERE id = ?1")
        .bind(id, Date.now() - days * DAY)
        .run();
    const ofRun = (await log()).find(({ run_id }: { run_id: string | null }) => run_id === open.id).id;
    await bindings.DB.prepare("UPDATE webhook_messages SET created_at = 0 WHERE tenant_id = ?")
      .bind(client.tenant)
      .run();
    // A redelivered delivery is pending, and pending ones are never too old.
    await bindings.DB.prepare(
      "UPDATE deliveries SET status = 'pending', settled_at = NULL, next_attempt_at = ?2, created_at = 0 WHERE id = ?1",
    )
      .bind(again, Date.now() + DAY)
      .run();
    await settled(young, 29);
    for (const id of [old, ofRun]) await settled(id, 31);
    await until("the old ones are gone", async () => (await log()).length === 2);
    expect((await log()).map(({ id }: { id: string }) => id).sort()).toEqual([young, again].sort());
    const rows = (sql: string, ...values: string[]) =>
      bindings.DB.prepare(sql)
        .bind(...values)
        .all();
    for (const id of [old, ofRun])
      expect((await rows("SELECT 1 FROM delivery_attempts WHERE delivery_id = ?", id)).results).toEqual([]);
    expect((await rows("SELECT 1 FROM delivery_attempts WHERE delivery_id = ?", young)).results).toHaveLength(1);
    expect((await rows("SELECT 1 FROM webhook_messages WHERE tenant_id = ?", client.tenant)).results).toHaveLength(2);
    expect(await exists(client, open.id)).toBe(true);
    await call("DELETE", `/v1/webhook-endpoints/${endpoint}`, { key: client.test });
    await call("POST", `/v1/runs/${open.id}/cancel`, { key: client.test });
  });

  it("removes messages to endpoints that have no delivery", async () => {
    const client = await makeTenant();
    await bindings.DB.prepare(
      "INSERT INTO webhook_messages (tenant_id, mode, type, data, created_at) VALUES (?1, 'live', 'webhook_endpoint.disabled', '{}', ?2)",
    )
      .bind(client.tenant, Date.now() - 20 * DAY)
      .run();
    await bindings.DB.prepare("UPDATE webhook_messages SET created_at = created_at - ?2 WHERE tenant_id = ?1")
      .bind(client.tenant, 11 * DAY)
      .run();
    await bindings.MAINTENANCE.get(bindings.MAINTENANCE.idFromName("maintenance")).arm();
    await until("it is gone", async () =>
      (await tablesWithRowsOf({ tenant_id: [client.tenant] })).every((table) =>
        ["keys", "quota_usage"].includes(table),
      ),
    );
  });

  it("wakes a sleeping maintenance worker when the first run or delivery becomes too old", async () => {
    const client = await makeTenant();
    const id = await completed(client);
    await endAll();
    await until("nothing else is left to do", async () => {
      await bindings.DB.prepare("DELETE FROM run_ends").run();
      const left = await store.maintenance.remainingWork();
      return !left.some((kind) => ["runs", "removed_tenants", "deliveries"].includes(kind));
    });
    // What tests before this one have left would expire first.
    for (const table of ["orphans", "webhook_messages", "audit_log", "idempotency_keys"])
      await bindings.DB.prepare(`DELETE FROM ${table}`).run();
    const { id: message } = (await bindings.DB.prepare("SELECT id FROM deliveries ORDER BY settled_at DESC").first<{
      id: string;
    }>())!;
    await bindings.DB.prepare("DELETE FROM deliveries WHERE id <> ?").bind(message).run(); // later than the run
    const first = (await store.maintenance.firstEnd())!;
    expect(first).toBeLessThanOrEqual((await rowOf(id)).finished_at!);
    const maintenance = bindings.MAINTENANCE.get(bindings.MAINTENANCE.idFromName("maintenance"));
    const alarm = () =>
      runInDurableObject(maintenance, async (instance: MaintenanceWorker, state) => {
        (instance as unknown as { armedAt: number }).armedAt = 0; // more than a minute ago
        await instance.alarm();
        return state.storage.getAlarm();
      });
    // The run is 29 days old, so it expires in a day; the models of the providers are looked at within a day too.
    const daily = (await alarm())!;
    expect(daily).toBeGreaterThan(Date.now() + DAY / 2);
    expect(daily).toBeLessThanOrEqual(Math.min(first + 30 * DAY, Date.now() + DAY));
    await bindings.DB.prepare("UPDATE deliveries SET settled_at = ?")
      .bind(first - DAY / 2)
      .run();
    expect(await alarm()).toBe(first + 29.5 * DAY);
    await maintenance.arm(); // by any run that starts
    const next = await runInDurableObject(maintenance, (_, state) => state.storage.getAlarm());
    expect(next).toBeLessThan(Date.now() + 1000);
  });
});

describe("a deleted tenant", () => {
  /** A tenant with a row in every table of tenants. */
  async function everything() {
    const client = await makeTenant();
    const post = async (path: string, body: object, headers = {}) =>
      (await call("POST", path, { key: client.test, body, headers })).body;
    await post("/v1/agents", newAgent(), { "idempotency-key": "one" });
    await call("PUT", "/v1/providers/openai/key", { key: client.test, body: { api_key: "sk-0123456789" } });
    const endpoint = await post("/v1/webhook-endpoints", { url: hookUrl("removed") });
    await post(`/v1/webhook-endpoints/${endpoint.id}/ping`, {});
    const corpus = await post("/v1/corpora", { name: "Statutes" });
    await post(`/v1/corpora/${corpus.id}/documents`, { source: "A law", text: "Ladders are lent for a week." });
    const lines = `${JSON.stringify({ source: "A law", text: "Saws are lent for a day." })}\n`;
    const headers = { "content-type": "application/x-ndjson" };
    await call("POST", `/v1/corpora/${corpus.id}/documents`, { key: client.test, body: lines, headers });
    const rubric = Array.from({ length: 25 }, () => ({ text: "x".repeat(4000), points: 1 })); // is in R2
    const dataset_id = await datasetsOf(client.test).closed([item("large", { gold: { number: 10, rubric } })]);
    const variants = [{ name: "one", workflow: "waterfall", options: { clarification: "skip" } }];
    const reader = await start(client.test, { workflow: "experiment", input: { dataset_id, variants } });
    const template = await post("/v1/templates", {
      name: "T",
      request: { workflow: "requirements", input: { idea: "x" } },
    });
    const yearly = { name: "S", template_id: template.id, cron: "0 0 1 1 *", status: "paused" };
    const schedule = await post("/v1/schedules", yearly);
    await bindings.DB.prepare(
      "INSERT INTO occurrences (schedule_id, due_at, tenant_id, outcome, settled_at) VALUES (?, 1, ?, 'skipped', 1)",
    )
      .bind(schedule.id, client.tenant)
      .run();
    await bindings.DB.prepare("INSERT INTO used VALUES (?, 'live', 'plain', 'r', 'm', 1, 1, 1, 0, 1, 0, 2.0)")
      .bind(client.tenant)
      .run();
    await store.retirements.warn([
      { tenant_id: client.tenant, model: "a/b", shutdown_date: "2031-12-11", days: 7, data: {} },
    ]);
    await call("PUT", "/v1/budget", { key: client.live, body: { amount_usd: 1, at_limit: "alarm" } });
    const ended = await completed(client);
    const { id: open, interaction } = await waiting(client);
    const busy = await start(client.test, { test: { latency_ms: 400 } });
    const lease = { id: crypto.randomUUID(), tenant_id: client.tenant, key_id: newId("key"), run_id: ended };
    await store.streams.open(lease, Date.now() + DAY, STREAM_LIMITS.per_key); // a stream that a crash cut off
    await until("the corpus is ready", async () => {
      const { body } = await call("GET", `/v1/corpora/${corpus.id}`, { key: client.test });
      return body.status === "ready" && body.counts.documents === 2;
    });
    await bindings.DB.prepare("INSERT INTO quota_limits (tenant_id, quota, most) VALUES (?, 'corpora', 5)")
      .bind(client.tenant)
      .run();
    const pools = await bindings.DB.prepare("SELECT number FROM pools WHERE tenant_id = ?")
      .bind(client.tenant)
      .all<{ number: number }>();
    const runs = [ended, open, busy, reader];
    await bindings.DB.prepare("INSERT INTO run_trees (run_id, tenant_id, slots) VALUES (?1, ?2, 1)")
      .bind(ended, client.tenant)
      .run();
    const owners: Owners = {
      tenant_id: [client.tenant],
      scope: [`${client.tenant}/test`, `${client.tenant}/live`],
      run_id: runs,
      pool: pools.results.map(({ number }) => number),
    };
    return { client, runs, interaction, owners };
  }
  const gone = (tenant: string) => until("the tenant is gone", async () => (await store.tenants.get(tenant)) === null);

  it("leaves nothing: no row of any table, no object, no Workflow instance", async () => {
    const { client, runs, interaction, owners } = await everything();
    const key = await addKey(client.tenant, "live", ["admin"]);
    // `run_ends` has unreported ends, and `removed_parents` notes for the maintenance worker, for a moment. When a table is missing here, add it to the removal.
    const tables = new Set((await ownedTables()).map(({ table }) => table));
    tables.delete("run_ends");
    tables.delete("removed_parents");
    expect(tables).toContain("artifacts");
    expect(tables).toContain("keys");
    expect(await tablesWithRowsOf(owners)).toEqual(expect.arrayContaining([...tables]));
    expect(await objectsOf(`${client.tenant}/`)).toBeGreaterThan(0);

    expect((await call("DELETE", `/v1/tenant?confirm=${client.tenant}`, { key })).status).toBe(202);
    await gone(client.tenant);
    await until("its objects are gone", async () => (await objectsOf(`${client.tenant}/`)) === 0);
    expect(await tablesWithRowsOf(owners)).toEqual([]);
    for (const run of runs) await expect(instanceOf(run)).rejects.toThrow(/not.?found/i);
    expect((await call("GET", "/v1/runs", { key: client.test })).status).toBe(401);
    expect((await call("GET", new URL(interaction.callback_url).pathname)).status).toBe(404);
  });

  it("is removed after a crash that left the mark, and one run's row without its instance", async () => {
    const { client, runs, owners } = await everything();
    await bindings.MAINTENANCE.get(bindings.MAINTENANCE.idFromName("maintenance")).arm(); // before the tenant is marked
    await store.tenants.markRemoved(client.tenant);
    await makePlatform(bindings).deleteInstances({ id: runs[0]!, epoch: 1 });
    await gone(client.tenant);
    expect(await tablesWithRowsOf(owners)).toEqual([]);
  });

  it("leaves all data of other tenants", async () => {
    const stays = await everything();
    const before = await tablesWithRowsOf(stays.owners);
    const leaves = await everything();
    await call("DELETE", `/v1/tenant?confirm=${leaves.client.tenant}`, { key: leaves.client.live });
    await gone(leaves.client.tenant);
    const kept = before.filter((table) => table !== "run_ends");
    expect(await tablesWithRowsOf(stays.owners)).toEqual(expect.arrayContaining(kept));
    expect(await exists(stays.client, stays.runs[0]!)).toBe(true);
    await store.tenants.markRemoved(stays.client.tenant);
    await gone(stays.client.tenant);
  });
});
