/** Test and live never meet in what the service does by itself: it sends events, plans over agents, and retrieves. */
import { beforeAll, describe, expect, it } from "vitest";
import { composeRun } from "#cloudflare/compose";
import type { Mode } from "#core/vocabulary";
import type { EmbeddingAccount } from "#retrieval/embedder";
import { bindings, call, hookUrl, makeTenant, planFromMock, planModel } from "../../support/parley";
import { setUpRuns } from "../../support/runs";
import { waterfallAlone } from "../../support/waterfall";
import { newAgent } from "../../contract/agent";

const { client, contentsOf, runToEnd, live } = setUpRuns();
const MODES: Mode[] = ["test", "live"];
const made = async (mode: Mode, path: string, body: object): Promise<string> =>
  (await call("POST", path, { key: client[mode], body })).body.id;

const ALONE = { options: { strategy: "single_model" } };
/** The model of live runs, which answers as the mock model does. */
let models: { default: string };
beforeAll(async () => {
  models = await planModel(await planFromMock(await makeTenant(), ALONE));
});

/** The endpoints that deliveries of these events were made for, each once. */
async function endpointsOf(condition: string, ...values: string[]): Promise<string[]> {
  const { results } = await bindings.DB.prepare(
    `SELECT DISTINCT endpoint_id FROM deliveries WHERE tenant_id = ? AND ${condition} ORDER BY endpoint_id`,
  )
    .bind(client.tenant, ...values)
    .all<{ endpoint_id: string }>();
  return results.map(({ endpoint_id }) => endpoint_id);
}

describe("webhooks", () => {
  const events = ["run.created", "run.completed"];
  const listener = (mode: Mode) =>
    made(mode, "/v1/webhook-endpoints", { url: hookUrl(`modes-${mode}`), events: [...events] });

  it("send the events of a run to endpoints of its mode, and to its own", async () => {
    const endpoints = { test: await listener("test"), live: await listener("live") };
    const own = { ...ALONE, webhook: { url: hookUrl("modes-own"), events } };
    const runs = { test: await runToEnd(own), live: await live.runToEnd({ ...own, models }) };
    for (const mode of MODES) {
      const { data } = (await call("GET", `/v1/webhook-endpoints?run_id=${runs[mode].id}`, { key: client[mode] })).body;
      expect(await endpointsOf("run_id = ?", runs[mode].id)).toEqual([endpoints[mode], data[0].id].toSorted());
    }
  });

  it("report an endpoint that was disabled to others of its mode", async () => {
    const watch = (mode: Mode) =>
      made(mode, "/v1/webhook-endpoints", { url: hookUrl("modes-watch"), events: ["webhook_endpoint.disabled"] });
    const watching = { test: await watch("test"), live: await watch("live") };
    for (const mode of MODES) {
      const id = await listener(mode);
      await bindings.DB.prepare(
        "UPDATE webhook_endpoints SET status = 'disabled', disabled_because = 'receiver_gone', disabled_at = 1 WHERE id = ?",
      )
        .bind(id)
        .run();
      const message = "event_id IN (SELECT id FROM webhook_messages WHERE data ->> '$.endpoint.id' = ?)";
      expect(await endpointsOf(message, id)).toEqual([watching[mode]]);
    }
  });

  it("of both modes share the tenant's quota of endpoints", async () => {
    const { test, live: other } = await makeTenant();
    const add = (key: string) => call("POST", "/v1/webhook-endpoints", { key, body: { url: hookUrl("many") } });
    while ((await add(test)).status === 201);
    for (const key of [test, other]) expect((await add(key)).body.code).toBe("quota_exceeded");
  });
});

it("a plan is made over the agents of the run's mode", async () => {
  const agents = {
    test: await made("test", "/v1/agents", newAgent()),
    live: await made("live", "/v1/agents", newAgent()),
  };
  const run = await runToEnd(waterfallAlone());
  const [profiles] = await contentsOf(run, "agent_profiles");
  const ids = profiles.map(({ id }: { id: string }) => id);
  expect(ids).toContain(agents.test);
  expect(ids).toContain("builtin:writer");
  expect(ids).not.toContain(agents.live);
});

it("a name of an agent that is taken in one mode is free in the other", async () => {
  const agent = newAgent();
  for (const mode of MODES) expect(await made(mode, "/v1/agents", agent)).toMatch(/^agt_/);
});

it("a run retrieves nothing from a corpus of the other mode", async () => {
  const corpora = {
    test: await made("test", "/v1/corpora", { name: "A" }),
    live: await made("live", "/v1/corpora", { name: "A", embedding_model: null }),
  };
  for (const mode of MODES)
    await made(mode, `/v1/corpora/${corpora[mode]}/documents`, { source: "A law", text: `A tool is lent for a week.` });
  const run = await runToEnd(ALONE);
  const nobody: EmbeddingAccount = {
    id: "nobody",
    owner: { tenant_id: client.tenant, mode: "test" },
    acquirePermit: () => Promise.reject(new Error("This search needs no vectors.")),
    spent: () => {},
  };
  const scope = { tenant_id: client.tenant, run_id: run.id, corpus_ids: Object.values(corpora), embedding_model: null };
  const { retrieval } = composeRun(bindings, run.id);
  for (const mode of MODES) {
    const query = { query: "tool", limit: 5, exclude: [] };
    const found = await retrieval.search({ ...scope, mode }, query, nobody);
    expect(found.excerpts.map(({ corpus_id }) => corpus_id)).toEqual([corpora[mode]]);
    expect(found.missing_corpora).toEqual([corpora[mode === "test" ? "live" : "test"]]);
  }
});

it("the history of a run is streamed to keys of its mode", async () => {
  const run = await runToEnd(ALONE);
  const stream = (mode: Mode) =>
    call("GET", `/v1/runs/${run.id}/events`, { key: client[mode], headers: { accept: "text/event-stream" } });
  expect((await stream("test")).body).toContain("run.completed");
  expect((await stream("live")).status).toBe(404);
});
