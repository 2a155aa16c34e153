/** Interruptions, failures and deletions during work on corpora: the work is finished once, and deleted resources leave nothing. */
import { beforeAll, expect, it } from "vitest";
import { composeServices } from "#cloudflare/compose";
import { composeMaintenance } from "#cloudflare/compose";
import { newId } from "#core/ids";
import { addNextLines } from "#services/corpora/add-next-lines";
import { sweep } from "#services/maintenance/sweep";
import { type EmbeddingAccount, embedderOf } from "#retrieval/embedder";
import { embedPassages } from "#retrieval/embed-passages";
import { indexPassages } from "#retrieval/index-passages";
import { withEmbedder } from "#retrieval/retrieval";
import { MAX_SCANNED, searchPools } from "#retrieval/search";
import { Store } from "#store/store";
import { vectorIndex, type VectorizeBinding } from "#retrieval/vector-index";
import { type Fault, withFaults } from "../../support/faults";
import { bindings, call, callsOf, type Client, makeTenant, planModel, until, replan } from "../../support/parley";

const services = composeServices(bindings);
const { store } = services;
/** An account without permits and usage. */
const freely: EmbeddingAccount = {
  id: "test",
  owner: { tenant_id: "test", mode: "live" },
  acquirePermit: async () => ({ release: () => {} }),
  spent: () => {},
};
let client: Client;
beforeAll(async () => {
  client = await makeTenant();
  await services.platform.armMaintenance(); // as the writer of these rows does first
});

const create = async (key: string, body: object = {}): Promise<string> =>
  (await call("POST", "/v1/corpora", { key, body: { name: "Statutes", ...body } })).body.id;
const read = async (id: string, key = client.test) => (await call("GET", `/v1/corpora/${id}`, { key })).body;
const ready = (id: string, key = client.test) =>
  until(`corpus ${id} is ready`, async () => {
    const corpus = await read(id, key);
    return corpus.status === "ready" && corpus.failure === null && corpus;
  });
const add = (id: string, key: string, text: string) =>
  call("POST", `/v1/corpora/${id}/documents`, { key, body: { source: "A law", language: "en", text } });
const search = (id: string, key: string, query: string, more: object = {}) =>
  call("POST", `/v1/corpora/${id}/search`, { key, body: { query, ...more } });
const lines = (count: number, more = "") =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ source: "A law", text: `Number${n} ${more}` })).join("\n");

/** The state of an upload when the Worker ends just after its row is written. */
async function receive(corpus: string, text: string) {
  const id = newId("upl");
  const received = await store.corpora.storeUpload(
    { tenant: client.tenant, corpus, upload: id },
    new Blob([text]).stream(),
    text.length,
  );
  await store.corpora.createUpload({ id, tenant_id: client.tenant, corpus_id: corpus, ...received! });
  return (await store.corpora.getUpload(corpus, id))!;
}
const rowsOf = async (corpus: string) =>
  (await bindings.DB.prepare(
    "SELECT (SELECT COUNT(*) FROM pools WHERE id = ?1) + (SELECT COUNT(*) FROM uploads WHERE corpus_id = ?1) AS n",
  )
    .bind(corpus)
    .first<{ n: number }>())!.n;

it("an upload of which only the row was written is read when the maintenance worker wakes the indexer", async () => {
  const corpus = await create(client.test);
  const upload = await receive(corpus, lines(30));
  const done = await ready(corpus);
  expect(done.counts).toEqual({ documents: 30, ready_documents: 30, passages: 30, embedded_passages: 30 });
  const { body } = await call("GET", `/v1/corpora/${corpus}/uploads/${upload.id}`, { key: client.test });
  expect(body).toMatchObject({ status: "completed", counts: { lines: 30, added: 30, invalid: 0 } });
});

