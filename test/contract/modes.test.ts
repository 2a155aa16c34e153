/** Test and live never meet: whatever a key of one mode made, a key of the other neither sees nor changes, on every route. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Mode } from "#core/vocabulary";
import { addKey, call, type Client, hookUrl, makeTenant, runWithStatus } from "../support/parley";
import { newAgent } from "./agent";
import { api, type Operation, OPERATIONS, refusal, startBody } from "./api";
import { askFor, rowsOfTenant, wholeReply, WITH_ID } from "./walk";
import { found, furnish, idFor, type World } from "./world";

/** How each route without an `{id}` keeps the modes apart. A new route must be added here. */
const WITHOUT_ID: Record<string, "list" | "creates" | "shared" | "own test"> = {
  createRun: "creates",
  listRuns: "list",
  createAgent: "creates",
  listAgents: "list",
  createCorpus: "creates",
  createDataset: "creates",
  createTemplate: "creates",
  listTemplates: "list",
  createSchedule: "own test", // test/contract/schedules.test.ts
  listSchedules: "list",
  listDatasets: "list",
  listCorpora: "list",
  createWebhookEndpoint: "creates",
  listWebhookEndpoints: "list",
  listInteractions: "list",
  getMetrics: "list",
  getUsage: "list",
  listAuditEntries: "list",
  createKey: "own test",
  listKeys: "own test",
  exportTenant: "own test",
  deleteTenant: "own test",
  getTenant: "shared",
  getBudget: "shared",
  // test/contract/budget.test.ts
  putBudget: "own test",
  listWorkflows: "shared",
  getWorkflow: "shared",
  // test/contract/providers.test.ts
  listProviders: "own test",
  getProvider: "own test",
  putProviderKey: "own test",
  deleteProviderKey: "own test",
  // test/contract/models.test.ts
  listModels: "own test",
  // test/contract/run-estimates.test.ts
  estimateRun: "own test",
  // Without a key: the link acts for the mode of its run.
  getCallback: "own test",
  answerCallback: "own test",
  getHealth: "shared",
};

/** A body for each route that creates. */
const NEW: Record<string, () => object> = {
  createRun: () => startBody(),
  createAgent: () => newAgent({ name: "Owned" }),
  createCorpus: () => ({ name: "A" }),
  createDataset: () => ({ name: "Owned", workflow: "waterfall" }),
  createTemplate: () => ({ name: "Owned", request: startBody() }),
  createWebhookEndpoint: () => ({ url: hookUrl("other-mode") }),
};

const withoutId = OPERATIONS.filter((operation) => !WITH_ID.includes(operation));
const of = (kind: string) => withoutId.filter(({ operationId }) => WITHOUT_ID[operationId] === kind);
const send = ({ method, path }: Operation, key: string, body?: object) =>
  api(method.toUpperCase(), path, { key, body });

/** A word of the owner's input, and so of its run's artifacts. */
const MARK = "marmalade";

it("the walk covers every route", () => {
  expect(Object.keys(WITHOUT_ID).toSorted()).toEqual(withoutId.map(({ operationId }) => operationId).toSorted());
  expect(Object.keys(NEW).toSorted()).toEqual(
    of("creates")
      .map(({ operationId }) => operationId)
      .toSorted(),
  );
});

