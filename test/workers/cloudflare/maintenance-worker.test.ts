/** The maintenance worker cannot sleep while it is armed, uses its nudge up only when it has nudged, and one broken part holds up no other. */
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { createApp } from "#api/http/app";
import { composeMaintenance, composeServices } from "#cloudflare/compose";
import type { MaintenanceWorker } from "#cloudflare/maintenance-worker";
import { makePlatform } from "#cloudflare/platform";
import { sweep } from "#services/maintenance/sweep";
import type { MaintenanceStore } from "#store/maintenance";
import { Store } from "#store/store";
import { createExecutionContext } from "cloudflare:test";
import { withFaults } from "../../support/faults";
import { bindings, call, hookUrl, makeTenant } from "../../support/parley";
import { received } from "../../support/hooks";

const env = bindings as Env;
type Inner = {
  services: ReturnType<typeof composeMaintenance>[];
  armedAt: number;
  arm(): Promise<void>;
  alarm(): Promise<void>;
};

/** A store whose parts are replaced. */
function storeWith(parts: {
  maintenance?: Partial<MaintenanceStore>;
  nextExpiry?: () => Promise<number | null>;
}): Store {
  const store = new Store(env.DB, env.BUCKET);
  Object.assign(store.maintenance, parts.maintenance);
  if (parts.nextExpiry) Object.assign(store.idempotency, { nextExpiry: parts.nextExpiry });
  return store;
}

/** Runs code inside a maintenance worker of its own, which was armed long ago. */
async function inMaintenanceWorker<T>(
  store: Store,
  use: (maintenance: Inner, state: DurableObjectState) => Promise<T>,
): Promise<T> {
  const stub = env.MAINTENANCE.get(env.MAINTENANCE.idFromName(crypto.randomUUID()));
  return runInDurableObject(stub, async (instance: MaintenanceWorker, state) => {
    const maintenance = instance as unknown as Inner;
    maintenance.services = [{ ...composeMaintenance(env), store }];
    maintenance.armedAt = 0;
    return use(maintenance, state);
  });
}

const noWork = { survey: async () => ({ due: [], remaining: [] }), remainingWork: async () => [] };

it("that is armed while it goes to sleep stays awake", async () => {
  for (const expiry of [null, Date.now() + 86_400_000]) {
    const { promise: asked, resolve: reached } = Promise.withResolvers<void>();
    const { promise: gate, resolve: answer } = Promise.withResolvers<void>();
    const nextExpiry = async () => (reached(), await gate, expiry);
    const store = storeWith({ maintenance: { ...noWork, firstEnd: async () => null }, nextExpiry });
    const alarm = await inMaintenanceWorker(store, async (maintenance, { storage }) => {
      const pass = maintenance.alarm();
      await asked;
      await maintenance.arm();
      answer();
      await pass;
      return storage.getAlarm();
    });
    expect(alarm).not.toBeNull();
    expect(alarm! - Date.now()).toBeLessThan(60_000);
  }
});

it("that nobody arms sleeps until the next expiry, and records its pass", async () => {
  const later = Date.now() + 86_400_000;
  const passes: unknown[] = [];
  const recordPass = async (pass: unknown) => void passes.push(pass);
  const store = storeWith({
    maintenance: { ...noWork, firstEnd: async () => null, recordPass },
    nextExpiry: async () => later,
  });
  // Rows of other test files expire, too: one leaves a run that is archived a day after it was made.
  const never = async () => null;
  Object.assign(store.deliveries, { oldestRemovable: never });
  Object.assign(store.leases, { nextExpiry: never });
  Object.assign(store.archive, { nextDue: never });
  Object.assign(store.audit, { oldest: never });
  const alarm = await inMaintenanceWorker(store, async (maintenance, { storage }) => {
    await maintenance.alarm();
    return storage.getAlarm();
  });
  expect(alarm).toBe(later);
  expect(passes).toEqual([expect.objectContaining({ remaining: [], failed: [], next_at: later })]);
});

