/** A tenant's own key for a model provider is used for its live runs and corpora, and appears nowhere. */
import { beforeAll, expect, it } from "vitest";
import { Secrets } from "#core/secrets";
import { sealContextOfKey } from "#services/providers/own-keys";
import {
  bindings,
  call,
  callsOf,
  type Client,
  makeTenant,
  planFromMock,
  planModel,
  until,
} from "../../../support/parley";
import { changed, inFlight, type Plan, slowed } from "../../../support/plans";
import { setUpRuns } from "../../../support/runs";

const SECRET = "sk-of-the-tenant-0123456789-x7Qa";
const body = { input: { idea: "A library that lends tools" }, options: { qa_rounds: 0 } };
const { client, live } = setUpRuns();

let plan: Plan;
beforeAll(async () => {
  plan = await planFromMock(client, body);
});

const setKey = ({ live: key }: Client, api_key = SECRET) =>
  call("PUT", "/v1/providers/openai/key", { key, body: { api_key } });
const sentKeys = async (run: string) => new Set((await callsOf(run)).map(({ authorization }) => authorization));

it("live runs call models with the tenant's key from then on, and with the host's after its deletion", async () => {
  const before = await live.runToEnd({ ...body, models: await planModel(plan) });
  expect(await sentKeys(before.id)).toEqual(new Set(["Bearer sk-test"]));
  await setKey(client);
  const own = await live.runToEnd({ ...body, models: await planModel(plan) });
  expect(await sentKeys(own.id)).toEqual(new Set([`Bearer ${SECRET}`]));
  const everything = [own, await live.eventsOf(own.id), await live.artifactsOf(own.id)];
  const { results } = await bindings.DB.prepare("SELECT * FROM artifacts WHERE run_id = ?").bind(own.id).all();
  expect(JSON.stringify([everything, results])).not.toContain(SECRET);
  await call("DELETE", "/v1/providers/openai/key", { key: client.live });
  const after = await live.runToEnd({ ...body, models: await planModel(plan) });
  expect(await sentKeys(after.id)).toEqual(new Set(["Bearer sk-test"]));
}, 60_000);

it("a run that is under way uses the first key from the request after its next write on, and the host's after the deletion", async () => {
  const owner = await makeTenant();
  const keys: string[] = [];
  const models = await planModel(slowed(plan, /./, 400));
  const request = { workflow: "requirements", ...body, models };
  const { id } = (await call("POST", "/v1/runs", { key: owner.live, body: request })).body;
  await inFlight(id, /^elicitation/);
  await setKey(owner);
  await inFlight(id, /^modeling\/extract_entity/);
  await call("DELETE", "/v1/providers/openai/key", { key: owner.live });
  await until("the run ends", async () => {
    const run = (await call("GET", `/v1/runs/${id}`, { key: owner.live })).body;
    return run.status === "completed";
  });
  for (const { step, authorization } of await callsOf(id)) keys.push(`${step.split("#")[0]} ${authorization}`);
  expect(keys).toContain("elicitation/speak_user_stories Bearer sk-test");
  expect(keys).toContain(`elicitation/write_req_draft Bearer ${SECRET}`);
  expect(keys).toContain(`modeling/extract_entity Bearer ${SECRET}`);
  expect(keys).toContain("specification/write_srs Bearer sk-test");
}, 60_000);

it("a test key's own key is not used for live runs, nor one tenant's for another", async () => {
  const other = await makeTenant();
  await setKey(other);
  await call("PUT", "/v1/providers/openai/key", { key: client.test, body: { api_key: "sk-only-for-tests" } });
  const run = await live.runToEnd({ ...body, models: await planModel(plan) });
  expect(await sentKeys(run.id)).toEqual(new Set(["Bearer sk-test"]));
}, 60_000);