it("an upload that was interrupted continues at its position, and no line counts twice", async () => {
  const corpus = await create(client.test);
  const upload = await receive(corpus, lines(2000, "filler ".repeat(100)));
  const row = (await store.corpora.getForIndexing(corpus))!;
  await Promise.all([addNextLines(store, row, upload), addNextLines(store, row, upload)]); // two independent instances
  const half = (await store.corpora.getUpload(corpus, upload.id))!;
  expect(half.lines).toBeGreaterThan(100);
  expect(half).toMatchObject({ added: half.lines, read_at: null });
  expect((await read(corpus)).counts.documents).toBe(half.lines);
  await ready(corpus);
  expect((await read(corpus)).counts).toMatchObject({ documents: 2000, passages: 2000, embedded_passages: 2000 });
  expect(await store.corpora.getUpload(corpus, upload.id)).toMatchObject({ lines: 2000, added: 2000 });
  const { n } = (await bindings.DB.prepare("SELECT COUNT(DISTINCT doc) AS n FROM passages_terms WHERE term = ?")
    .bind(`${row.pool}·filler`)
    .first<{ n: number }>())!;
  expect(n).toBe(2000);
});

it("a document that is added while an upload with its external_id is read makes that line invalid", async () => {
  const corpus = await create(client.test, { embedding_model: null });
  const row = (await store.corpora.getForIndexing(corpus))!;
  const fields = { title: null, jurisdiction: null, language: "en", date: null, url: null, metadata: "{}" };
  const other = { ...fields, id: newId("doc"), external_id: "2", source: "A law", digest: "other", text: "Another." };
  const texts = ["1", "2"].map((external_id) => JSON.stringify({ source: "A law", text: external_id, external_id }));
  const upload = await receive(corpus, texts.join("\n"));
  let added: Set<string> | null = null;
  const { DB } = withFaults(bindings as Env, async ({ operation }): Promise<Fault> => {
    if (added === null && operation.includes("UPDATE uploads"))
      added = await store.documents.add(row.pool, `${client.tenant}/${corpus}`, null, [other]);
    return "ok";
  });
  await addNextLines(new Store(DB, bindings.BUCKET), row, upload);
  expect(added).toEqual(new Set([other.id]));
  await until("the upload is read", async () => {
    const now = (await store.corpora.getUpload(corpus, upload.id))!;
    if (now.read_at === null) await addNextLines(store, row, now);
    return now.read_at !== null;
  });
  const shown = (await call("GET", `/v1/corpora/${corpus}/uploads/${upload.id}`, { key: client.test })).body;
  expect(shown).toMatchObject({ counts: { lines: 2, added: 1, invalid: 1 }, errors: [{ line: 2 }] });
});

it("a document that two instances split at once has each passage once", async () => {
  const corpus = await create(client.test, { embedding_model: null });
  const row = (await store.corpora.getForIndexing(corpus))!;
  const text = Array.from({ length: 50 }, (_, n) => `Art. ${n + 1}. Clause ${n + 1}.`).join("\n");
  const fields = {
    external_id: null,
    title: null,
    source: "A law",
    jurisdiction: null,
    language: "en",
    date: null,
    url: null,
  };
  const document = { ...fields, id: newId("doc"), digest: "", metadata: "{}", text };
  await store.documents.add(row.pool, `${client.tenant}/${corpus}`, null, [document]);
  await Promise.all([1, 2, 3].map(() => indexPassages(store, row.pool)));
  expect((await ready(corpus)).counts).toEqual({
    documents: 1,
    ready_documents: 1,
    passages: 50,
    embedded_passages: 0,
  });
  const { n } = (await bindings.DB.prepare("SELECT COUNT(*) AS n FROM passages_terms WHERE term = ?")
    .bind(`${row.pool}·claus`)
    .first<{ n: number }>())!;
  expect(n).toBe(50);
});

