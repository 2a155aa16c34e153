/** The evidence of a run: indexed for that run only, found by words and vectors, removed with the run. */
import { beforeAll, describe, expect, it } from "vitest";
import { composeRun } from "#cloudflare/compose";
import type { EmbeddingAccount } from "#retrieval/embedder";
import type { EvidenceText, Excerpt } from "#retrieval/types";
import { bindings, makeTenant, until } from "../../support/parley";
import { setUpRuns } from "../../support/runs";

const { client, runToEnd, send, start } = setUpRuns();

const { retrieval } = composeRun(bindings, "run_of_this_test");
let run: string;
beforeAll(async () => {
  run = (await runToEnd({ options: { strategy: "single_model" } })).id;
});

const LAW = `# Law of lending

Article 1. A tool that was lent is returned within two weeks.

Article 2. Who returns a tool late pays for each day. The fine of § 3 stays below the tool's price.
`;
const LEI =
  "Art. 34. Constitui infração disciplinar:\nI - exercer a profissão, quando impedido de fazê-lo.\n\nArt. 35. As sanções disciplinares consistem em censura, suspensão, exclusão e multa.";
const evidence: EvidenceText[] = [
  { source: "Law of lending", jurisdiction: "US", language: "en", text: LAW },
  {
    source: "Lei 8.906/1994",
    jurisdiction: "BR",
    language: "pt-BR",
    text: LEI,
    title: "Estatuto",
    date: "1994-07-04",
    url: "https://example.org/lei",
  },
];
const scope = (more: object = {}) => ({
  tenant_id: client.tenant,
  mode: "test" as const,
  run_id: run,
  corpus_ids: [],
  embedding_model: "mock",
  ...more,
});
const search = (query: string, more: object = {}, where: object = {}) =>
  retrieval!.search(scope(where), { query, limit: 5, exclude: [], ...more }, nobody);
const nobody: EmbeddingAccount = {
  id: "nobody",
  owner: { tenant_id: "nobody", mode: "test" },
  acquirePermit: () => Promise.reject(new Error("mock calls ask nobody")),
  spent: () => {},
};
const ids = (excerpts: readonly Excerpt[]) => excerpts.map(({ id }) => id);

describe("the evidence of a run", () => {
  it("is split at its articles, and may be indexed again with the same key", async () => {
    const first = await retrieval!.indexEvidence(scope(), "openings", evidence);
    expect(first.documents.map(({ source, passages }) => [source, passages])).toEqual([
      ["Law of lending", 2],
      ["Lei 8.906/1994", 2],
    ]);
    expect(await retrieval!.indexEvidence(scope(), "openings", evidence)).toEqual(first);
  });

  it("is replaced under the same key by another text, only where it differs", async () => {
    const before = await retrieval!.indexEvidence(scope(), "note", [evidence[0]!, { source: "Note", text: "Zebras." }]);
    const after = await retrieval!.indexEvidence(scope(), "note", [
      evidence[0]!,
      { source: "Note", text: "Giraffes." },
    ]);
    expect(after.documents[0]).toEqual(before.documents[0]);
    expect(after.documents[1]!.document_id).not.toBe(before.documents[1]!.document_id);
    expect((await search("giraffes")).excerpts[0]!.excerpt).toBe("Giraffes.");
    expect((await search("zebras")).excerpts.map(({ excerpt }) => excerpt)).not.toContain("Zebras.");
    await retrieval!.indexEvidence(scope(), "note", []);
  });

  it("is found in its language, as verbatim slices with the fields of their document", async () => {
    const found = await search("Que infração comete o advogado que exerce a profissão impedido?");
    expect(found).toMatchObject({ method: "hybrid", embedding_model: "mock", missing_corpora: [] });
    const [best] = found.excerpts;
    expect(best).toMatchObject({
      corpus_id: null,
      source: "Lei 8.906/1994",
      title: "Estatuto",
      jurisdiction: "BR",
      language: "pt-BR",
      date: "1994-07-04",
      url: "https://example.org/lei",
    });
    expect(best!.excerpt).toMatch(/^Art\. 34\./);
    for (const { source, excerpt, start: from, end } of found.excerpts)
      expect((source === "Lei 8.906/1994" ? LEI : LAW).slice(from, end)).toBe(excerpt);
    expect((await search("fine for late tools")).excerpts[0]!.excerpt).toMatch(/^Article 2\./);
  });

  it("is found by words alone when a run wants no vectors", async () => {
    const found = await search("fine for late tools", {}, { embedding_model: null });
    expect(found).toMatchObject({ method: "bm25", embedding_model: null });
    expect(found.excerpts[0]!.excerpt).toMatch(/^Article 2\./);
  });

  it("is found by article, and by another name of the statute", async () => {
    expect((await search("art. 35 do EAOAB")).excerpts[0]!.excerpt).toMatch(/^Art\. 35\./);
    expect((await search("Article 1")).excerpts[0]!.excerpt).toContain("Article 1.");
  });

  it("excludes passages by name", async () => {
    const all = ids((await search("tool")).excerpts);
    const rest = ids((await search("tool", { exclude: [all[0]!], limit: 1 })).excerpts);
    expect(rest).toEqual([all[1]]);
  });

  it("is found by no other run, tenant or mode", async () => {
    const other = await start({ options: { strategy: "single_model" } });
    expect(await search("tool", {}, { run_id: other })).toMatchObject({ excerpts: [], method: "bm25" });
    const stranger = await makeTenant();
    for (const where of [{ tenant_id: stranger.tenant }, { mode: "live" }])
      expect((await search("tool", {}, where)).excerpts).toEqual([]);
  });

  it("names corpora that do not exist", async () => {
    const gone = "cor_01KA9VR4T5M6N7P8Q9R0S1T2V3";
    expect(await search("tool", {}, { corpus_ids: [gone] })).toMatchObject({ missing_corpora: [gone] });
  });

  it("is refused when it is not text", async () => {
    await expect(retrieval!.indexEvidence(scope(), "bad", [{ source: "A", text: "a\0b" }])).rejects.toMatchObject({
      code: "validation_failed",
    });
  });

  it("is removed with the run", async () => {
    const left = async () =>
      (await bindings.DB.prepare(
        "SELECT (SELECT COUNT(*) FROM pools WHERE id = ?1) + (SELECT COUNT(*) FROM passages_terms WHERE term LIKE '%giraff%') AS n",
      )
        .bind(run)
        .first<{ n: number }>())!.n;
    expect(await left()).toBeGreaterThan(0);
    expect((await send("DELETE", `/v1/runs/${run}`)).status).toBe(204);
    expect((await search("tool")).excerpts).toEqual([]);
    expect(await retrieval!.indexEvidence(scope(), "late", evidence)).toEqual({ documents: [] });
    await until("nothing is left", async () => (await left()) === 0);
  });
});
