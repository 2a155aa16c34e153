import { z } from "zod";
import type { InvalidLine } from "../fields/json-lines";
import { fieldErrorSchema, id, modeSchema, time, usageSchema } from "../fields/schema";

const metadata = z.record(z.string(), z.string());
const language = z.string().nullable().meta({ description: "BCP 47.", example: "pt-BR" });
const failure = z
  .string()
  .nullable()
  .describe("Why the last attempt to index failed; it is repeated automatically. null: no failure.");

export const corpusSchema = z
  .strictObject({
    object: z.literal("corpus"),
    id: id("cor"),
    mode: modeSchema,
    name: z.string(),
    description: z.string(),
    language: language.describe("The language of documents that name none."),
    metadata,
    embedding_model: z
      .string()
      .nullable()
      .describe("The model that embeds its passages; null: passages are found by their words alone."),
    status: z
      .enum(["indexing", "ready"])
      .describe("`indexing`: an upload is being read, or a document is not ready yet. Ready documents can be found."),
    failure,
    counts: z.strictObject({
      documents: z.int(),
      ready_documents: z.int(),
      passages: z.int(),
      embedded_passages: z.int(),
    }),
    usage: usageSchema.meta({
      id: "Usage",
      description:
        "Used to embed its passages and the queries of `POST …/search`. The searches of runs count as the runs' usage.",
    }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Corpus" });
export type PresentedCorpus = z.infer<typeof corpusSchema>;

/** Descriptive fields of a document; its passages show them too. */
const descriptive = {
  external_id: z.string().nullable(),
  source: z.string(),
  title: z.string().nullable(),
  jurisdiction: z.string().nullable(),
  language,
  date: z.string().nullable(),
  url: z.string().nullable(),
};

export const documentStatusSchema = z.enum(["indexing", "embedding", "ready"]);

/** The Document of the API, without its text. */
export const corpusDocumentSchema = z
  .strictObject({
    object: z.literal("document"),
    id: id("doc"),
    corpus_id: id("cor"),
    ...descriptive,
    upload_id: id("upl").nullable().describe("The upload that added it."),
    metadata,
    size: z.int().describe("Bytes of the text in UTF-8."),
    sha256: z.string(),
    passages: z.int().describe("How many passages it has been split into so far."),
    status: documentStatusSchema.describe(
      "`indexing`: it is being split; `embedding`: it can be found by its words, and its vectors are being made.",
    ),
    created_at: time,
  })
  .meta({ id: "Document" });
export type PresentedDocument = z.infer<typeof corpusDocumentSchema>;

const invalidLineSchema = z.strictObject({
  line: z.int().describe("From 1."),
  errors: z.array(fieldErrorSchema),
}) satisfies z.ZodType<InvalidLine>;

export const uploadSchema = z
  .strictObject({
    object: z.literal("upload"),
    id: id("upl"),
    corpus_id: id("cor"),
    status: z
      .enum(["reading", "indexing", "completed"])
      .describe("`reading`: lines become documents; `indexing`: not all of these documents are ready yet."),
    size: z.int().describe("Bytes."),
    bytes_read: z.int(),
    counts: z.strictObject({
      lines: z.int().describe("Lines read so far, blank ones included."),
      added: z.int().describe("New documents."),
      unchanged: z.int().describe("Lines whose document was there already, with the same content and fields."),
      invalid: z.int().describe("Lines that were skipped."),
      ready: z.int().describe("Documents of the upload that are split and embedded, and not deleted since."),
    }),
    errors: z.array(invalidLineSchema).describe("The first 100 invalid lines, with the reason for each."),
    failure,
    created_at: time,
    read_at: time.nullable().describe("When its last line was read."),
  })
  .meta({ id: "Upload" });
export type PresentedUpload = z.infer<typeof uploadSchema>;

const offset = z.int().describe("UTF-16 code units in the document's text.");

/** A passage that a search found. */
const passageSchema = z
  .strictObject({
    object: z.literal("passage"),
    id: z
      .string()
      .describe("The document's id and the passage's number in it; stays the same while the document exists."),
    document_id: id("doc"),
    ...descriptive,
    heading: z.string().nullable().describe("The titles and the article that contain it."),
    excerpt: z.string().describe("The document's text from `start` to `end`, verbatim."),
    start: offset,
    end: offset,
    snippet: z
      .strictObject({ text: z.string(), start: offset, end: offset })
      .describe("The part of the excerpt that holds most of the query's words."),
    scores: z.strictObject({
      fused: z.number().nullable().describe("Sum of 1 / (60 + rank) over both rankings."),
      bm25: z.number().nullable().describe("null: not among the best by words."),
      embedding: z.number().nullable().describe("Cosine; null: not compared."),
    }),
  })
  .meta({ id: "Passage" });
export type PresentedPassage = z.infer<typeof passageSchema>;

export const searchResultSchema = z
  .strictObject({
    object: z.literal("search"),
    query: z.string(),
    method: z.enum(["bm25", "hybrid"]),
    embedding_model: z.string().nullable(),
    data: z.array(passageSchema),
  })
  .meta({ id: "SearchResult" });
export type SearchResult = z.infer<typeof searchResultSchema>;
