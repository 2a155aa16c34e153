/** Each quota of a tenant refuses what exceeds it, says how to get room, counts exactly, and gives room back. */
import { beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_QUOTAS, type Quota } from "#core/quotas";
import {
  bindings,
  call,
  type Client,
  hookUrl,
  makeTenant as anyTenant,
  runWithStatus,
  start,
  all,
  until,
} from "../support/parley";
import { waterfallAlone } from "../support/waterfall";
import { newAgent } from "./agent";
import { api, refusal, startBody } from "./api";
import { line, MIB } from "./corpus";
import { datasetsOf, item, linesOf } from "./dataset";
import { askEverything, callbackPath, waitingRun } from "./questions";

const LINES = { "content-type": "application/x-ndjson" };

const tenants: string[] = [];
async function makeTenant(): Promise<Client> {
  const made = await anyTenant();
  tenants.push(made.tenant);
  return made;
}

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

/** A tenant for which the operator set a quota. */
async function limited(quota: Quota, most: number): Promise<Client> {
  const tenant = await makeTenant();
  await setQuota(tenant, quota, most);
  return tenant;
}
const setQuota = ({ tenant }: Client, quota: Quota, most: number) =>
  bindings.DB.prepare("INSERT OR REPLACE INTO quota_limits (tenant_id, quota, most) VALUES (?, ?, ?)")
    .bind(tenant, quota, most)
    .run();
const usageOf = async ({ live }: Client): Promise<Record<Quota, { used: number; limit: number }>> =>
  (await api("GET", "/v1/metrics", { key: live })).body.quotas;