it("a provider that repeats the key in its refusal does not make the run show it", async () => {
  const owner = await makeTenant();
  await setKey(owner);
  const refusal = { status: 401, body: { error: { message: `Incorrect API key provided: ${SECRET}` } } };
  const models = await planModel(changed(plan, /^elicitation\/speak_user_stories#/, () => [refusal]));
  const created = await call("POST", "/v1/runs", {
    key: owner.live,
    body: { workflow: "requirements", ...body, models },
  });
  const failed = await until("the run fails", async () => {
    const run = (await call("GET", `/v1/runs/${created.body.id}`, { key: owner.live })).body;
    return run.status === "failed" && run;
  });
  expect(failed.error.code).toBe("provider_refused_request");
  expect(failed.error.detail).toContain("[key]");
  expect(failed.error.detail).toContain("the one that the tenant has brought");
  const row = await bindings.DB.prepare("SELECT * FROM runs WHERE id = ?").bind(created.body.id).first();
  expect(JSON.stringify([failed, row])).not.toContain(SECRET);
}, 60_000);

it("queries and passages of the tenant's corpora are embedded with its key", async () => {
  const owner = await makeTenant();
  await setKey(owner);
  const corpus = await call("POST", "/v1/corpora", {
    key: owner.live,
    body: { name: "A", embedding_model: "openai/e" },
  });
  const { id } = corpus.body;
  await call("POST", `/v1/corpora/${id}/documents`, {
    key: owner.live,
    body: { source: "S", text: "Tools are lent." },
  });
  await until("it is embedded", async () => {
    const search = { query: "tools", method: "hybrid" };
    const found = await call("POST", `/v1/corpora/${id}/search`, { key: owner.live, body: search });
    return found.status === 200 && found.body.data.length > 0;
  });
  expect(await sentKeys(id)).toEqual(new Set([`Bearer ${SECRET}`]));
});

it("a key that no secret of the host opens is named as the cause, and how to set it again", async () => {
  const owner = await makeTenant();
  await setKey(owner);
  const corpus = { name: "A", embedding_model: "openai/e" };
  const { id } = (await call("POST", "/v1/corpora", { key: owner.live, body: corpus })).body;
  const text = { source: "S", text: "Tools are lent." };
  await call("POST", `/v1/corpora/${id}/documents`, { key: owner.live, body: text });
  const search = () =>
    call("POST", `/v1/corpora/${id}/search`, { key: owner.live, body: { query: "tools", method: "hybrid" } });
  await until("it is embedded", async () => (await search()).status === 200);
  await bindings.DB.prepare("UPDATE provider_keys SET sealed = 'v1.deadbeef.AAAA' WHERE tenant_id = ?")
    .bind(owner.tenant)
    .run();
  const cause = {
    code: "provider_key_unreadable",
    detail: expect.stringContaining("Set it again: PUT /v1/providers/openai/key"),
  };
  expect(await search()).toMatchObject({ status: 422, body: cause });
  const models = await planModel(plan);
  const request = { workflow: "requirements", ...body, models };
  const run = (await call("POST", "/v1/runs", { key: owner.live, body: request })).body;
  const failed = await until("the run fails", async () => {
    const now = (await call("GET", `/v1/runs/${run.id}`, { key: owner.live })).body;
    return now.status === "failed" && now;
  });
  expect(failed.error).toMatchObject(cause);
  await setKey(owner);
  expect((await search()).status).toBe(200);
}, 60_000);

it("a key is bound to its tenant, mode and provider, and is sealed again after a rotation", async () => {
  const owner = await makeTenant();
  await setKey(owner);
  const row = (await bindings.DB.prepare("SELECT * FROM provider_keys WHERE tenant_id = ?")
    .bind(owner.tenant)
    .first<any>())!;
  const old = { secret: bindings.PARLEY_SECRET as string, until: Date.now() + 60_000 };
  const rotated = new Secrets([{ secret: "another secret for tests, long enough", until: null }, old]);
  expect(rotated.open(row.sealed, sealContextOfKey(row))).toBe(SECRET);
  const elsewhere = { ...row, id: row.id.replace("openai", "nowhere") };
  expect(() => rotated.open(row.sealed, sealContextOfKey(elsewhere))).toThrow("cannot be opened");
  const after = rotated.reseal(row.sealed, sealContextOfKey(row))!;
  expect(new Secrets("another secret for tests, long enough").open(after, sealContextOfKey(row))).toBe(SECRET);
});
