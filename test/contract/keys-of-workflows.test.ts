/** A key that is bound to workflows starts, sees and changes only what belongs to their runs. */
import { beforeAll, describe, expect, it, test } from "vitest";
import { addKey, all, call, type Client, makeTenant, openInteraction, start } from "../support/parley";
import { api, OPERATIONS, refusal, startBody } from "./api";
import { found, furnish, type World } from "./world";

let client: Client;
/** Resources of a tenant, whose run is one of `requirements`. */
let world: World;
let own: string;
let other: string;

const boundTo = async (...workflows: string[]) =>
  (
    await api("POST", "/v1/keys", {
      key: client.test,
      body: { name: "bound", mode: "test", workflows },
    })
  ).body.key as string;

beforeAll(async () => {
  client = await makeTenant();
  world = await furnish(client);
  own = await boundTo("requirements", "waterfall");
  other = await boundTo("debate");
});

describe("a key bound to workflows", () => {
  it("starts their runs and no others", async () => {
    expect((await api("POST", "/v1/runs", { key: own, body: startBody() })).status).toBe(201);
    const refused = await api("POST", "/v1/runs", { key: other, body: startBody() });
    expect(refused).toMatchObject(refusal(403, "workflow_not_allowed"));
    expect(refused.body.detail).toContain("bound to debate");
  });

  it("lists only their runs and interactions", async () => {
    expect((await all(own, "/v1/runs")).map(({ id }) => id)).toContain(world.run);
    expect((await all(own, "/v1/interactions")).map(({ id }) => id)).toContain(world.int);
    for (const path of ["/v1/runs", "/v1/runs?workflow=requirements", "/v1/interactions"])
      expect(await all(other, path), path).toEqual([]);
    expect(await all(other, `/v1/interactions?run_id=${world.run}`)).toEqual([]);
  });

  const ofRuns = OPERATIONS.filter(({ path }) => /^\/v1\/(runs|interactions)\/{id}/.test(path));
  test.each(ofRuns)("finds no run of another workflow: $method $path", async ({ method, path }) => {
    const at = found(path, world);
    const reply = await api(method.toUpperCase(), at, { key: other, ...(method === "post" && { body: {} }) });
    expect(reply).toMatchObject(refusal(404, "not_found"));
    if (method === "get") expect((await call("GET", at, { key: own })).status).toBe(200);
  });

  const beside = OPERATIONS.filter(
    ({ path, security }) => security.length > 0 && !/^\/v1\/(runs|interactions)(\/|$)/.test(path),
  );
  const READ = /^\/v1\/(workflows|agents|corpora|datasets|tenant)(\/|$)/;
  test.each(beside)("reads what all runs share and reaches nothing else: $method $path", async ({ method, path }) => {
    const reply = await api(method.toUpperCase(), found(path, world), {
      key: own,
      ...(["post", "patch"].includes(method) && { body: path.endsWith("/search") ? { query: "text" } : {} }),
    });
    const isRead = READ.test(path) && (method === "get" || path.endsWith("/search"));
    if (isRead) expect(reply.status).toBe(200);
    else {
      expect(reply.status).toBe(403);
      expect(["missing_scope", "workflow_not_allowed"]).toContain(reply.body.code);
    }
  });

  it("is refused an answer to another key's request", async () => {
    const headers = { "idempotency-key": "shared" };
    const body = startBody();
    expect((await api("POST", "/v1/runs", { key: client.test, body, headers })).status).toBe(201);
    expect(await api("POST", "/v1/runs", { key: other, body, headers })).toMatchObject(
      refusal(422, "idempotency_key_reused"),
    );
  });

  it("answers, cancels and retries a run of its workflow", async () => {
    const run = await start(own, { options: { human_stakeholder: true } });
    const { id, questions } = await openInteraction(own, run);
    const answers = Object.fromEntries(questions.map((question: { id: string }) => [question.id, "a"]));
    expect((await api("POST", `/v1/interactions/${id}/answer`, { key: own, body: { answers } })).status).toBe(200);
    expect((await api("POST", `/v1/runs/${run}/cancel`, { key: own })).status).toBe(200);
    expect((await api("POST", `/v1/runs/${run}/retry`, { key: own })).status).toBe(200);
    expect((await api("POST", `/v1/runs/${run}/cancel`, { key: own })).status).toBe(200);
  });

  it("is never an admin key, which could make itself another one", async () => {
    const body = { name: "a", mode: "test", workflows: ["debate"] };
    expect(await api("POST", "/v1/keys", { key: client.test, body: { ...body, scopes: ["admin"] } })).toMatchObject(
      refusal(422, "validation_failed", "workflows"),
    );
    const { id } = (await api("POST", "/v1/keys", { key: client.test, body })).body;
    expect(
      await api("PATCH", `/v1/keys/${id}`, { key: client.test, body: { scopes: ["runs:read", "admin"] } }),
    ).toMatchObject(refusal(422, "validation_failed", "scopes"));
    const unbound = await addKey(client.tenant, "test", ["runs:read"]);
    const row = (await all(client.test, "/v1/keys")).find(({ hint }) => hint === unbound.slice(-4));
    expect(row.workflows).toBeNull();
    expect((await api("PATCH", `/v1/keys/${row.id}`, { key: client.test, body: { scopes: ["admin"] } })).status).toBe(
      200,
    );
  });

  it("is bound to workflows that exist, each named once", async () => {
    for (const [workflows, path, code] of [
      [["debate", "alchemy"], "workflows.1", "unknown_workflow"],
      [["debate", "debate"], "workflows", "validation_failed"],
      [[], "workflows", "validation_failed"],
    ] as const)
      expect(
        await api("POST", "/v1/keys", { key: client.test, body: { name: "a", mode: "test", workflows } }),
      ).toMatchObject(refusal(422, code, path));
  });
});