const post = (key: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  api("POST", path, { key, body, headers });
const exceeded = (name: Quota, used: number, limit: number) => ({
  status: 429,
  body: { code: "quota_exceeded", quota: { name, used, limit }, detail: expect.stringContaining(`${name}=<number>`) },
});
/** Counts of this file's tenants that differ from the rows. */
const drifted = async () =>
  (
    await bindings.DB.prepare(
      `SELECT c.tenant_id, c.quota, c.used AS counted, COALESCE(u.used, 0) AS used
       FROM counted_usage c JOIN tenants t ON t.id = c.tenant_id LEFT JOIN quota_usage u ON u.tenant_id = c.tenant_id AND u.quota = c.quota
       WHERE t.id IN (SELECT value FROM json_each(?)) AND c.used <> COALESCE(u.used, 0)`,
    )
      .bind(JSON.stringify(tenants))
      .all()
  ).results;

describe("a quota refuses one more, and takes it again once there is room", () => {
  it("corpora, in both modes together", async () => {
    const tenant = await limited("corpora", 2);
    const create = (key: string) => post(key, "/v1/corpora", { name: "A" });
    const first = await create(tenant.test);
    expect((await create(tenant.live)).status).toBe(201);
    expect(await create(tenant.test)).toMatchObject(exceeded("corpora", 2, 2));
    await api("DELETE", `/v1/corpora/${first.body.id}`, { key: tenant.test });
    expect((await create(tenant.live)).status).toBe(201);
  });

  it("datasets, in both modes together", async () => {
    const tenant = await limited("datasets", 2);
    const create = (key: string) => datasetsOf(key).create();
    const first = await create(tenant.test);
    expect((await create(tenant.live)).status).toBe(201);
    expect(await create(tenant.test)).toMatchObject(exceeded("datasets", 2, 2));
    await api("DELETE", `/v1/datasets/${first.body.id}`, { key: tenant.test });
    expect((await create(tenant.live)).status).toBe(201);
  });

  it("dataset_items: an upload that has no room stores nothing, also no object", async () => {
    const tenant = await limited("dataset_items", 2);
    const { create, upload, at } = datasetsOf(tenant.test);
    const { id } = (await create()).body;
    const large = item("c", {
      gold: { rubric: Array.from({ length: 25 }, () => ({ text: "x".repeat(4000), points: 1 })) },
    });
    expect(await upload(id, linesOf([item("a"), item("b"), large]))).toMatchObject(exceeded("dataset_items", 0, 2));
    expect((await bindings.BUCKET.list({ prefix: `${tenant.tenant}/` })).objects).toEqual([]);
    expect((await upload(id, linesOf([item("a"), large]))).status).toBe(200);
    expect(await upload(id, linesOf([item("b")]))).toMatchObject(exceeded("dataset_items", 2, 2));
    expect((await usageOf(tenant)).dataset_items.used).toBe(2);
    expect((await at("DELETE", id)).status).toBe(204);
    expect((await usageOf(tenant)).dataset_items.used).toBe(0);
  });

  it("keys; a revoked one gives its room back", async () => {
    const tenant = await limited("keys", 3);
    const create = () => post(tenant.live, "/v1/keys", { name: "one", mode: "test" });
    const made = await create();
    expect(made.status).toBe(201);
    expect(await create()).toMatchObject(exceeded("keys", 3, 3));
    await api("DELETE", `/v1/keys/${made.body.id}`, { key: tenant.live });
    expect((await create()).status).toBe(201);
  });

  it("webhook_endpoints, without those of runs", async () => {
    const tenant = await limited("webhook_endpoints", 1);
    await start(tenant.test, { webhook: { url: hookUrl("quotas") } });
    const create = () => post(tenant.live, "/v1/webhook-endpoints", { url: hookUrl("quotas") });
    const made = await create();
    expect(made.status).toBe(201);
    expect(await create()).toMatchObject(exceeded("webhook_endpoints", 1, 1));
    const polled = await post(tenant.test, "/v1/webhook-endpoints", { delivery: "poll" });
    expect(polled).toMatchObject(exceeded("webhook_endpoints", 1, 1));
    await api("DELETE", `/v1/webhook-endpoints/${made.body.id}`, { key: tenant.live });
    expect((await create()).status).toBe(201);
  });

  it("documents, one by one and in uploads, which continue once there is room", async () => {
    const tenant = await limited("documents", 2);
    const { id } = (await post(tenant.test, "/v1/corpora", { name: "A", embedding_model: null })).body;
    const path = `/v1/corpora/${id}/documents`;
    const first = await post(tenant.test, path, { source: "A law", text: "One." });
    const upload = await post(tenant.test, path, line({ text: "Two." }) + line({ text: "Three." }), LINES);
    expect(upload.status).toBe(202);
    const read = async () =>
      (await api("GET", `/v1/corpora/${id}/uploads/${upload.body.id}`, { key: tenant.test })).body;
    const failed = await until("the upload is refused", async () => {
      const now = await read();
      return now.failure && now;
    });
    expect(failed).toMatchObject({
      status: "reading",
      failure: expect.stringMatching(/^quota_exceeded: documents: 1 of 2/),
    });
    await api("DELETE", `${path}/${first.body.id}`, { key: tenant.test });
    await until("the upload is read", async () => (await read()).status === "completed");
    expect(await post(tenant.test, path, { source: "A law", text: "Four." })).toMatchObject(
      exceeded("documents", 2, 2),
    );
    expect(await post(tenant.test, path, line({ text: "Five." }), LINES)).toMatchObject(exceeded("documents", 2, 2));
  });

  it("passages: a document whose passages do not fit stays unindexed, and says why", async () => {
    const tenant = await limited("passages", 3);
    const { id } = (await post(tenant.test, "/v1/corpora", { name: "A", embedding_model: null })).body;
    const path = `/v1/corpora/${id}/documents`;
    const text = "A sentence about ladders that are lent. ".repeat(1000);
    const { body } = await post(tenant.test, path, { source: "A law", text });
    expect(body).toMatchObject({ status: "indexing", passages: 0 });
    const corpus = async () => (await api("GET", `/v1/corpora/${id}`, { key: tenant.test })).body;
    const failure = await until("the failure is shown", async () => (await corpus()).failure);
    expect(failure).toMatch(/^quota_exceeded: passages: 0 of 3/);
    expect((await usageOf(tenant)).passages.used).toBe(0);
    await setQuota(tenant, "passages", 1000);
    await until("the document is indexed", async () => (await corpus()).status === "ready");
    expect((await usageOf(tenant)).passages.used).toBeGreaterThan(10);
  });

  it("stored_bytes: runs, retries, documents, uploads, corpora, keys, agents and pings", async () => {
    const tenant = await makeTenant();
    const { id } = (await post(tenant.test, "/v1/corpora", { name: "A" })).body;
    const { id: dataset } = (await datasetsOf(tenant.test).create()).body;
    const { id: endpoint } = (await post(tenant.test, "/v1/webhook-endpoints", { url: hookUrl("bytes") })).body;
    const { id: run } = (await post(tenant.test, "/v1/runs", startBody({ options: { qa_rounds: 0 } }))).body;
    await runWithStatus(tenant.test, run, "completed");
    const canceled = await waitingRun(tenant);
    await api("POST", `/v1/runs/${canceled}/cancel`, { key: tenant.test });
    const deliveries = `/v1/webhook-endpoints/${endpoint}/deliveries`;
    await until("all events are delivered", async () =>
      (await all(tenant.test, deliveries)).every(({ status }) => status === "delivered"),
    );
    const { used } = (await usageOf(tenant)).stored_bytes;
    expect(used).toBeGreaterThan(20_000);
    await setQuota(tenant, "stored_bytes", used);
    const refused = refusal(429, "quota_exceeded");
    expect(await post(tenant.test, "/v1/runs", startBody())).toMatchObject(refused);
    expect(await post(tenant.test, `/v1/runs/${canceled}/retry`, {})).toMatchObject(refused);
    expect(await post(tenant.test, "/v1/corpora", { name: "B" })).toMatchObject(refused);
    expect(await datasetsOf(tenant.test).create()).toMatchObject(refused);
    expect(await datasetsOf(tenant.test).upload(dataset, linesOf([item("a")]))).toMatchObject(refused);
    expect(await post(tenant.test, "/v1/agents", newAgent())).toMatchObject(refused);
    expect(await post(tenant.live, "/v1/keys", { name: "b", mode: "test" })).toMatchObject(refused);
    expect(await post(tenant.test, `/v1/webhook-endpoints/${endpoint}/ping`, {})).toMatchObject(refused);
    const documents = `/v1/corpora/${id}/documents`;
    expect(await post(tenant.test, documents, { source: "A law", text: "A text." })).toMatchObject(refused);
    expect(await post(tenant.test, documents, line({ text: "A text." }), LINES)).toMatchObject(refused);
    expect((await usageOf(tenant)).stored_bytes.used).toBe(used);
    await api("DELETE", `/v1/runs/${run}`, { key: tenant.test });
    expect((await post(tenant.test, documents, { source: "A law", text: "A text." })).status).toBe(201);
  });

  it("stored_bytes: an agent that grows, and not one that shrinks", async () => {
    const tenant = await makeTenant();
    const { id } = (await post(tenant.test, "/v1/agents", newAgent({ instructions: "é".repeat(1000) }))).body;
    await setQuota(tenant, "stored_bytes", (await usageOf(tenant)).stored_bytes.used + 100);
    const change = async (instructions: string) =>
      (await api("PATCH", `/v1/agents/${id}`, { key: tenant.test, body: { instructions } })).status;
    expect(await change("é".repeat(1051))).toBe(429);
    expect(await change("é".repeat(1050))).toBe(200);
    expect(await change("Be brief.")).toBe(200);
    expect(await change("é".repeat(1050))).toBe(200);
    expect(await post(tenant.test, "/v1/agents", newAgent())).toMatchObject(refusal(429, "quota_exceeded"));
  });

  it("stored_bytes: what is refused for its size leaves nothing in R2", async () => {
    const tenant = await makeTenant();
    const { id } = (await post(tenant.test, "/v1/corpora", { name: "A", embedding_model: null })).body;
    await setQuota(tenant, "stored_bytes", (await usageOf(tenant)).stored_bytes.used + 50_000);
    const path = `/v1/corpora/${id}/documents`;
    const text = "A sentence about ladders that are lent. ".repeat(2500);
    const refused = refusal(429, "quota_exceeded");
    expect(await post(tenant.test, path, { source: "A law", text })).toMatchObject(refused);
    expect(await post(tenant.test, path, line({ text }), LINES)).toMatchObject(refused);
    expect((await bindings.BUCKET.list({ prefix: `${tenant.tenant}/` })).objects).toEqual([]);
  });

  it("stored_bytes count the models of a run, and a request names at most a hundred of them", async () => {
    const tenant = await makeTenant();
    const models = (count: number) => {
      const names = Array.from({ length: 5 }, (_, index) => `some/${"x".repeat(190)}${index}`);
      const roles = Array.from({ length: count }, (_, index) => [`modeler_${index + 1}`, {}]);
      return { models: { default: names, roles: Object.fromEntries(roles) } };
    };
    const { body: run, status } = await post(tenant.test, "/v1/runs", startBody(models(100)));
    expect(status).toBe(201);
    expect((await usageOf(tenant)).stored_bytes.used).toBeGreaterThan(JSON.stringify(run.models).length);
    const most = refusal(422, "validation_failed", "models.roles");
    expect(await post(tenant.test, "/v1/runs", startBody(models(101)))).toMatchObject(most);
    expect(await post(tenant.test, "/v1/runs", startBody(models(20_000)))).toMatchObject(most);
  });

  it("queued_runs: runs beyond the tenant's slots", async () => {
    const tenant = await limited("queued_runs", 2);
    await bindings.DB.prepare("UPDATE tenants SET max_concurrent_runs = 1 WHERE id = ?").bind(tenant.tenant).run();
    const create = () => post(tenant.test, "/v1/runs", startBody({ test: { latency_ms: 20_000 } }));
    const made = [await create(), await create(), await create()];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    const refused = await create();
    expect(refused).toMatchObject(exceeded("queued_runs", 2, 2));
    expect(Number(refused.headers.get("retry-after"))).toBeLessThan(60);
    await api("POST", `/v1/runs/${made[2]!.body.id}/cancel`, { key: tenant.test });
    expect((await create()).status).toBe(201);
    for (const { body } of made) await call("POST", `/v1/runs/${body.id}/cancel`, { key: tenant.test });
  });

  it("idempotency_keys: a new key is refused, a known one is answered, and requests without one continue", async () => {
    const tenant = await limited("idempotency_keys", 1);
    const create = (key?: string) =>
      post(tenant.test, "/v1/corpora", { name: "A" }, key ? { "idempotency-key": key } : {});
    const first = await create("one");
    expect(await create("two")).toMatchObject(exceeded("idempotency_keys", 1, 1));
    expect(await create("one")).toMatchObject({ status: 201, body: first.body });
    expect((await create()).status).toBe(201);
    await bindings.DB.prepare("UPDATE idempotency_keys SET expires_at = 0 WHERE scope = ?")
      .bind(`${tenant.tenant}/test`)
      .run();
    await until("the maintenance worker removes it", async () => (await usageOf(tenant)).idempotency_keys.used === 0);
    expect((await create("two")).status).toBe(201);
  });

  it("sandbox_executions, by day: a run fails, and continues with retry once there is room", async () => {
    const tenant = await limited("sandbox_executions", 0);
    const id = await start(tenant.test, waterfallAlone());
    const failed = await runWithStatus(tenant.test, id, "failed");
    expect(failed.error).toMatchObject({
      code: "quota_exceeded",
      detail: expect.stringContaining("sandbox_executions: 0 of 0"),
    });
    await setQuota(tenant, "sandbox_executions", 10);
    await api("POST", `/v1/runs/${id}/retry`, { key: tenant.test, body: {} });
    await runWithStatus(tenant.test, id, "completed");
    const { used } = (await usageOf(tenant)).sandbox_executions;
    expect(used).toBeGreaterThan(0);
    await bindings.DB.prepare(
      "UPDATE quota_usage SET day = day - 1 WHERE tenant_id = ? AND quota = 'sandbox_executions'",
    )
      .bind(tenant.tenant)
      .run();
    expect((await usageOf(tenant)).sandbox_executions.used).toBe(0);
  }, 60_000);
});

it("a request that a quota refused succeeds under its Idempotency-Key once there is room", async () => {
  const tenant = await limited("corpora", 0);
  const create = () => post(tenant.test, "/v1/corpora", { name: "A" }, { "idempotency-key": "again" });
  expect(await create()).toMatchObject(exceeded("corpora", 0, 0));
  await setQuota(tenant, "corpora", 1);
  expect((await create()).status).toBe(201);
});

it("requests at the same time share the room exactly", async () => {
  const tenant = await limited("corpora", 5);
  const replies = await Promise.all(Array.from({ length: 20 }, () => post(tenant.test, "/v1/corpora", { name: "A" })));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(15).fill(429)]);
  expect((await usageOf(tenant)).corpora).toEqual({ used: 5, limit: 5 });
});

