/** Corpora over HTTP: CRUD, documents, uploads, search, and what is refused. */
import { exports } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { addKey, all, bindings, type Client, makeTenant, until } from "../support/parley";
import { api, refusal } from "./api";

let client: Client;
let corpus: { id: string; [field: string]: unknown };
beforeAll(async () => {
  client = await makeTenant();
});
beforeEach(async () => {
  corpus = (await create()).body;
});

const MIB = 1024 * 1024;
const create = (body: object = {}, key = client.test) =>
  api("POST", "/v1/corpora", { key, body: { name: "Statutes", ...body } });
const at = (method: string, path = "", body?: unknown, key = client.test) =>
  api(method, `/v1/corpora/${corpus.id}${path}`, { key, body });
const add = (body: object, key = client.test) => at("POST", "/documents", { source: "A law", ...body }, key);
const search = async (query: string, more: object = {}, key = client.test) =>
  (await at("POST", "/search", { query, ...more }, key)).body;
const upload = (lines: string | Uint8Array, key = client.test) =>
  send(lines, { "content-type": "application/x-ndjson" }, key);

/** One request whose body is sent as it stands. */
async function send(body: string | Uint8Array | ReadableStream, headers: object, key = client.test, id = corpus.id) {
  const response: Response = await (exports as any).default.fetch(`http://parley.test/v1/corpora/${id}/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

const completed = (id: string, key = client.test) =>
  until("the upload is completed", async () => {
    const { body } = await at("GET", `/uploads/${id}`, undefined, key);
    return body.status === "completed" && body;
  });
const uploaded = async (lines: string | Uint8Array) => completed((await upload(lines)).body.id);
const line = (fields: object) => `${JSON.stringify({ source: "A law", ...fields })}\n`;

describe("a corpus", () => {
  it("is shown as it was given, with its defaults", async () => {
    const reply = await create({ language: "pt-br", metadata: { edition: "2018" } });
    expect(reply.status).toBe(201);
    expect(reply.headers.get("location")).toBe(`/v1/corpora/${reply.body.id}`);
    expect(reply.body).toEqual({
      object: "corpus",
      id: expect.stringMatching(/^cor_/),
      mode: "test",
      name: "Statutes",
      description: "",
      language: "pt-BR",
      metadata: { edition: "2018" },
      embedding_model: "rehearsal",
      status: "ready",
      failure: null,
      counts: { documents: 0, ready_documents: 0, passages: 0, embedded_passages: 0 },
      usage: { llm_calls: 0, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: null },
      created_at: expect.any(String),
      updated_at: reply.body.created_at,
    });
    expect((await api("GET", `/v1/corpora/${reply.body.id}`, { key: client.live })).body).toEqual(reply.body);
  });

  const wrong: [what: string, more: object, path: string][] = [
    ["no name", { name: undefined }, "name"],
    ["a blank name", { name: " " }, "name"],
    ["a language that is none", { language: "not a language" }, "language"],
    ["metadata that are not texts", { metadata: { a: 1 } }, "metadata.a"],
    [
      "too many metadata",
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, ""])) },
      "metadata",
    ],
    ["an unknown field", { colour: "red" }, "colour"],
  ];
  test.each(wrong)("is refused with %s", async (_, more, path) => {
    expect(await create(more)).toMatchObject(refusal(422, "validation_failed", path));
  });

  it("may do without vectors, or name a model of a provider that there is", async () => {
    expect((await create({ embedding_model: null })).body.embedding_model).toBeNull();
    expect((await create({ embedding_model: "openai/any" }, client.live)).body.embedding_model).toBe("openai/any");
    expect((await create({ embedding_model: "openai/any" })).body.embedding_model).toBe("rehearsal");
    expect(await create({ embedding_model: "nobody/x" })).toMatchObject(
      refusal(422, "unknown_provider", "embedding_model"),
    );
  });

  it("can be changed: what is given replaces what was", async () => {
    const after = (await at("PATCH", "", { description: "As of 2018.", language: "en" })).body;
    expect(after).toEqual({ ...corpus, description: "As of 2018.", language: "en", updated_at: expect.any(String) });
    expect(await at("PATCH", "", {})).toMatchObject(refusal(422, "validation_failed", ""));
    expect(await at("PATCH", "", { embedding_model: null })).toMatchObject(
      refusal(422, "validation_failed", "embedding_model"),
    );
  });

  it("is changed by keys of its mode only, and read and searched by both", async () => {
    const document = (await add({ text: "A tool that was lent is returned." })).body;
    for (const reply of [
      await at("PATCH", "", { name: "Mine" }, client.live),
      await add({ text: "More." }, client.live),
      await upload(line({ text: "More." }), client.live),
      await at("DELETE", `/documents/${document.id}`, undefined, client.live),
      await at("DELETE", "", undefined, client.live),
    ])
      expect(reply).toMatchObject(refusal(409, "wrong_mode"));
    expect((await at("GET", "", undefined, client.live)).body.counts.documents).toBe(1);
    expect(await search("tool", {}, client.live)).toMatchObject({
      method: "bm25",
      data: [{ document_id: document.id }],
    });
    expect(await at("POST", "/search", { query: "tool", method: "hybrid" }, client.live)).toMatchObject(
      refusal(409, "no_vectors"),
    );
  });

  it("is gone when it is deleted, with all that it held", async () => {
    const { id } = (await add({ text: `${"zq".repeat(40_000)} quince` })).body;
    expect(await bindings.BUCKET.head(`${client.tenant}/${corpus.id}/${id}`)).not.toBeNull();
    const { id: lines } = (await upload(line({ text: "A pear." }))).body;
    await completed(lines);
    expect((await at("DELETE")).status).toBe(204);
    for (const reply of [
      await at("GET"),
      await at("DELETE"),
      await at("GET", `/documents/${id}`),
      await at("GET", `/uploads/${lines}`),
      await at("POST", "/search", { query: "quince" }),
      await add({ text: "More." }),
      await upload(line({ text: "More." })),
    ])
      expect(reply).toMatchObject(refusal(404, "not_found"));
    const rows = (sql: string) => bindings.DB.prepare(sql).bind(corpus.id).first<{ n: number }>();
    await until("no row is left", async () => {
      const left = await rows("SELECT COUNT(*) AS n FROM pools WHERE id = ?");
      const terms = await bindings.DB.prepare(
        "SELECT COUNT(*) AS n FROM passages_terms WHERE term LIKE '%·quinc%'",
      ).first<{ n: number }>();
      return left!.n === 0 && terms!.n === 0;
    });
    expect((await bindings.BUCKET.list({ prefix: `${client.tenant}/${corpus.id}/` })).objects).toEqual([]);
  });
});

it("corpora are listed newest first, of one mode or of both", async () => {
  const owner = await makeTenant();
  const ids: string[] = [];
  for (const key of [owner.test, owner.live, owner.test]) ids.unshift((await create({}, key)).body.id);
  const list = async (query = "") => (await all(owner.test, `/v1/corpora${query}`)).map(({ id }) => id);
  expect(await list()).toEqual(ids);
  expect(await list("?mode=live")).toEqual([ids[1]]);
  expect(await api("GET", "/v1/corpora?mode=both", { key: owner.test })).toMatchObject(
    refusal(400, "invalid_query", "mode"),
  );
});

describe("a document", () => {
  it("is shown with all that was given, and its text is kept to the last code unit", async () => {
    const text = "\ufeff# Título\r\n\r\nArt. 1º Não se muda nada: \u00a0é, e\u0301, 👩‍👩‍👧‍👦, \u2028 法律.\n";
    const fields = {
      source: "Lei 1/2000",
      title: "Estatuto",
      jurisdiction: "BR",
      language: "pt-BR",
      date: "2000-01-31",
      url: "https://example.org/lei",
      metadata: { a: "b" },
      external_id: "lei:1",
    };
    const reply = await add({ ...fields, text });
    expect(reply.status).toBe(201);
    expect(reply.headers.get("location")).toBe(`/v1/corpora/${corpus.id}/documents/${reply.body.id}`);
    expect(reply.body).toMatchObject({
      ...fields,
      corpus_id: corpus.id,
      upload_id: null,
      passages: 1,
      status: "embedding",
    });
    const ready = await until("it is ready", async () => {
      const { body } = await at("GET", `/documents/${reply.body.id}`);
      return body.status === "ready" && body;
    });
    expect(ready).toEqual({ ...reply.body, status: "ready" });
    const content: Response = await (exports as any).default.fetch(
      `http://parley.test/v1/corpora/${corpus.id}/documents/${reply.body.id}/content`,
      { headers: { authorization: `Bearer ${client.test}` } },
    );
    const kept = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await content.arrayBuffer());
    expect(kept).toBe(text);
    for (const { excerpt, start, end, snippet } of (await search("Título")).data) {
      expect(text.slice(start, end)).toBe(excerpt);
      expect(text.slice(snippet.start, snippet.end)).toBe(snippet.text);
    }
  });

  it("has the language of its corpus when it says none", async () => {
    await at("PATCH", "", { language: "pt" });
    expect((await add({ text: "Um texto." })).body.language).toBe("pt");
    expect((await add({ text: "Another.", language: "en" })).body.language).toBe("en");
  });

  it("stands once under an external_id: the same changes nothing, another one is refused", async () => {
    const first = await add({ text: "A text.", external_id: "a" });
    const again = await add({ text: "A text.", external_id: "a" });
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);
    const other = await add({ text: "Another text.", external_id: "a" });
    expect(other).toMatchObject(refusal(409, "duplicate_document", "external_id"));
    expect(other.body.detail).toContain(first.body.id);
    expect((await at("GET", "/documents?external_id=a")).body.data).toHaveLength(1);
    expect((await at("DELETE", `/documents/${first.body.id}`)).status).toBe(204);
    expect((await add({ text: "Another text.", external_id: "a" })).status).toBe(201);
    const elsewhere = (await create()).body.id;
    const reply = await api("POST", `/v1/corpora/${elsewhere}/documents`, {
      key: client.test,
      body: { source: "A law", text: "A text.", external_id: "a" },
    });
    expect(reply.status).toBe(201);
  });

  it("is added once when it is sent many times at once", async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(() => add({ text: "A text.", external_id: "a" })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect((await at("GET", "/documents")).body.data).toHaveLength(1);
    expect((await search("text")).data).toHaveLength(1);
  });

  const wrong: [what: string, more: object, code: string, path: string][] = [
    ["no text", { text: undefined }, "validation_failed", "text"],
    ["an empty text", { text: "" }, "invalid_text", "text"],
    ["a blank text", { text: " \n\u00a0" }, "invalid_text", "text"],
    ["NUL characters", { text: "PK\u0003\u0004\0\0" }, "invalid_text", "text"],
    ["binary data", { text: "\u0001\u0002\ufffd\ufffdabc" }, "invalid_text", "text"],
    ["half a surrogate pair", { text: "a \ud83d b" }, "invalid_text", "text"],
    ["no source", { text: "a", source: undefined }, "validation_failed", "source"],
    ["a date that is none", { text: "a", date: "31/01/2000" }, "validation_failed", "date"],
    ["a URL that is none", { text: "a", url: "javascript:alert(1)" }, "validation_failed", "url"],
    ["an unknown field", { text: "a", author: "b" }, "validation_failed", "author"],
  ];
  test.each(wrong)("is refused with %s", async (_, more, code, path) => {
    expect(await add(more)).toMatchObject(refusal(422, code, path));
  });

  it("is refused when it is larger than 20 MiB, declared or not", async () => {
    const json = { "content-type": "application/json" };
    const big = `{"source":"A law","text":"${"x".repeat(30 * MIB)}"}`;
    expect(await send(big, json)).toMatchObject(refusal(413, "payload_too_large"));
    const chunk = new TextEncoder().encode("x".repeat(3 * MIB));
    const endless = () =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(chunk),
      });
    expect(await send(endless(), json)).toMatchObject(refusal(413, "payload_too_large"));
    expect(await send(endless(), { "content-type": "application/x-ndjson" })).toMatchObject(
      refusal(413, "payload_too_large"),
    );
    expect((await bindings.BUCKET.list({ prefix: `${client.tenant}/${corpus.id}/` })).objects).toEqual([]);
  });

  it("may have many megabytes, and is then split in the background, every passage a slice of it", async () => {
    const text = Array.from(
      { length: 12_000 },
      (_, n) => `Art. ${n + 1}. Clause number${n + 1} of the long law, é 👍.\n`,
    ).join("");
    const { body, status } = await add({ text: text.repeat(1), language: "en" });
    expect([status, body.status]).toEqual([201, "indexing"]);
    const ready = await until(
      "it is ready",
      async () => {
        const reply = await at("GET", `/documents/${body.id}`);
        return reply.body.status === "ready" && reply.body;
      },
      60_000,
    );
    expect(ready.passages).toBe(12_000);
    const found = (await search("number11999", { method: "bm25" })).data;
    expect(found).toHaveLength(1);
    expect(text.slice(found[0].start, found[0].end)).toBe(found[0].excerpt);
    expect(found[0]).toMatchObject({ id: `${body.id}.11999`, heading: "Art. 11999" });
  }, 90_000);

  it("is no longer found when it is deleted", async () => {
    const { id } = (await add({ text: "About quinces." })).body;
    expect((await search("quinces")).data).toHaveLength(1);
    expect((await at("DELETE", `/documents/${id}`)).status).toBe(204);
    expect((await search("quinces")).data).toEqual([]);
    expect(await at("GET", `/documents/${id}`)).toMatchObject(refusal(404, "not_found"));
    expect(await at("DELETE", `/documents/${id}`)).toMatchObject(refusal(404, "not_found"));
    expect((await at("GET")).body.counts).toEqual({
      documents: 0,
      ready_documents: 0,
      passages: 0,
      embedded_passages: 0,
    });
  });

  it("of another corpus is not found in this one", async () => {
    const { id } = (await add({ text: "A text." })).body;
    corpus = (await create()).body;
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/content"],
      ["DELETE", ""],
    ])
      expect(await at(method!, `/documents/${id}${path}`)).toMatchObject(refusal(404, "not_found"));
  });

  it("must be declared as JSON or as lines of JSON", async () => {
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/pdf"])
      expect(await send("{}", { "content-type": type }), type).toMatchObject(refusal(415, "unsupported_media_type"));
  });
});

