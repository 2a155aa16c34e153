/** The audit log: who changed what, with which key. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeAll, describe, expect, it, test } from "vitest";
import { createApp } from "#api/http/app";
import { composeServices } from "#cloudflare/compose";
import { withFaults } from "../support/faults";
import {
  addKey,
  all,
  bindings,
  type Client,
  makeTenant,
  openInteraction,
  runWithStatus,
  start,
} from "../support/parley";
import { newAgent } from "./agent";
import { api, OPERATIONS, refusal } from "./api";
import { callbackPath } from "./questions";
import { found, furnish } from "./world";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const entries = (query = "", key = client.test) => all(key, `/v1/audit${query}`);
const about = (object_id: string) => entries(`?object_id=${object_id}`);
const actions = async (object_id: string) => (await about(object_id)).map(({ action }) => action);
const ownId = async (key: string, scopes = key) =>
  (await all(scopes, "/v1/keys")).find(({ hint, mode }) => hint === key.slice(-4) && key.includes(mode)).id as string;

describe("an entry", () => {
  it("tells time, key, mode, operation, object, request and outcome of a change, and no more", async () => {
    const begun = Date.now();
    const { body: agent } = await api("POST", "/v1/agents", {
      key: client.test,
      body: newAgent({ name: "Secretive" }),
      headers: { "x-request-id": "audit-1" },
    });
    const [entry, ...more] = await about(agent.id);
    expect(more).toEqual([]);
    expect(entry).toEqual({
      object: "audit_entry",
      id: expect.stringMatching(/^aud_/),
      created_at: expect.any(String),
      actor: "key",
      actor_id: await ownId(client.test),
      mode: "test",
      action: "createAgent",
      object_type: "agent",
      object_id: agent.id,
      request_id: "audit-1",
      outcome: "done",
    });
    expect(Date.parse(entry.created_at)).toBeGreaterThanOrEqual(begun);
    expect(Date.parse(entry.created_at)).toBeLessThanOrEqual(Date.now());
  });

  it("is written for an export, each time that it begins", async () => {
    const key = (await makeTenant()).test;
    for (let nth = 1; nth <= 2; nth++) {
      expect((await api("GET", "/v1/export", { key })).status).toBe(200);
      const exports = (await entries("", key)).filter(({ action }) => action === "exportTenant");
      expect(exports).toHaveLength(nth);
      expect(exports[0]).toMatchObject({ actor_id: await ownId(key), mode: "test", outcome: "done", object_id: null });
    }
  });

  it("is written for each step of a run's life that a key takes", async () => {
    const id = await start(client.test, { options: { human_stakeholder: true } });
    await runWithStatus(client.test, id, "input_required");
    for (const verb of ["pause", "resume", "cancel", "retry", "cancel"])
      expect((await api("POST", `/v1/runs/${id}/${verb}`, { key: client.test })).status).toBe(200);
    expect((await api("DELETE", `/v1/runs/${id}`, { key: client.test })).status).toBe(204);
    expect(await actions(id)).toEqual([
      "deleteRun",
      "cancelRun",
      "retryRun",
      "cancelRun",
      "resumeRun",
      "pauseRun",
      "createRun",
    ]);
  });

  it("names the key that was made, changed, rolled and revoked", async () => {
    const { body: made } = await api("POST", "/v1/keys", { key: client.test, body: { name: "a", mode: "test" } });
    await api("PATCH", `/v1/keys/${made.id}`, { key: client.test, body: { name: "b" } });
    const { body: next } = await api("POST", `/v1/keys/${made.id}/roll`, { key: client.test });
    await api("DELETE", `/v1/keys/${made.id}`, { key: client.test });
    expect(await actions(made.id)).toEqual(["revokeKey", "rollKey", "updateKey", "createKey"]);
    expect((await api("GET", `/v1/keys/${made.id}`, { key: client.test })).body.rolled_to).toBe(next.id);
    expect(JSON.stringify(await entries())).not.toContain(made.key.slice(12));
  });

  it("of an answer without a key has the interaction as its actor, in the run's mode", async () => {
    const id = await start(client.test, { options: { human_stakeholder: true } });
    const interaction = await openInteraction(client.test, id);
    const path = await callbackPath(client, interaction.id);
    const answers = Object.fromEntries(interaction.questions.map((question: { id: string }) => [question.id, "a"]));
    expect((await api("POST", path, { body: { answers } })).status).toBe(200);
    const again = await api("POST", path, { body: { answers } });
    expect(again.status).toBe(200); // the same answer again changes nothing
    expect(await about(interaction.id)).toMatchObject([
      { actor: "interaction", actor_id: interaction.id, mode: "test", action: "answerCallback", outcome: "done" },
    ]);
    await api("POST", `/v1/runs/${id}/cancel`, { key: client.test });
  });
});

const changes = OPERATIONS.filter(
  ({ method, path }) => ["patch", "put", "delete"].includes(method) && path !== "/v1/tenant",
);
const BODIES: Record<string, object> = {
  updateKey: { name: "renamed" },
  putProviderKey: { api_key: "sk-0123456789" },
  updateAgent: { description: "Another." },
  updateCorpus: { description: "Another." },
  updateDataset: { description: "Another." },
  updateTemplate: { description: "Another." },
  updateSchedule: { name: "Another." },
  putBudget: { amount_usd: 1 },
  updateWebhookEndpoint: { description: "Another." },
};

test.each(changes)("$method $path is entered once", async ({ method, path, operationId }) => {
  const own = await makeTenant();
  const ids = await furnish(own);
  if (operationId === "deleteRun") await api("POST", `/v1/runs/${ids.run}/cancel`, { key: own.test });
  const key_of_provider = { key: own.test, body: BODIES.putProviderKey };
  if (operationId === "deleteProviderKey") await api("PUT", "/v1/providers/openai/key", key_of_provider);
  if (operationId === "deleteTemplate") await api("DELETE", `/v1/schedules/${ids.sch}`, { key: own.test });
  const key = operationId === "putBudget" ? own.live : own.test;
  if (path === "/v1/keys/{id}") ids.key = await ownId(await addKey(own.tenant, "test", ["runs:read"]), own.test);
  const body = BODIES[operationId];
  const at = found(path, ids);
  const reply = await api(method.toUpperCase(), at, { key, ...(body && { body }) });
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  const object_id = path.startsWith("/v1/providers") ? "openai" : path.includes("{id}") ? at.split("/").at(-1) : null;
  expect(await entries(`?action=${operationId}`, key)).toMatchObject([
    {
      object_id,
      outcome: "done",
      actor_id: await ownId(key),
    },
  ]);
});

describe("what is not done", () => {
  it("is not entered: errors of form, unknown ids, wrong states", async () => {
    const before = await entries();
    const id = await start(client.test, {});
    await runWithStatus(client.test, id, "completed");
    const { body: agent } = await api("POST", "/v1/agents", { key: client.test, body: newAgent({ name: "Twice" }) });
    for (const [method, path, body, status] of [
      ["POST", "/v1/runs", {}, 422],
      ["POST", "/v1/runs", "{", 400],
      ["POST", `/v1/runs/${id}/cancel`, undefined, 409],
      ["POST", "/v1/agents", newAgent({ name: "Twice" }), 409],
      ["PATCH", `/v1/agents/${agent.id}`, { colour: "red" }, 422],
      ["DELETE", "/v1/agents/builtin:translator", undefined, 409],
      ["DELETE", `/v1/agents/agt_01KA9VR4T5M6N7P8Q9R0S1T2V3`, undefined, 404],
    ] as const) {
      const reply = await api(method, path, { key: client.test, ...(body !== undefined && { body }) });
      expect([path, reply.status]).toEqual([path, status]);
    }
    expect((await entries()).map(({ action }) => action).slice(0, -before.length)).toEqual([
      "createAgent",
      "createRun",
    ]);
  });

  it("is entered as refused when the key has no right to it, once a minute", async () => {
    const reader = await addKey(client.tenant, "test", ["runs:read"]);
    for (let times = 0; times < 3; times++)
      expect(await api("POST", "/v1/runs", { key: reader, body: {} })).toMatchObject(refusal(403, "missing_scope"));
    expect(await api("POST", "/v1/keys", { key: reader, body: {} })).toMatchObject(refusal(403, "missing_scope"));
    const id = await ownId(reader, client.test);
    expect((await entries(`?key_id=${id}`)).map(({ action, outcome }) => [action, outcome])).toEqual([
      ["createKey", "refused"],
      ["createRun", "refused"],
    ]);
    expect(await entries(`?key_id=${id}&outcome=done`)).toEqual([]);
  });

  it("is entered as refused fifty times an hour for a key, so that it cannot push the changes out", async () => {
    const own = await makeTenant();
    const reader = await addKey(own.tenant, "test", ["runs:read"]);
    const id = await ownId(reader, own.test);
    const refuse = async () => {
      expect((await api("POST", "/v1/keys", { key: reader, body: {} })).status).toBe(403);
      return (await entries(`?key_id=${id}`, own.test)).length;
    };
    await bindings.DB.prepare(
      `INSERT INTO audit_log (tenant_id, seq, id, created_at, actor, actor_id, mode, action, outcome)
       SELECT ?1, value, 'aud_' || value, ?2, 'key', ?3, 'test', 'action' || value, 'refused' FROM json_each(?4)`,
    )
      .bind(own.tenant, Date.now() - 1_800_000, id, JSON.stringify(Array.from({ length: 50 }, (_, n) => n + 1)))
      .run();
    expect(await refuse()).toBe(50);
    await bindings.DB.prepare("UPDATE audit_log SET created_at = ?2 WHERE tenant_id = ?1 AND seq <= 10")
      .bind(own.tenant, Date.now() - 3_700_000)
      .run();
    expect(await refuse()).toBe(51);
  });

  it("is entered with the beginning of a provider's name that is long", async () => {
    const reader = await addKey(client.tenant, "test", ["runs:read"]);
    const path = `/v1/providers/${"x".repeat(5000)}/key`;
    const put = await api("PUT", path, { key: reader, body: { api_key: "sk-0123456789" } });
    expect(put).toMatchObject(refusal(403, "missing_scope"));
    const [entry] = await entries(`?key_id=${await ownId(reader, client.test)}`);
    expect(entry).toMatchObject({ object_type: "provider", object_id: "x".repeat(100) });
  });

  it("is not entered when the statement that writes it fails, nor by a replayed answer", async () => {
    const own = await makeTenant();
    const send = async (method: string, path: string, body: object | null, key: string | null, failing = "") => {
      const request = new Request(`http://parley.test${path}`, {
        method,
        headers: {
          authorization: `Bearer ${own.test}`,
          "content-type": "application/json",
          ...(key && { "idempotency-key": key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const env = withFaults(bindings as Env, ({ operation }) =>
        failing && operation.includes(failing) ? "before" : "ok",
      );
      const context = createExecutionContext();
      const response = await createApp<Env>(composeServices).fetch(request, env, context);
      await waitOnExecutionContext(context);
      return response;
    };
    const done = async () => (await entries("", own.test)).map(({ action }) => action);
    expect((await send("POST", "/v1/agents", newAgent(), null, "INSERT INTO agents")).status).toBe(503);
    expect(await done()).toEqual([]);
    const agent = newAgent();
    const made = await send("POST", "/v1/agents", agent, "once");
    expect(made.status).toBe(201);
    const replayed = await send("POST", "/v1/agents", agent, "once");
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
    const { id } = (await made.json()) as { id: string };
    expect((await send("DELETE", `/v1/agents/${id}`, null, null, "DELETE FROM agents")).status).toBe(503);
    expect(await done()).toEqual(["createAgent"]);
    expect((await send("POST", "/v1/agents", newAgent({ name: "B" }), null, "INSERT INTO audit_log")).status).toBe(503);
    expect((await all(own.test, "/v1/agents?built_in=false")).length).toBe(1); // no change without its entry
  });
});

describe("the list", () => {
  it("is filtered by key, operation, object, outcome and time, and paged", async () => {
    const own = await makeTenant();
    const second = await addKey(own.tenant, "test", ["runs:write"]);
    const ids: string[] = [];
    for (const [index, key] of [own.test, second, own.test].entries())
      ids.push((await api("POST", "/v1/corpora", { key, body: { name: `C${index}` } })).body.id);
    await api("DELETE", `/v1/corpora/${ids[0]}`, { key: own.test });
    const listed = async (query: string) => (await entries(query, own.test)).map(({ object_id }) => object_id);
    expect(await listed(`?key_id=${await ownId(second, own.test)}`)).toEqual([ids[1]]);
    expect(await listed("?action=createCorpus")).toEqual(ids.toReversed());
    expect(await listed(`?object_id=${ids[0]}`)).toEqual([ids[0], ids[0]]);
    expect(await listed("?object_type=run")).toEqual([]);
    expect(await listed("?object_type=corpus&outcome=done")).toHaveLength(4);
    const [, , first] = await entries("?action=createCorpus", own.test);
    expect(await listed(`?created_after=${new Date(Date.parse(first.created_at) - 1).toISOString()}`)).toHaveLength(4);
    expect(await listed(`?created_before=${first.created_at}`)).toEqual([]);
    const page = (await api("GET", "/v1/audit?limit=3", { key: own.test })).body;
    const rest = (await api("GET", `/v1/audit?limit=3&cursor=${page.next_cursor}`, { key: own.test })).body;
    expect([...page.data, ...rest.data]).toEqual(await entries("", own.test));
    expect(rest.next_cursor).toBeNull();
  });

  it("is of the key's mode, and of its tenant", async () => {
    const own = await makeTenant();
    for (const key of [own.test, own.live]) await api("POST", "/v1/corpora", { key, body: { name: "C" } });
    expect((await entries("", own.test)).map(({ mode }) => mode)).toEqual(["test"]);
    expect((await entries("", own.live)).map(({ mode }) => mode)).toEqual(["live"]);
    expect((await entries("", client.test)).map(({ actor_id }) => actor_id)).not.toContain(await ownId(own.test));
  });

  it("keeps a tenant's newest 100,000 entries", async () => {
    const own = await makeTenant();
    await api("POST", "/v1/corpora", { key: own.test, body: { name: "oldest" } });
    await bindings.DB.prepare("UPDATE audit_log SET seq = seq + 2 WHERE tenant_id = ?1").bind(own.tenant).run();
    await bindings.DB.prepare(
      `INSERT INTO audit_log SELECT tenant_id, 100002, id, created_at, actor, actor_id, mode, 'middle', object_type, object_id, request_id, outcome
       FROM audit_log WHERE tenant_id = ?`,
    )
      .bind(own.tenant)
      .run();
    await api("POST", "/v1/corpora", { key: own.test, body: { name: "newest" } });
    expect((await entries("", own.test)).map(({ action }) => action)).toEqual(["createCorpus", "middle"]);
  });
});
