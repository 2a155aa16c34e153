/** The maintenance worker seals stored secrets again after a rotation, so that the old secret can be dropped. */
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openHeaders, sealMcpServers, storedMcpServers } from "#agents/mcp-servers";
import { type SecretKey, Secrets } from "#core/secrets";
import { resealStored } from "#services/maintenance/reseal";
import { sealContextOfKey } from "#services/providers/own-keys";
import { headersOf, signingSecretOf } from "#services/webhooks/signing-secret";
import { Store } from "#store/store";
import { addAgent, addEndpoint, holdTenant, migratedDatabase, releaseTenant, TENANT } from "../../../support/database";
import { openD1 } from "../../../../src/node/d1";
import { directHost } from "../../../../src/node/host";

const OLD = "the secret before a rotation, long enough";
const NEW = "the secret after a rotation, long enough";
const UNTIL = Date.UTC(2030, 0, 31);
const HOUR = 60 * 60_000;
const both: SecretKey[] = [
  { secret: NEW, until: null },
  { secret: OLD, until: UNTIL },
];
const tenant_id = TENANT;
const headers = { authorization: "hush" };
const servers = [
  { name: "shop", url: "https://mcp.example.com/mcp", headers },
  { name: "open", url: "https://open.example.com/mcp" },
];

let database: DatabaseSync;
let store: Store;
beforeEach(() => {
  vi.useFakeTimers({ now: UNTIL - 10 * 24 * HOUR, toFake: ["Date"] });
  database = migratedDatabase();
  store = new Store(openD1(database, directHost), {} as R2Bucket);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A signing secret of an endpoint, sealed by the secret before the rotation. */
const sealedOf = (id: string, text: string): string => new Secrets(OLD).seal(text, signingSecretOf({ tenant_id, id }));

const endpoint = (id: string) =>
  database.prepare("SELECT * FROM webhook_endpoints WHERE id = ?").get(id) as {
    secret: string;
    previous_secret: string | null;
  };

/** Maintenance passes until the pass is complete. */
async function pass(keys: SecretKey[]) {
  const services = { store, secrets: new Secrets(keys) };
  for (let round = 1; round < 20; round++) {
    await resealStored(services, Date.now());
    if ((await store.seals.resealing())?.position === null) return round;
  }
  throw new Error("the pass has no end");
}

it("seals endpoints and headers of agents again; afterwards the new secret alone opens them", async () => {
  const old = new Secrets(OLD);
  const place = (id: string) => signingSecretOf({ tenant_id, id });
  addEndpoint(database, "whe_1", sealedOf("whe_1", "whsec_1"), sealedOf("whe_1", "whsec_0"));
  const owner = { tenant: tenant_id, agent: "agt_1" };
  addAgent(database, "agt_1", sealMcpServers(old, owner, servers));
  addAgent(database, "agt_none", []);
  await pass(both);

  const alone = new Secrets(NEW);
  expect(alone.open(endpoint("whe_1").secret, place("whe_1"))).toBe("whsec_1");
  expect(alone.open(endpoint("whe_1").previous_secret!, place("whe_1"))).toBe("whsec_0");
  const row = database.prepare("SELECT mcp_servers FROM agents WHERE id = 'agt_1'").get() as { mcp_servers: string };
  const [shop] = storedMcpServers(row);
  expect(openHeaders(alone, owner, shop!)).toEqual(headers);
});

it("seals headers of webhook endpoints again, which do not open as their secret", async () => {
  const old = new Secrets(OLD);
  addEndpoint(database, "whe_a2a", old.seal("whsec_3", signingSecretOf({ tenant_id, id: "whe_a2a" })));
  const place = headersOf({ tenant_id, id: "whe_a2a" });
  const update = database.prepare("UPDATE webhook_endpoints SET headers = ? WHERE id = 'whe_a2a'");
  update.run(old.seal(JSON.stringify(headers), place));
  await pass(both);
  const { headers: sealed } = endpoint("whe_a2a") as unknown as { headers: string };
  const alone = new Secrets(NEW);
  expect(JSON.parse(alone.open(sealed, place))).toEqual(headers);
  expect(() => alone.open(sealed, signingSecretOf({ tenant_id, id: "whe_a2a" }))).toThrow();
});

it("seals keys for providers again", async () => {
  const row = { id: `${tenant_id}/live/openai`, tenant_id };
  const sealed = new Secrets(OLD).seal("sk-own", sealContextOfKey(row));
  database
    .prepare(
      "INSERT INTO provider_keys (id, tenant_id, mode, provider, sealed, hint, created_at) VALUES (?, ?, 'live', 'openai', ?, '-own', 0)",
    )
    .run(row.id, tenant_id, sealed);
  await pass(both);
  const after = database.prepare("SELECT sealed FROM provider_keys WHERE id = ?").get(row.id) as { sealed: string };
  expect(new Secrets(NEW).open(after.sealed, sealContextOfKey(row))).toBe("sk-own");
});

it("takes a batch in each round, keeps the maintenance worker awake meanwhile, and rests for an hour when all is sealed", async () => {
  const ids = Array.from({ length: 450 }, (_, n) => `whe_${String(n).padStart(4, "0")}`);
  for (const id of ids) addEndpoint(database, id, sealedOf(id, "whsec_1"));
  const services = { store, secrets: new Secrets(both) };
  await resealStored(services, Date.now());
  expect(await store.maintenance.remainingWork()).toContain("sealed_secrets");
  expect(await pass(both)).toBe(4); // two more of endpoints, and one for each other table
  expect(await store.maintenance.remainingWork()).not.toContain("sealed_secrets");

  const late = sealedOf("whe_late", "whsec_late");
  addEndpoint(database, "whe_late", late);
  vi.setSystemTime(Date.now() + HOUR - 1);
  await resealStored(services, Date.now());
  expect(endpoint("whe_late").secret).toBe(late);
  vi.setSystemTime(Date.now() + 1);
  await pass(both);
  expect(endpoint("whe_late").secret).not.toBe(late);
});

it("begins again when the secrets change, and leaves alone what is changed while it works", async () => {
  addEndpoint(database, "whe_1", sealedOf("whe_1", "whsec_1"));
  await pass([{ secret: OLD, until: null }]);
  const first = endpoint("whe_1").secret;
  const rotated = vi.spyOn(store.seals, "page").mockImplementationOnce(async (...asked) => {
    const rows = await store.seals.page(...asked);
    database.exec("UPDATE webhook_endpoints SET secret = 'changed meanwhile'");
    return rows as never;
  });
  await pass(both);
  rotated.mockRestore();
  expect(endpoint("whe_1").secret).toBe("changed meanwhile");
  database.prepare("UPDATE webhook_endpoints SET secret = ?").run(first);
  vi.setSystemTime(Date.now() + HOUR);
  await pass(both);
  expect(endpoint("whe_1").secret).not.toBe(first);
});

it("what no secret opens stays, is counted by table and logged, and holds up nothing else", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  const lost = sealedOf("whe_1", "whsec_1");
  addEndpoint(database, "whe_1", lost, "not a seal");
  vi.setSystemTime(UNTIL);
  addEndpoint(database, "whe_2", new Secrets(OLD).seal("whsec_2", signingSecretOf({ tenant_id, id: "whe_2" })));
  addEndpoint(database, "whe_3", new Secrets(NEW).seal("whsec_3", signingSecretOf({ tenant_id, id: "whe_3" })));
  await pass(both);
  expect(await store.seals.resealing()).toMatchObject({ unreadable: { webhook_endpoints: 3 }, completed_at: UNTIL });
  expect(JSON.parse(errors.mock.calls.at(-1)![0] as string)).toMatchObject({ unreadable: { webhook_endpoints: 3 } });

  vi.setSystemTime(UNTIL - 1);
  await pass([both[0]!, { secret: OLD, until: UNTIL + 1 }]);
  expect(await store.seals.resealing()).toMatchObject({ unreadable: { webhook_endpoints: 1 } });
  expect(endpoint("whe_1").secret).not.toBe(lost);
});

it("while a tenant's writes are held the others' secrets are sealed again, and the held ones follow", async () => {
  const old = new Secrets(OLD);
  database.exec("INSERT INTO tenants (id, name, created_at) VALUES ('ten_held', 'held', 0)");
  for (const [id, tenant] of [
    ["whe_1", tenant_id],
    ["whe_2", "ten_held"],
  ] as const) {
    addEndpoint(database, id, old.seal("whsec_1", signingSecretOf({ tenant_id: tenant, id })));
    database.prepare("UPDATE webhook_endpoints SET tenant_id = ? WHERE id = ?").run(tenant, id);
  }
  const [free, held] = [endpoint("whe_1").secret, endpoint("whe_2").secret];
  await holdTenant(database, "ten_held", Infinity);
  await expect(pass(both)).rejects.toThrow("no end");
  expect(endpoint("whe_1").secret).not.toBe(free);
  expect(endpoint("whe_2").secret).toBe(held);
  await releaseTenant(database, "ten_held");
  await pass(both);
  expect(endpoint("whe_2").secret).not.toBe(held);
  expect((await store.seals.resealing())?.completed_at).toBe(Date.now());
});