it("usage is shown with the deployment's limits, as JSON and as text", async () => {
  const quotas = await usageOf(client);
  expect(Object.fromEntries(Object.entries(quotas).map(([name, { limit }]) => [name, limit]))).toEqual(DEFAULT_QUOTAS);
  expect(quotas.keys.used).toBe(2);
  const { body } = await api("GET", "/v1/metrics", { key: client.live, headers: { accept: "text/plain" } });
  expect(body).toContain('parley_quota_used{quota="keys"} 2\n');
  expect(body).toContain(`parley_quota_limit{quota="corpora"} ${DEFAULT_QUOTAS.corpora}\n`);
});

describe("counts", () => {
  it("return to what they were when everything is deleted, and never differ from the rows", async () => {
    const tenant = await makeTenant();
    const key = tenant.test;
    const before = await usageOf(tenant);
    const run = await start(key, { options: { qa_rounds: 0 }, input: { idea: "x".repeat(20_000) } });
    await runWithStatus(key, run, "completed");
    const asked = await waitingRun(tenant);
    await api("POST", `/v1/runs/${asked}/pause`, { key });
    await api("POST", `/v1/runs/${asked}/resume`, { key });
    await call("POST", await callbackPath(tenant, await askEverything(asked)), { body: {} });
    await api("POST", `/v1/runs/${asked}/cancel`, { key });
    const { id: corpus } = (await post(key, "/v1/corpora", { name: "A" })).body;
    await post(key, `/v1/corpora/${corpus}/documents`, {
      source: "A law",
      text: "Ladders are lent for a week. ".repeat(300),
    });
    await post(key, `/v1/corpora/${corpus}/documents`, `${line({ text: "Saws." })}x\n`, LINES);
    const dataset = await datasetsOf(key).closed([item("a"), item("b")]);
    const { id: endpoint } = (await post(key, "/v1/webhook-endpoints", { url: hookUrl("counts") })).body;
    await post(key, `/v1/webhook-endpoints/${endpoint}/ping`, {});
    const { id: agent } = (await post(key, "/v1/agents", newAgent())).body;
    await api("PATCH", `/v1/agents/${agent}`, { key, body: { instructions: "Be brief. ".repeat(100) } });
    await until(
      "the corpus is ready",
      async () => (await api("GET", `/v1/corpora/${corpus}`, { key })).body.status === "ready",
    );
    await until("the ping is sent", async () =>
      (await api("GET", `/v1/webhook-endpoints/${endpoint}/deliveries`, { key })).body.data.every(
        (d: any) => d.attempts.length,
      ),
    );
    expect(await drifted()).toEqual([]);
    const full = await usageOf(tenant);
    expect(full.stored_bytes.used).toBeGreaterThan(before.stored_bytes.used + 20_000);
    expect(full.documents.used).toBe(2);
    expect([full.datasets.used, full.dataset_items.used]).toEqual([1, 2]);
    for (const path of [
      `corpora/${corpus}`,
      `datasets/${dataset}`,
      `webhook-endpoints/${endpoint}`,
      `agents/${agent}`,
      `runs/${run}`,
      `runs/${asked}`,
    ])
      expect((await api("DELETE", `/v1/${path}`, { key })).status).toBe(204);
    await until("all is removed", async () => {
      const { stored_bytes, documents } = await usageOf(tenant);
      return stored_bytes.used === before.stored_bytes.used && documents.used === 0;
    });
    expect(await usageOf(tenant)).toEqual(before);
    expect(await drifted()).toEqual([]);
  }, 60_000);

  it("are made and checked by index searches, without a scan", async () => {
    const plan = async (sql: string, ...values: unknown[]) =>
      (
        await bindings.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .bind(...values)
          .all<{ detail: string }>()
      ).results.map((row) => row.detail);
    const checks = [
      "SELECT used FROM quota_usage WHERE tenant_id = ?1 AND quota = 'corpora' AND day = 0",
      "SELECT most FROM quota_limits WHERE tenant_id = ?1 AND quota = 'corpora'",
      "SELECT quota, day, used FROM quota_usage WHERE tenant_id = ?1",
      "SELECT id FROM tenants WHERE id = substr(?1, 1, instr(?1, '/') - 1)",
      "SELECT tenant_id FROM pools WHERE number = ?1",
      "SELECT tenant_id FROM deliveries WHERE id = ?1",
    ];
    for (const sql of checks) for (const step of await plan(sql, client.tenant)) expect(step, sql).toMatch(/^SEARCH/);
    const { results } = await bindings.DB.prepare(
      "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND (sql LIKE '%usage_change %' OR sql LIKE '%quota_check %')",
    ).all<{ sql: string }>();
    expect(results.length).toBeGreaterThan(20);
    // No trigger reads artifacts, runs by tenant, passages or documents: they change counts by what the row itself says.
    for (const { sql } of results)
      expect(sql).not.toMatch(/FROM (artifacts|runs|documents|passages|idempotency_keys)\b/);
  });
});

