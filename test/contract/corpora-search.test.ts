/** Search in a corpus over HTTP. */
import { describe, expect, it, test } from "vitest";
import { addKey, until } from "../support/parley";
import { api, refusal } from "./api";
import { line, setUpCorpus } from "./corpus";

const { add, at, client, create, search, upload } = setUpCorpus();

describe("a search", () => {
  const STATUTE =
    "Art. 34. Constitui infração disciplinar a captação de causas.\n\nArt. 35. As sanções são censura e multa.";

  it("ranks passages, with their documents' fields and their scores", async () => {
    const { id } = (await add({ text: STATUTE, source: "Lei 8.906/1994", jurisdiction: "BR", language: "pt" })).body;
    await until("it is embedded", async () => (await at("GET")).body.status === "ready");
    const body = await search("Quais sanções há?", { limit: 1 });
    expect(body).toMatchObject({
      object: "search",
      query: "Quais sanções há?",
      method: "hybrid",
      embedding_model: "mock",
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

  it("finds words in scripts without blanks", async () => {
    await add({ text: "第一条 この法律は、弁護士の職務について定める。", language: "ja" });
    await add({ text: "第二条 罰金は別に定める。", language: "ja" });
    expect((await search("弁護士", { method: "bm25" })).data.map((entry: any) => entry.excerpt.slice(0, 3))).toEqual([
      "第一条",
    ]);
  });

  it("searches only documents that match its filters", async () => {
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
  it.each(hostile)("treats %j as words only", async (query) => {
    await add({ text: "A rule on tools." });
    const reply = await at("POST", "/search", { query });
    expect(reply.status).toBe(200);
    expect((await search("tools", { method: "bm25" })).data).toHaveLength(1);
  });

  it("does not depend on the contents of other corpora", async () => {
    const texts = ["A rule on tools and ladders.", "A rule on ladders.", "Tools, tools, tools."];
    for (const text of texts) await add({ text, language: "en" });
    const before = (await search("tools ladders", { method: "bm25" })).data;
    const { id: other } = (await create()).body;
    for (let n = 0; n < 20; n++) {
      const body = { source: "A law", text: `Ladders ${n}, ladders and ladders.`, language: "en" };
      expect((await api("POST", `/v1/corpora/${other}/documents`, { key: client.test, body })).status).toBe(201);
    }
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