it("a provider's failure is shown, and the request repeated until it succeeds", async () => {
  const model = await planModel({ embed_passages: [{ status: 500 }] });
  const name = model.default;
  const corpus = await create(client.live, { embedding_model: name });
  await add(corpus, client.live, "A rule on tools.");
  const failing = await until("the failure is told", async () => {
    const body = await read(corpus, client.live);
    return body.failure !== null && body;
  });
  expect(failing.failure).toMatch(/^provider_unavailable: /);
  expect((await search(corpus, client.live, "tools")).body.data).toHaveLength(1); // found by its words
  await replan(model, { embed_passages: [{}] });
  expect(await ready(corpus, client.live)).toMatchObject({ failure: null, counts: { embedded_passages: 1 } });
  expect((await search(corpus, client.live, "tools")).body).toMatchObject({ method: "hybrid", embedding_model: name });
});

it("a query that cannot be embedded is a provider error with Retry-After, and a search by words still works", async () => {
  const name = (await planModel({ embed_query: [{ status: 503 }] })).default;
  const corpus = await create(client.live, { embedding_model: name });
  await add(corpus, client.live, "A rule on tools.");
  await ready(corpus, client.live);
  const refused = await search(corpus, client.live, "tools");
  expect(refused).toMatchObject({ status: 503, body: { code: "provider_unavailable" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await search(corpus, client.live, "tools", { method: "bm25" })).body.data).toHaveLength(1);
});

it("a test key's corpus calls no provider", async () => {
  const name = (await planModel({})).default;
  const corpus = await create(client.test, { embedding_model: name });
  await add(corpus, client.test, "A rule on tools.");
  await ready(corpus);
  expect((await search(corpus, client.test, "tools")).body.method).toBe("hybrid");
  expect(await callsOf(corpus)).toEqual([]);
});

it("a corpus that is deleted while its passages are embedded leaves nothing", async () => {
  const name = (await planModel({ embed_passages: [{ delay_ms: 1500 }] })).default;
  const corpus = await create(client.live, { embedding_model: name });
  await add(corpus, client.live, "A rule on tools.");
  await until("the provider is asked", async () => (await callsOf(corpus)).length > 0);
  expect((await call("DELETE", `/v1/corpora/${corpus}`, { key: client.live })).status).toBe(204);
  await until("nothing is left", async () => (await rowsOf(corpus)) === 0);
  const [seen] = await until("the provider has answered", async () => {
    const calls = await callsOf(corpus);
    return typeof calls[0]?.ended_at === "number" && calls;
  });
  expect(seen!.status).toBe(200);
  expect(await rowsOf(corpus)).toBe(0);
});

it("a corpus that is deleted while an upload is read leaves nothing", async () => {
  const corpus = await create(client.test);
  const upload = await receive(corpus, lines(50));
  const row = (await store.corpora.getForIndexing(corpus))!;
  expect((await call("DELETE", `/v1/corpora/${corpus}`, { key: client.test })).status).toBe(204);
  await addNextLines(store, row, upload).catch(() => {}); // its lines may already be deleted
  await until("nothing is left", async () => (await rowsOf(corpus)) === 0);
  const { n } = (await bindings.DB.prepare("SELECT COUNT(*) AS n FROM documents WHERE pool = ?")
    .bind(row.pool)
    .first<{ n: number }>())!;
  expect(n).toBe(0);
  expect((await bindings.BUCKET.list({ prefix: `${client.tenant}/${corpus}/` })).objects).toEqual([]);
});

it("in a pool above the scan limit, vectors rank only passages found by words", async () => {
  const corpus = await create(client.test);
  for (const text of ["A rule on tools.", "A rule on ladders.", "Toolshed regulations."])
    await add(corpus, client.test, text);
  await ready(corpus);
  const [row] = await store.passages.pools({ tenant_id: client.tenant, mode: "test" }, [corpus]);
  const pool = withEmbedder({ ...services, timeout_ms: 1000 }, row!, { mode: "test", embedding_model: null }, freely);
  const wanted = {
    query: "tools",
    limit: 5,
    exclude: [],
    filter: { jurisdiction: null, language: null },
    method: "hybrid",
  } as const;
  const small = await searchPools(store, null, [pool], wanted);
  expect(small).toHaveLength(3);
  expect(small.filter(({ bm25 }) => bm25 === null)).toHaveLength(2);
  const large = await searchPools(store, null, [{ ...pool, embedded: MAX_SCANNED + 1 }], wanted);
  expect(large.map(({ passage, embedding }) => [passage.text, embedding])).toEqual([
    ["A rule on tools.", small.find(({ passage }) => passage.text === "A rule on tools.")!.embedding],
  ]);
});

/** A fake of a Vectorize binding with the limits of Vectorize. */
function standIn() {
  const vectors = new Map<string, { namespace: string; values: number[] }>();
  const binding = {
    async upsert(entries: VectorizeVector[]) {
      if (entries.length > 1000) throw new Error("too many vectors");
      for (const { id, namespace, values } of entries) {
        if (new TextEncoder().encode(id).length > 64) throw new Error("id too long");
        vectors.set(id, { namespace: namespace!, values: [...values] });
      }
      return { mutationId: "1" };
    },
    async query(query: Float32Array, { topK, namespace }: { topK: number; namespace: string }) {
      if (topK > 100) throw new Error("topK too large");
      const matches = [...vectors]
        .filter(([, vector]) => vector.namespace === namespace)
        .map(([id, { values }]) => ({ id, score: values.reduce((sum, value, at) => sum + value * query[at]!, 0) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, topK);
      return { matches, count: matches.length };
    },
    async deleteByIds(ids: string[]) {
      for (const id of ids) vectors.delete(id);
      return { mutationId: "2" };
    },
  };
  return { vectors, index: vectorIndex(binding as unknown as VectorizeBinding) };
}

it("with Vectorize, vectors of a live corpus are stored only there, are searched, and are removed with their passages", async () => {
  const name = (await planModel({})).default;
  const { vectors, index } = standIn();
  const corpus = await create(client.live, { embedding_model: name });
  const other = await create(client.live, { embedding_model: name });
  const fields = {
    external_id: null,
    title: null,
    source: "A law",
    jurisdiction: null,
    language: "en",
    date: null,
    url: null,
  };
  const embedder = embedderOf(services.llm, { model: name, mode: "live", timeout_ms: 3000, account: freely })!;
  for (const [id, texts] of [
    [corpus, ["A rule on tools.", "Fees of ladders."]],
    [other, ["Tools of others."]],
  ] as const) {
    const row = (await store.corpora.getForIndexing(id))!;
    const documents = texts.map((text) => ({ ...fields, id: newId("doc"), digest: "", metadata: "{}", text }));
    // All at once, so that the indexer, which has no Vectorize here, finds no work.
    await store.documents.add(row.pool, `${client.tenant}/${id}`, null, documents);
    await indexPassages(store, row.pool);
    await embedPassages(store, { number: row.pool, id }, embedder, index);
  }
  expect(vectors.size).toBe(3);
  const [row] = await store.passages.pools({ tenant_id: client.tenant, mode: "live" }, [corpus]);
  const pool = withEmbedder({ ...services, timeout_ms: 3000 }, row!, { mode: "live", embedding_model: null }, freely);
  const wanted = {
    query: "law tools",
    limit: 5,
    exclude: [],
    filter: { jurisdiction: null, language: null },
    method: "hybrid",
  } as const;
  const found = await searchPools(store, index, [pool], wanted);
  expect(found.map(({ passage }) => passage.text)).toEqual(["A rule on tools.", "Fees of ladders."]);
  expect(found.every(({ embedding }) => embedding !== null && embedding > 0)).toBe(true);

  const [best] = found;
  await call("DELETE", `/v1/corpora/${corpus}/documents/${best!.passage.document_id}`, { key: client.live });
  // Its vectors that are still in Vectorize are not found.
  expect((await searchPools(store, index, [pool], wanted)).map(({ passage }) => passage.text)).toEqual([
    "Fees of ladders.",
  ]);
  await call("DELETE", `/v1/corpora/${corpus}`, { key: client.live });
  await until("only the other's vector is left", async () => {
    await sweep({ ...composeMaintenance(bindings), vectors: index }, { nudgeAll: false });
    return vectors.size === 1;
  });
});
