/** Requests for vectors queue, and their usage is counted: at the corpus, or at the run that searches. */
import { beforeAll, describe, expect, it } from "vitest";
import { debateOf } from "../../../support/debate";
import type { SeenCall } from "../../../support/model";
import {
  bindings,
  call,
  callsOf,
  type Client,
  makeTenant,
  planFromMock,
  planModel,
  runWithStatus,
  start,
  until,
} from "../../../support/parley";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const post = (path: string, body: object | string, key = client.live, headers = {}) =>
  call("POST", path, { key, body, headers });
const corpusWith = async (embedding_model: string, key = client.live): Promise<string> =>
  (await post("/v1/corpora", { name: "Statutes", embedding_model }, key)).body.id;
const add = (corpus: string, text: string, key = client.live) =>
  post(`/v1/corpora/${corpus}/documents`, { source: "A law", language: "en", text }, key);
const read = async (corpus: string) => (await call("GET", `/v1/corpora/${corpus}`, { key: client.live })).body;
const ready = (corpus: string) =>
  until("the corpus is ready", async () => {
    const found = await read(corpus);
    return found.status === "ready" && found;
  });
const search = (corpus: string, query: string, more: object = {}) =>
  post(`/v1/corpora/${corpus}/search`, { query, ...more });

/** Whether any two of these calls were in flight at the same time. */
const overlap = (calls: readonly SeenCall[]) => {
  const sorted = [...calls].sort((a, b) => a.started_at - b.started_at);
  return sorted.some((one, at) => at > 0 && one.started_at < sorted[at - 1]!.ended_at!);
};

/** Takes the only permit of a provider, like a request in flight. */
async function hold(provider: string) {
  const gate = bindings.PROVIDER_GATES.get(bindings.PROVIDER_GATES.idFromName(provider));
  const ticket = { id: crypto.randomUUID(), run: "run_x", tenant: "ten_x", lease_ms: 120_000, tokens: 1 };
  const limits = { max_concurrency: 1, requests_per_minute: null, tokens_per_minute: null };
  const permit = (await gate.acquire(limits, ticket, 5000))!;
  return async () => gate.release(ticket.id, permit, { closed_for_ms: 0, tokens: 1 });
}

describe("a provider with limits", () => {
  it("gives permits for vectors in turn, to indexers and searches", async () => {
    const name = (await planModel({ embed_passages: [{ delay_ms: 60 }], embed_query: [{ delay_ms: 60 }] }, "encoding"))
      .default;
    const corpora = [await corpusWith(name), await corpusWith(name)];
    const lines = Array.from({ length: 450 }, (_, n) =>
      JSON.stringify({ source: "A law", text: `Rule ${n} on tools.` }),
    );
    const headers = { "content-type": "application/x-ndjson" };
    for (const corpus of corpora)
      expect((await post(`/v1/corpora/${corpus}/documents`, lines.join("\n"), client.live, headers)).status).toBe(202);
    await until("there is something to find", async () => (await read(corpora[0]!)).counts.passages > 0);
    const found = await Promise.all(corpora.flatMap((corpus) => [search(corpus, "tools"), search(corpus, "rule")]));
    for (const { status, body } of found) expect([status, body.method]).toEqual([200, "hybrid"]);
    for (const corpus of corpora) expect(await ready(corpus)).toMatchObject({ failure: null });
    const calls = (await Promise.all(corpora.map(callsOf))).flat();
    expect(calls.length).toBeGreaterThanOrEqual(14);
    expect(overlap(calls)).toBe(false);
  });

  it("that is busy makes an indexer wait without a failure, and a search fail with a 503 after 15 s", async () => {
    const name = (await planModel({}, "deaf")).default;
    const corpus = await corpusWith(name);
    const release = await hold("deaf");
    await add(corpus, "A rule on tools.");
    await until("the words are indexed", async () => (await read(corpus)).counts.passages === 1);
    const reply = await search(corpus, "tools");
    expect(reply).toMatchObject({ status: 503, body: { code: "provider_rate_limited" } });
    expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await search(corpus, "tools", { method: "bm25" })).body.data).toHaveLength(1);
    expect(await read(corpus)).toMatchObject({ status: "indexing", failure: null });
    expect(await callsOf(corpus)).toEqual([]);
    await release();
    expect(await ready(corpus)).toMatchObject({ counts: { embedded_passages: 1 } });
  }, 60_000);
});

