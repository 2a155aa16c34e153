import { z } from "@hono/zod-openapi";
import { MODES } from "#core/vocabulary";
import { id, time, usageSchema } from "#services/fields/schema";
import { faultSchema } from "#services/fields/schema";

const metadata = z.record(z.string(), z.string());
const language = z.string().nullable().openapi({ description: "BCP 47.", example: "pt-BR" });
const failure = z
  .string()
  .nullable()
  .openapi({ description: "Why the work does not go on; it is tried again by itself. null: all is well." });

export const corpusSchema = z
  .strictObject({
    object: z.literal("corpus"),
    id: id("cor"),
    mode: z.enum(MODES).openapi({ description: "Of the key that made it; keys of this mode change it." }),
    name: z.string(),
    description: z.string(),
    language: language.openapi({ description: "Of documents that do not say theirs." }),
    metadata,
    embedding_model: z
      .string()
      .nullable()
      .openapi({ description: "What its passages are embedded with; null: they are found by their words alone." }),
    status: z.enum(["indexing", "ready"]).openapi({
      description: "`indexing`: uploads are read, or documents not ready yet. What is ready can be found.",
    }),
    failure,
    counts: z.strictObject({
      documents: z.int(),
      ready_documents: z.int(),
      passages: z.int(),
      embedded_passages: z.int(),
    }),
    usage: usageSchema.openapi({
      description:
        "What embedding its passages, and the queries of `POST …/search`, has used. What runs ask of it counts as theirs.",
    }),
    created_at: time,
    updated_at: time,
  })
  .openapi("Corpus");

export const documentSchema = z
  .strictObject({
    object: z.literal("document"),
    id: id("doc"),
    corpus_id: id("cor"),
    external_id: z.string().nullable(),
    upload_id: id("upl").nullable().openapi({ description: "The upload that brought it." }),
    title: z.string().nullable(),
    source: z.string(),
    jurisdiction: z.string().nullable(),
    language,
    date: z.string().nullable(),
    url: z.string().nullable(),
    metadata,
    size: z.int().openapi({ description: "Bytes of the text in UTF-8." }),
    sha256: z.string(),
    passages: z.int().openapi({ description: "Into which it was split so far." }),
    status: z.enum(["indexing", "embedding", "ready"]).openapi({
      description:
        "`indexing`: it is being split; `embedding`: it is found by its words, and its vectors are being made.",
    }),
    created_at: time,
  })
  .openapi("Document");

export const uploadSchema = z
  .strictObject({
    object: z.literal("upload"),
    id: id("upl"),
    corpus_id: id("cor"),
    status: z.enum(["reading", "indexing", "completed"]).openapi({
      description: "`reading`: lines become documents; `indexing`: these are not all ready yet.",
    }),
    size: z.int().openapi({ description: "Bytes." }),
    bytes_read: z.int(),
    counts: z.strictObject({
      lines: z.int().openapi({ description: "Read so far, blank ones too." }),
      added: z.int().openapi({ description: "Documents that are new." }),
      unchanged: z.int().openapi({ description: "Lines whose document was there already, the same in everything." }),
      faulty: z.int().openapi({ description: "Lines that were left out." }),
      ready: z
        .int()
        .openapi({ description: "Of the documents, those that are split and embedded, and not deleted since." }),
    }),
    faults: z
      .array(z.strictObject({ line: z.int().openapi({ description: "From 1." }), errors: z.array(faultSchema) }))
      .openapi({ description: "The first 1,000 faulty lines, with what is wrong with each." }),
    failure,
    created_at: time,
    read_at: time.nullable().openapi({ description: "When its last line was read." }),
  })
  .openapi("Upload");

const offset = z.int().openapi({ description: "UTF-16 code units in the document's text." });

export const searchResultSchema = z
  .strictObject({
    object: z.literal("search"),
    query: z.string(),
    method: z.enum(["bm25", "hybrid"]),
    embedding_model: z.string().nullable(),
    data: z.array(
      z
        .strictObject({
          object: z.literal("passage"),
          id: z.string().openapi({ description: "Document and place there; stays while the document does." }),
          document_id: id("doc"),
          external_id: z.string().nullable(),
          source: z.string(),
          title: z.string().nullable(),
          heading: z.string().nullable().openapi({ description: "Titles and article that it stands under." }),
          jurisdiction: z.string().nullable(),
          language,
          date: z.string().nullable(),
          url: z.string().nullable(),
          excerpt: z.string().openapi({ description: "The document's text from `start` to `end`, verbatim." }),
          start: offset,
          end: offset,
          snippet: z
            .strictObject({ text: z.string(), start: offset, end: offset })
            .openapi({ description: "The part of the excerpt where most of the query's words stand." }),
          scores: z.strictObject({
            fused: z.number().nullable().openapi({ description: "Sum of 1 / (60 + rank) over both rankings." }),
            bm25: z.number().nullable().openapi({ description: "null: not among the best by words." }),
            embedding: z.number().nullable().openapi({ description: "Cosine; null: it was not compared." }),
          }),
        })
        .openapi("Passage"),
    ),
  })
  .openapi("SearchResult");
