/** Documents of a corpus over HTTP: single ones, and refusals. */
import { exports } from "cloudflare:workers";
import { describe, expect, it, test } from "vitest";
import { bindings, until } from "../support/parley";
import { api, refusal } from "./api";
import { MIB, setUpCorpus } from "./corpus";

const { add, at, client, corpus, create, renewCorpus, search, send } = setUpCorpus();

describe("a document", () => {
  it("is shown with all given fields, and its text is kept to the last code unit", async () => {
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

  it("has the language of its corpus when it names none", async () => {
    await at("PATCH", "", { language: "pt" });
    expect((await add({ text: "Um texto." })).body.language).toBe("pt");
    expect((await add({ text: "Another.", language: "en" })).body.language).toBe("en");
  });

  it("is unique by its external_id: the same one changes nothing, a different one is refused", async () => {
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

  it("is added once by many concurrent requests", async () => {
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

  it("may have many megabytes, and is then split in the background; every passage is a slice of it", async () => {
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
    await renewCorpus();
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