describe("usage of vectors", () => {
  it("is shown at the corpus and in the metrics, failed requests included; searches by words and test keys add nothing", async () => {
    const owner = await makeTenant();
    const { default: name } = await planModel({
      embed_passages: [{ status: 500 }, {}],
      embed_query: [{}, { status: 503 }],
    });
    const corpus = await corpusWith(name, owner.live);
    await add(corpus, "A rule on tools.", owner.live);
    const counted = async () => (await call("GET", `/v1/corpora/${corpus}`, { key: owner.live })).body.usage;
    await until("it is embedded", async () => (await counted()).llm_calls === 2);
    for (const [method, status] of [
      ["hybrid", 200],
      ["bm25", 200],
      ["hybrid", 503],
    ] as const)
      expect((await post(`/v1/corpora/${corpus}/search`, { query: "tools", method }, owner.live)).status).toBe(status);
    const usage = { llm_calls: 4, input_tokens: 20, cost_usd: null };
    expect(await counted()).toEqual({ ...usage, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 });
    const mocked = await corpusWith(name, owner.test);
    await add(mocked, "A rule on tools.", owner.test);
    await until(
      "it is mocked",
      async () => (await call("GET", `/v1/corpora/${mocked}`, { key: owner.test })).body.status === "ready",
    );
    const metrics = await call("GET", "/v1/metrics", { key: owner.live });
    expect(metrics.body.corpora).toEqual([{ mode: "live", corpora: 1, ...usage }]);
    expect((await call("GET", "/v1/metrics", { key: owner.test })).body.corpora).toEqual([
      { mode: "test", corpora: 1, llm_calls: 0, input_tokens: 0, cost_usd: null },
    ]);
    expect(await callsOf(corpus)).toHaveLength(4);
    const text = await call("GET", "/v1/metrics", { key: owner.live, headers: { accept: "text/plain" } });
    expect(text.body.split("\n")).toContain('parley_corpus_tokens{mode="live"} 20');
  });

  it("has a cost", async () => {
    const corpus = await corpusWith("priced/any");
    await add(corpus, "A rule on tools.");
    await ready(corpus);
    await search(corpus, "tools");
    expect((await read(corpus)).usage).toMatchObject({ llm_calls: 2, input_tokens: 20, cost_usd: 0.0002 });
  });

  it("counts as a run's when the run searches, within its limits, and not as the corpus's", async () => {
    const { default: embedding } = await planModel({});
    const corpus = await corpusWith(embedding);
    await add(corpus, "An offer by a merchant is not revocable during the time stated.");
    const { usage: before } = await ready(corpus);
    const input = { corpus_ids: [corpus] };
    // The profile of the paper ranks a run's own evidence, with vectors.
    const options = { rounds: 1, profile: "paper" };
    const mock = debateOf({ options });
    const models = { ...(await planModel(await planFromMock(client, mock))), embedding };
    const body = { ...debateOf({ input, options }), models };
    const id = await start(client.live, body);
    const run = await runWithStatus(client.live, id, "completed");
    const calls = await callsOf(id);
    const ofVectors = calls.filter(({ step }) => step.startsWith("embed_"));
    expect(new Set(ofVectors.map(({ step }) => step))).toEqual(new Set(["embed_passages", "embed_query"]));
    expect(run.usage).toMatchObject({
      llm_calls: calls.length,
      input_tokens: (calls.length - ofVectors.length) * 100 + ofVectors.length * 10,
    });
    expect((await read(corpus)).usage).toEqual(before);
    const max_llm_calls = 3;
    const bounded = await start(client.live, { ...body, limits: { max_llm_calls } });
    expect((await runWithStatus(client.live, bounded, "failed")).error.code).toBe("budget_exceeded");
    expect(await callsOf(bounded)).toHaveLength(max_llm_calls);
  });

  it("needs a price when a run's cost is limited, for the run's own model and its corpora's", async () => {
    const { default: unpriced } = await planModel({});
    const corpus = await corpusWith(unpriced);
    const ask = async (embedding: string | null, input: object) => {
      const models = { default: "priced/any", embedding };
      const reply = await post("/v1/runs", { ...debateOf({ input }), models, limits: { max_cost_usd: 1 } });
      if (reply.status === 201) await post(`/v1/runs/${reply.body.id}/cancel`, {});
      return reply.status === 201 ? 201 : reply.body.errors;
    };
    const fieldError = [{ path: "limits.max_cost_usd", code: "no_price", message: expect.stringContaining(unpriced) }];
    expect(await ask(unpriced, {})).toEqual(fieldError);
    expect(await ask("priced/any", { corpus_ids: [corpus] })).toEqual(fieldError);
    expect(await ask("priced/any", {})).toBe(201);
    expect(await ask(null, { corpus_ids: [corpus] })).toBe(201);
  });
});