describe("an upload", () => {
  it("adds a document a line, and tells of the lines that it could not take", async () => {
    const bytes = Buffer.concat([
      Buffer.from("\ufeff"),
      Buffer.from(line({ text: "The first.", external_id: "1" }).replace("\n", "\r\n")),
      Buffer.from("\r\n"),
      Buffer.from("{not json}\n"),
      Buffer.from(line({ text: "" })),
      Buffer.from(line({ text: "With more.", colour: "red", source: undefined })),
      Buffer.from(line({ text: "PK\u0003\0" })),
      Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]),
      Buffer.from(line({ text: "The first.", external_id: "1" })),
      Buffer.from(line({ text: "Not the first.", external_id: "1" })),
      Buffer.from("[]\n"),
      Buffer.from(line({ text: "The last, without an end of line." }).trim()),
    ]);
    const reply = await upload(bytes);
    expect(reply.status).toBe(202);
    expect(reply.headers.get("location")).toBe(`/v1/corpora/${corpus.id}/uploads/${reply.body.id}`);
    const done = await completed(reply.body.id);
    expect(done).toMatchObject({
      size: bytes.length,
      bytes_read: bytes.length,
      counts: { lines: 11, added: 2, unchanged: 1, faulty: 7, ready: 2 },
      failure: null,
    });
    const told = done.faults.map((faulty: any) => [
      faulty.line,
      faulty.errors.map((fault: any) => `${fault.path}:${fault.code}`),
    ]);
    expect(told).toEqual([
      [3, [":malformed_json"]],
      [4, ["text:invalid_text"]],
      [5, expect.arrayContaining(["source:required", "colour:unknown_field"])],
      [6, ["text:invalid_text"]],
      [7, [":invalid_encoding"]],
      [9, ["external_id:duplicate_document"]],
      [10, [":invalid_type"]],
    ]);
    const documents = (await at("GET", "/documents")).body.data;
    expect(documents.map((entry: any) => entry.upload_id)).toEqual([reply.body.id, reply.body.id]);
    expect((await search("first")).data[0]).toMatchObject({ excerpt: "The first.", external_id: "1" });
    expect((await at("GET", "/uploads")).body.data).toEqual([done]);
    const lines = `${client.tenant}/${corpus.id}/${reply.body.id}`;
    await until("its lines are gone", async () => (await bindings.BUCKET.head(lines)) === null);
  });

  it("of 2,000 documents adds them all, and again none", async () => {
    const lines = Array.from({ length: 2000 }, (_, n) =>
      line({ text: `Document number${n}.`, external_id: `${n}` }),
    ).join("");
    expect((await uploaded(lines)).counts).toEqual({ lines: 2000, added: 2000, unchanged: 0, faulty: 0, ready: 2000 });
    expect((await at("GET")).body).toMatchObject({
      status: "ready",
      counts: { documents: 2000, ready_documents: 2000, passages: 2000, embedded_passages: 2000 },
    });
    expect((await search("number1234", { method: "bm25" })).data).toHaveLength(1);
    expect((await uploaded(lines)).counts).toEqual({ lines: 2000, added: 0, unchanged: 2000, faulty: 0, ready: 0 });
    expect((await at("GET")).body.counts.documents).toBe(2000);
  }, 60_000);

  it("may hold lines of several megabytes", async () => {
    const large = `${"A sentence of the large one. ".repeat(60_000)}quince`;
    const done = await uploaded(line({ text: "Small." }) + line({ text: large }) + line({ text: "Small too." }));
    expect(done.counts).toMatchObject({ lines: 3, added: 3, faulty: 0, ready: 3 });
    const [found] = (await search("quince", { method: "bm25" })).data;
    expect(large.slice(found.start, found.end)).toBe(found.excerpt);
  }, 60_000);

  it("tells of 1,000 faulty lines at most, and counts all", async () => {
    const done = await uploaded("x\n".repeat(3000));
    expect(done.counts).toMatchObject({ lines: 3000, added: 0, faulty: 3000 });
    expect(done.faults).toHaveLength(1000);
  });

  it("of nothing is refused", async () => {
    expect(await upload("")).toMatchObject(refusal(422, "validation_failed"));
  });

  it("of another corpus is not found in this one", async () => {
    const { id } = (await upload(line({ text: "A text." }))).body;
    corpus = (await create()).body;
    expect(await at("GET", `/uploads/${id}`)).toMatchObject(refusal(404, "not_found"));
  });
});