it("no store replaces rows that are counted: a REPLACE runs no trigger of the deletion", () => {
  const sources = import.meta.glob("../../src/store/*.ts", { query: "?raw", import: "default", eager: true });
  const replaced = Object.values(sources as Record<string, string>).flatMap((source) =>
    [...source.matchAll(/INSERT OR REPLACE INTO (\w+)/g)].map(([, table]) => table),
  );
  expect(new Set(replaced)).toEqual(new Set(["orphans", "model_capabilities"]));
});

describe("lists", () => {
  it("of runs leave inputs and options out, and GET of a run has them, however large they are", async () => {
    const tenant = await makeTenant();
    const description = "x".repeat(5000);
    const parameters = { type: "object", properties: {} };
    const functions = Array.from({ length: 40 }, (_, n) => ({ name: `lend_${n}`, description, parameters }));
    const { id } = (await post(tenant.test, "/v1/runs", waterfallAlone({ options: { functions } }))).body;
    const { data } = (await api("GET", "/v1/runs", { key: tenant.test })).body;
    expect(data.map((run: any) => [run.id, "input" in run, "options" in run])).toEqual([[id, false, false]]);
    const { body } = await api("GET", `/v1/runs/${id}`, { key: tenant.test });
    expect(body.input).toEqual(waterfallAlone().input);
    expect(body.options).toMatchObject({ functions });
    const row = await bindings.DB.prepare("SELECT length(options) AS inline, options_key FROM runs WHERE id = ?")
      .bind(id)
      .first();
    expect(row).toEqual({ inline: 0, options_key: `${tenant.tenant}/${id}/options` });
    expect(data[0].asks_about).toEqual(body.asks_about);
    await call("POST", `/v1/runs/${id}/cancel`, { key: tenant.test });
  });

  it("end a page early when its texts are long, and continue at its cursor", async () => {
    const tenant = await makeTenant();
    const instructions = "x".repeat(20_000);
    const ids: string[] = [];
    for (let n = 0; n < 70; n++)
      ids.push((await post(tenant.test, "/v1/agents", newAgent({ name: `Agent ${n}`, instructions }))).body.id);
    const seen: string[] = [];
    for (let cursor = ""; ;) {
      const { body } = await api("GET", `/v1/agents?limit=100${cursor}`, { key: tenant.test });
      expect(JSON.stringify(body).length).toBeLessThan(1.2 * MIB);
      expect(body.data.length).toBeGreaterThan(0);
      seen.push(...body.data.flatMap((agent: any) => (agent.built_in ? [] : agent.id)));
      if (!body.next_cursor) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual(ids.toReversed());
  });

  /** Ids of a whole list, whose pages all stay small. */
  async function smallPages(key: string, path: string): Promise<{ ids: string[]; pages: number }> {
    const ids: string[] = [];
    let pages = 0;
    for (let cursor = ""; ;) {
      const { body } = await api("GET", `${path}?limit=100${cursor}`, { key });
      expect(JSON.stringify(body).length).toBeLessThan(1.2 * MIB);
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      pages++;
      if (!body.next_cursor) return { ids, pages };
      cursor = `&cursor=${body.next_cursor}`;
    }
  }

  it("of documents and of deliveries end early too", async () => {
    const tenant = await makeTenant();
    const { id } = (await post(tenant.test, "/v1/corpora", { name: "A", embedding_model: null })).body;
    const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`note${n}`, "é".repeat(500)]));
    const lines = Array.from({ length: 100 }, (_, n) => line({ text: `Document ${n}.`, metadata })).join("");
    await post(tenant.test, `/v1/corpora/${id}/documents`, lines, LINES);
    await until("the documents are read", async () => (await usageOf(tenant)).documents.used === 100);
    const documents = await smallPages(tenant.test, `/v1/corpora/${id}/documents`);
    expect([new Set(documents.ids).size, documents.ids.length, documents.pages]).toEqual([100, 100, 2]);

    const { id: endpoint } = (await post(tenant.test, "/v1/webhook-endpoints", { url: hookUrl("pages") })).body;
    await bindings.DB.prepare(
      `INSERT INTO webhook_messages (tenant_id, mode, endpoint_id, type, data)
       SELECT ?1, 'test', ?2, 'webhook.ping', json_object('note', ?3) FROM json_each(?4)`,
    )
      .bind(tenant.tenant, endpoint, "x".repeat(18_000), JSON.stringify(Array.from({ length: 101 }, () => 0)))
      .run();
    const deliveries = await smallPages(tenant.test, `/v1/webhook-endpoints/${endpoint}/deliveries`);
    expect([new Set(deliveries.ids).size, deliveries.ids.length, deliveries.pages]).toEqual([101, 101, 2]);
    await api("DELETE", `/v1/webhook-endpoints/${endpoint}`, { key: tenant.test });
  });

  it("show the last fifty attempts of a delivery", async () => {
    const tenant = await makeTenant();
    const { id: endpoint } = (await post(tenant.test, "/v1/webhook-endpoints", { url: hookUrl("attempts") })).body;
    const { body } = await post(tenant.test, `/v1/webhook-endpoints/${endpoint}/ping`, {});
    await bindings.DB.prepare(
      `INSERT INTO delivery_attempts (delivery_id, attempt, started_at, duration_ms, response_status)
       SELECT ?1, value, 0, 0, 500 FROM json_each(?2)`,
    )
      .bind(body.id, JSON.stringify(Array.from({ length: 60 }, (_, n) => n + 101)))
      .run();
    const { attempts } = (await api("GET", `/v1/deliveries/${body.id}`, { key: tenant.test })).body;
    expect(attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 111),
    );
  });
});

it("a callback keeps nothing of a request that answered nothing, and the answer that counted", async () => {
  const tenant = await makeTenant();
  const interaction = await askEverything(await waitingRun(tenant));
  const path = await callbackPath(tenant, interaction);
  const rows = async () =>
    (
      await bindings.DB.prepare("SELECT key FROM idempotency_keys WHERE scope = ?")
        .bind(interaction)
        .all<{ key: string }>()
    ).results.map(({ key }) => key);
  const answer = (key: string, body: object) => api("POST", path, { body, headers: { "idempotency-key": key } });
  for (let n = 0; n < 5; n++)
    expect((await answer(`wrong-${n}`, { [`field${n}`]: "x".repeat(1000) })).status).toBe(422);
  expect(await rows()).toEqual([]);
  expect((await answer("right", { answers: { q1: "a", q2: 1 } })).status).toBe(200);
  for (let n = 0; n < 5; n++) expect((await answer(`same-${n}`, { answers: { q1: "a", q2: 1 } })).status).toBe(200);
  expect(await rows()).toEqual(["right"]);
});
