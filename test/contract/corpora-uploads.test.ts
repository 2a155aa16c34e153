/** Uploads to a corpus over HTTP: many documents, a line each. */
import { describe, expect, it } from "vitest";
import { bindings, until } from "../support/parley";
import { refusal } from "./api";
import { line, setUpCorpus } from "./corpus";

const { at, client, completed, corpus, renewCorpus, search, upload, uploaded } = setUpCorpus();

describe("an upload", () => {
  it("adds a document for each line, and lists invalid lines", async () => {
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
      counts: { lines: 11, added: 2, unchanged: 1, invalid: 7, ready: 2 },
      failure: null,
    });
    const errors = done.errors.map((invalid: any) => [
      invalid.line,
      invalid.errors.map((fieldError: any) => `${fieldError.path}:${fieldError.code}`),
    ]);
    expect(errors).toEqual([
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

  it("of 2,000 documents adds all of them, and none when repeated", async () => {
    const lines = Array.from({ length: 2000 }, (_, n) =>
      line({ text: `Document number${n}.`, external_id: `${n}` }),
    ).join("");
    expect((await uploaded(lines)).counts).toEqual({ lines: 2000, added: 2000, unchanged: 0, invalid: 0, ready: 2000 });
    expect((await at("GET")).body).toMatchObject({
      status: "ready",
      counts: { documents: 2000, ready_documents: 2000, passages: 2000, embedded_passages: 2000 },
    });
    expect((await search("number1234", { method: "bm25" })).data).toHaveLength(1);
    expect((await uploaded(lines)).counts).toEqual({ lines: 2000, added: 0, unchanged: 2000, invalid: 0, ready: 0 });
    expect((await at("GET")).body.counts.documents).toBe(2000);
  }, 60_000);

  it("may have lines of several megabytes", async () => {
    const large = `${"A sentence of the large one. ".repeat(60_000)}quince`;
    const done = await uploaded(line({ text: "Small." }) + line({ text: large }) + line({ text: "Small too." }));
    expect(done.counts).toMatchObject({ lines: 3, added: 3, invalid: 0, ready: 3 });
    const [found] = (await search("quince", { method: "bm25" })).data;
    expect(large.slice(found.start, found.end)).toBe(found.excerpt);
  }, 60_000);

  it("lists 100 invalid lines at most, and counts all", async () => {
    const done = await uploaded("x\n".repeat(3000));
    expect(done.counts).toMatchObject({ lines: 3000, added: 0, invalid: 3000 });
    expect(done.errors).toHaveLength(100);
  });

  it("is refused when it is empty", async () => {
    expect(await upload("")).toMatchObject(refusal(422, "validation_failed"));
  });

  it("of another corpus is not found in this one", async () => {
    const { id } = (await upload(line({ text: "A text." }))).body;
    await renewCorpus();
    expect(await at("GET", `/uploads/${id}`)).toMatchObject(refusal(404, "not_found"));
  });
});
