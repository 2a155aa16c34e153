/** Corpora over HTTP: created, changed, listed and deleted, and refusals. */
import { describe, expect, it, test } from "vitest";
import { all, bindings, makeTenant, until } from "../support/parley";
import { api, refusal } from "./api";
import { line, setUpCorpus } from "./corpus";

const { add, at, client, completed, corpus, create, upload } = setUpCorpus();

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
      embedding_model: "mock",
      status: "ready",
      failure: null,
      counts: { documents: 0, ready_documents: 0, passages: 0, embedded_passages: 0 },
      usage: {
        llm_calls: 0,
        input_tokens: 0,
        cached_input_tokens: 0,
        output_tokens: 0,
        reasoning_tokens: 0,
        cost_usd: null,
      },
      created_at: expect.any(String),
      updated_at: reply.body.created_at,
    });
    expect((await api("GET", `/v1/corpora/${reply.body.id}`, { key: client.test })).body).toEqual(reply.body);
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

  it("may have no vectors, or a model of a configured provider", async () => {
    expect((await create({ embedding_model: null })).body.embedding_model).toBeNull();
    expect((await create({ embedding_model: "openai/any" }, client.live)).body.embedding_model).toBe("openai/any");
    expect((await create({ embedding_model: "openai/any" })).body.embedding_model).toBe("mock");
    expect(await create({ embedding_model: "nobody/x" }, client.live)).toMatchObject(
      refusal(422, "unknown_provider", "embedding_model"),
    );
    expect((await create({ embedding_model: "nobody/x" })).body.embedding_model).toBe("mock");
  });

  it("can be changed: each given field replaces the stored one", async () => {
    const after = (await at("PATCH", "", { description: "As of 2018.", language: "en" })).body;
    expect(after).toEqual({ ...corpus, description: "As of 2018.", language: "en", updated_at: expect.any(String) });
    expect(await at("PATCH", "", {})).toMatchObject(refusal(422, "validation_failed", ""));
    expect(await at("PATCH", "", { embedding_model: null })).toMatchObject(
      refusal(422, "validation_failed", "embedding_model"),
    );
  });

  it("without vectors refuses a search by them", async () => {
    const { id } = (await create({ embedding_model: null })).body;
    const body = { query: "tool", method: "hybrid" };
    expect(await api("POST", `/v1/corpora/${id}/search`, { key: client.test, body })).toMatchObject(
      refusal(409, "no_vectors"),
    );
  });

  it("is deleted with all its contents", async () => {
    const { id } = (await add({ text: `${"zq".repeat(40_000)} medlar` })).body;
    expect(await bindings.BUCKET.head(`${client.tenant}/${corpus.id}/${id}`)).not.toBeNull();
    const { id: lines } = (await upload(line({ text: "A pear." }))).body;
    await completed(lines);
    expect((await at("DELETE")).status).toBe(204);
    for (const reply of [
      await at("GET"),
      await at("DELETE"),
      await at("GET", `/documents/${id}`),
      await at("GET", `/uploads/${lines}`),
      await at("POST", "/search", { query: "medlar" }),
      await add({ text: "More." }),
      await upload(line({ text: "More." })),
    ])
      expect(reply).toMatchObject(refusal(404, "not_found"));
    const rows = (sql: string) => bindings.DB.prepare(sql).bind(corpus.id).first<{ n: number }>();
    await until("no row is left", async () => {
      const left = await rows("SELECT COUNT(*) AS n FROM pools WHERE id = ?");
      const terms = await bindings.DB.prepare(
        "SELECT COUNT(*) AS n FROM passages_terms WHERE term LIKE '%·medlar%'",
      ).first<{ n: number }>();
      return left!.n === 0 && terms!.n === 0;
    });
    expect((await bindings.BUCKET.list({ prefix: `${client.tenant}/${corpus.id}/` })).objects).toEqual([]);
  });
});

it("corpora are listed newest first, those of the key's mode", async () => {
  const owner = await makeTenant();
  const ids: string[] = [];
  for (const key of [owner.test, owner.live, owner.test]) ids.unshift((await create({}, key)).body.id);
  const list = async (key: string) => (await all(key, "/v1/corpora")).map(({ id }) => id);
  expect(await list(owner.test)).toEqual([ids[0], ids[2]]);
  expect(await list(owner.live)).toEqual([ids[1]]);
});