it("nudges all runs again when the pass in which it began to failed", async () => {
  const nudged: number[] = [];
  let failures = 1;
  const nudgeStale = async (before: number) => {
    nudged.push(before);
    if (failures-- > 0) throw new Error("D1_ERROR: Network connection lost.");
    return [];
  };
  const survey = async () => ({ due: ["silent runs" as const], remaining: [] });
  const store = storeWith({ maintenance: { survey, nudgeStale, recordPass: async () => {} } });
  await inMaintenanceWorker(store, async (maintenance) => {
    for (let pass = 0; pass < 3; pass++) await maintenance.alarm();
  });
  const all = Number.MAX_SAFE_INTEGER;
  expect([nudged[0], nudged[1], nudged[2]! < all]).toEqual([all, all, true]);
});

it("a sender, an object or a statement that fails holds up no other part of the pass", async () => {
  const { test: key, tenant } = await makeTenant();
  const endpoints: string[] = [];
  for (const name of ["held-up-1", "held-up-2"])
    endpoints.push((await call("POST", "/v1/webhook-endpoints", { key, body: { url: hookUrl(name) } })).body.id);
  const keys = ["a", "b", "c"].map((name) => `${tenant}/${name}`);
  for (const object of keys) {
    await env.BUCKET.put(object, "x");
    await env.DB.prepare("INSERT INTO orphans (key, due_at) VALUES (?, 0)").bind(object).run();
  }
  const store = new Store(env.DB, env.BUCKET);
  const broken: string[] = [];
  const removeOrphan = store.contents.removeOrphan.bind(store.contents);
  store.contents.removeOrphan = async (object) => {
    if (object === keys[0]) throw new Error("We encountered an internal error. (10001)");
    return removeOrphan(object);
  };
  const lost = () => Promise.reject(new Error("D1_ERROR: Network connection lost."));
  store.maintenance.survey = lost; // then each part looks for itself
  store.corpora.due = lost;
  const platform = makePlatform(env);
  const services = {
    ...composeMaintenance(env),
    store,
    platform: {
      ...platform,
      wakeWebhookSenders: async (ids: readonly string[]) => {
        if (!ids.includes(endpoints[0]!)) return platform.wakeWebhookSenders(ids);
        broken.push(...ids);
        throw new Error("Network connection lost.");
      },
    },
  };
  store.deliveries.endpointsDue = async () => endpoints;
  await env.DB.prepare(
    "INSERT INTO webhook_messages (tenant_id, mode, endpoint_id, type, data) VALUES (?, 'live', ?, 'webhook.ping', '{}')",
  )
    .bind(tenant, endpoints[1])
    .run();
  const { failed } = await sweep(services, { nudgeAll: false });
  expect(failed).toEqual(["indexers"]);
  expect(broken).toEqual([endpoints[0]]);
  expect(await received("held-up-2", 1)).toHaveLength(1);
  expect(await env.BUCKET.head(keys[1]!)).toBeNull();
  expect(await env.BUCKET.head(keys[2]!)).toBeNull();
});

it("healthz is a 503 when the maintenance pass is long overdue, and arms the maintenance worker", async () => {
  const health = async (isMaintenanceStalled: () => Promise<boolean>) => {
    const armed: string[] = [];
    const composed = composeServices(env);
    const platform = { ...composed.platform, armMaintenance: async () => void armed.push("armed") };
    const services = { ...composed, store: storeWith({ maintenance: { isMaintenanceStalled } }), platform };
    const app = createApp<Env>(() => ({ ...services, ofAllDatabases: () => [services] }));
    const reply = await app.fetch(new Request("http://parley.test/healthz"), env, createExecutionContext());
    return { status: reply.status, body: await reply.json(), armed };
  };
  const real = new Store(env.DB, env.BUCKET).maintenance;
  const at = (ms: number) => () => real.isMaintenanceStalled({ overdue: ms, forgotten: 0 });
  expect(await health(at(Date.now() - 120_000))).toMatchObject({ status: 200, body: { status: "ok" }, armed: [] });
  const stalled = await health(at(Date.now() + 3_600_000)); // as if the last pass was an hour ago
  expect(stalled).toMatchObject({
    status: 503,
    body: { status: "unavailable", because: "maintenance" },
    armed: ["armed"],
  });
  const unanswered = withFaults(env, ({ binding }) => (binding === "DB" ? "before" : "ok"));
  const app = createApp<Env>(composeServices);
  const reply = await app.fetch(new Request("http://parley.test/healthz"), unanswered, createExecutionContext());
  expect([reply.status, ((await reply.json()) as { because: string }).because]).toEqual([503, "database"]);
});