describe.each<{ mode: Mode; other: Mode }>([
  { mode: "test", other: "live" },
  { mode: "live", other: "test" },
])("what a $mode key made, a $other key", ({ mode, other }) => {
  let owner: Client;
  let key: string;
  let ids: World;
  let before: Awaited<ReturnType<typeof rowsOfTenant>>;
  beforeAll(async () => {
    owner = await makeTenant();
    key = owner[other];
    ids = await furnish(owner, `A library that lends ${MARK}`, mode);
    before = await rowsOfTenant(owner.tenant);
  });
  const assertSeesNothing = (reply: Awaited<ReturnType<typeof api>>, asked?: string) => {
    expect(wholeReply(reply)).not.toContain(MARK);
    for (const id of Object.values(ids)) if (id !== asked) expect(wholeReply(reply)).not.toContain(id);
  };

  it.each(of("list"))("is not shown in: $method $path", async (operation) => {
    const empty = (await makeTenant())[other];
    const reply = await send(operation, key);
    expect(reply.status).toBe(200);
    // Quotas are the tenant's, of both modes together.
    const { taken_at: _, quotas: _quotas, ...nothing } = (await send(operation, empty)).body;
    expect(reply.body).toMatchObject(nothing); // a list that is longer does not match
    assertSeesNothing(reply);
  });

  it("is not shown by filters", async () => {
    for (const path of [`/v1/interactions?run_id=${ids.run}`, `/v1/webhook-endpoints?run_id=${ids.run}`])
      expect((await api("GET", path, { key })).body.data).toEqual([]);
  });

  it("is not exported to it", async () => {
    const reply = await api("GET", "/v1/export", { key });
    const types = (reply.body as string)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    // The entry of the export itself is the key's own.
    expect(types.filter((type) => type !== "key")).toEqual(["tenant", "audit_entry", "end"]);
    before = await rowsOfTenant(owner.tenant);
    const { key: own, ...others } = ids;
    for (const id of Object.values(others)) expect(wholeReply(reply)).not.toContain(id);
    if (mode === "live") expect(wholeReply(reply)).not.toContain(own);
  });

  // A live key manages the keys of both modes.
  const withForeignId = WITH_ID.filter(({ path }) => mode === "live" || !path.startsWith("/v1/keys/"));
  it.each(withForeignId)("does not find: $method $path", async (operation) => {
    const asked = idFor(operation.path, ids);
    const reply = await askFor(operation, key, asked, ids);
    expect(reply).toMatchObject(refusal(404, "not_found"));
    if (!operation.path.includes("{artifact_id}")) assertSeesNothing(reply, asked);
    expect(await rowsOfTenant(owner.tenant)).toEqual(before);
  });

  it("is not found when a body names it", async () => {
    const waterfall = { workflow: "waterfall", input: { requirement: "Count." }, options: { agents: [ids.agt] } };
    expect(await api("POST", "/v1/runs", { key, body: waterfall })).toMatchObject(refusal(422, "unknown_agent"));
    const debate = { workflow: "debate", input: { question: "May it?", corpus_ids: [ids.cor] } };
    expect(await api("POST", "/v1/runs", { key, body: debate })).toMatchObject(
      refusal(422, "validation_failed", "input.corpus_ids.0"),
    );
    expect(await rowsOfTenant(owner.tenant)).toEqual(before);
  });

  it("exists: its own key finds it", async () => {
    for (const { method, path } of WITH_ID.filter((one) => one.method === "get"))
      expect((await api(method.toUpperCase(), found(path, ids), { key: owner[mode] })).status, path).toBe(200);
  });

  it.each(of("creates"))("is not changed by: $method $path", async (operation) => {
    const reply = await send(operation, key, NEW[operation.operationId]!());
    expect(reply.status).toBe(201); // a name that is taken in the other mode is free
    expect((await call("GET", `${operation.path}/${reply.body.id}`, { key: owner[mode] })).status).toBe(404);
    const after = await rowsOfTenant(owner.tenant);
    before.delete("quota_usage"); // of both modes together
    for (const [table, rows] of before) expect(after.get(table), table).toEqual(expect.arrayContaining(rows));
  });

  it("is answered through its callback URL, whatever its mode", async () => {
    const { callback_url } = (await api("GET", `/v1/interactions/${ids.int}`, { key: owner[mode] })).body;
    const path = new URL(callback_url).pathname;
    expect((await api("GET", path)).body.id).toBe(ids.int);
    expect((await api("POST", path, { body: { decision: "approve" } })).status).toBe(200);
    await runWithStatus(owner[mode], ids.run, "completed", "input_required", "running");
  });
});

describe("keys", () => {
  it("of both modes are managed by a live key, and of test mode by a test key", async () => {
    const { test, live } = await makeTenant();
    const make = (key: string, mode: Mode) => api("POST", "/v1/keys", { key, body: { name: "made", mode } });
    const made = { test: (await make(live, "test")).body.id, live: (await make(live, "live")).body.id };
    expect(await make(test, "live")).toMatchObject(refusal(409, "wrong_mode"));
    expect((await make(test, "test")).status).toBe(201);
    const modes = async (key: string) =>
      new Set((await api("GET", "/v1/keys?limit=100", { key })).body.data.map((one: { mode: Mode }) => one.mode));
    expect(await modes(live)).toEqual(new Set(["test", "live"]));
    expect(await modes(test)).toEqual(new Set(["test"]));
    for (const key of [test, live]) {
      expect((await api("GET", `/v1/keys/${made.test}`, { key })).status).toBe(200);
      expect((await api("PATCH", `/v1/keys/${made.test}`, { key, body: { name: "changed" } })).status).toBe(200);
    }
    expect((await api("DELETE", `/v1/keys/${made.live}`, { key: live })).status).toBe(204);
  });

  it("of live mode are not made by a test key that a scope lets make keys", async () => {
    const { tenant } = await makeTenant();
    const admin = await addKey(tenant, "test", ["admin"]);
    const before = await rowsOfTenant(tenant);
    expect((await api("POST", "/v1/keys", { key: admin, body: { name: "made", mode: "live" } })).status).toBe(409);
    expect(await rowsOfTenant(tenant)).toEqual(before);
  });
});