describe("a search", () => {
  const STATUTE =
    "Art. 34. Constitui infração disciplinar a captação de causas.\n\nArt. 35. As sanções são censura e multa.";

  it("ranks passages, with all that is known of them and how they fit", async () => {
    const { id } = (await add({ text: STATUTE, source: "Lei 8.906/1994", jurisdiction: "BR", language: "pt" })).body;
    await until("it is embedded", async () => (await at("GET")).body.status === "ready");
    const body = await search("Quais sanções há?", { limit: 1 });
    expect(body).toMatchObject({
      object: "search",
      query: "Quais sanções há?",
      method: "hybrid",
      embedding_model: "rehearsal",
    });
    expect(body.data).toEqual([
      {
        object: "passage",
        id: `${id}.2`,
        document_id: id,
        external_id: null,
        source: "Lei 8.906/1994",
        title: null,
        heading: "Art. 35",
        jurisdiction: "BR",
        language: "pt",
        date: null,
        url: null,
        excerpt: "Art. 35. As sanções são censura e multa.",
        start: 63,
        end: 103,
        snippet: { text: "Art. 35. As sanções são censura e multa.", start: 63, end: 103 },
        scores: { fused: expect.any(Number), bm25: expect.any(Number), embedding: expect.any(Number) },
      },
    ]);
    expect(body.data[0].scores.fused).toBeCloseTo(2 / 61, 10);
    const words = await search("Quais sanções há?", { method: "bm25" });
    expect(words).toMatchObject({ method: "bm25", embedding_model: null });
    expect(words.data[0].scores).toEqual({ fused: null, bm25: body.data[0].scores.bm25, embedding: null });
  });

  it("finds words without their diacritics and endings, articles by their numbers, statutes by their other names", async () => {
    await add({ text: STATUTE, source: "Lei 8.906/1994", jurisdiction: "BR", language: "pt" });
    await add({ text: "Art. 34. Texto de outra lei.", source: "Lei 1/2000", jurisdiction: "BR", language: "pt" });
    const first = async (query: string) => (await search(query, { method: "bm25" })).data[0]?.excerpt;
    expect(await first("INFRACAO")).toMatch(/captação/);
    expect(await first("sanção disciplinar de multas")).toMatch(/^Art\. 35/);
    expect(await first("artigo 34 do EAOAB")).toMatch(/captação/);
    expect(await first("art. 35")).toMatch(/^Art\. 35/);
  });

  it("finds in scripts without blanks", async () => {
    await add({ text: "第一条 この法律は、弁護士の職務について定める。", language: "ja" });
    await add({ text: "第二条 罰金は別に定める。", language: "ja" });
    expect((await search("弁護士", { method: "bm25" })).data.map((entry: any) => entry.excerpt.slice(0, 3))).toEqual([
      "第一条",
    ]);
  });

  it("looks only into documents that fit its filters", async () => {
    await add({ text: "A rule on tools.", jurisdiction: "US-CA", language: "en-US", source: "California" });
    await add({ text: "A rule on tools.", jurisdiction: "BR", language: "pt", source: "Brazil" });
    await add({ text: "A rule on tools.", source: "Nowhere" });
    await until("all is embedded", async () => (await at("GET")).body.status === "ready");
    const sources = async (filter: object) =>
      (await search("rule on tools", filter)).data.map((entry: any) => entry.source).sort();
    for (const method of ["bm25", "hybrid"]) {
      expect(await sources({ method })).toEqual(["Brazil", "California", "Nowhere"]);
      expect(await sources({ method, jurisdiction: "US" })).toEqual(["California"]);
      expect(await sources({ method, jurisdiction: "U" })).toEqual([]);
      expect(await sources({ method, language: "pt" })).toEqual(["Brazil"]);
      expect(await sources({ method, language: "en", jurisdiction: "BR" })).toEqual([]);
    }
  });

  const hostile = [
    '"',
    "'; DROP TABLE passages; --",
    "text:tools OR head:*",
    "NEAR(a b, 2)",
    "tools* AND NOT (x",
    "1·tools",
    "{head body}: ^tools + x",
    "\\ % _ ` [ ]",
    "tools\0tools",
    "😀 \ud83d",
  ];
  it.each(hostile)("takes %j for words, and nothing else", async (query) => {
    await add({ text: "A rule on tools." });
    const reply = await at("POST", "/search", { query });
    expect(reply.status).toBe(200);
    expect((await search("tools", { method: "bm25" })).data).toHaveLength(1);
  });

  it("does not depend on what stands in other corpora", async () => {
    const texts = ["A rule on tools and ladders.", "A rule on ladders.", "Tools, tools, tools."];
    for (const text of texts) await add({ text, language: "en" });
    const before = (await search("tools ladders", { method: "bm25" })).data;
    const mine = corpus;
    corpus = (await create()).body;
    for (let n = 0; n < 20; n++) await add({ text: `Ladders ${n}, ladders and ladders.`, language: "en" });
    corpus = mine;
    expect((await search("tools ladders", { method: "bm25" })).data).toEqual(before);
  });

  const wrong: [what: string, body: object, path: string][] = [
    ["no query", {}, "query"],
    ["a blank query", { query: " " }, "query"],
    ["a long query", { query: "x".repeat(20_001) }, "query"],
    ["no limit", { query: "a", limit: 0 }, "limit"],
    ["a high limit", { query: "a", limit: 101 }, "limit"],
    ["an unknown method", { query: "a", method: "vectors" }, "method"],
    ["an unknown field", { query: "a", top_k: 3 }, "top_k"],
  ];
  test.each(wrong)("is refused with %s", async (_, body, path) => {
    expect(await at("POST", "/search", body)).toMatchObject(refusal(422, "validation_failed", path));
  });

  it("needs runs:read, changes need runs:write", async () => {
    const reader = await addKey(client.tenant, "test", ["runs:read"]);
    expect((await at("POST", "/search", { query: "a" }, reader)).status).toBe(200);
    expect(await add({ text: "A text." }, reader)).toMatchObject(refusal(403, "missing_scope"));
    expect(await upload(line({ text: "A text." }), reader)).toMatchObject(refusal(403, "missing_scope"));
  });
});
