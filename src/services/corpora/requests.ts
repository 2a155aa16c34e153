import { z } from "zod";
import type { Providers } from "#llm";
import { metadataSchema } from "../fields/metadata";
import { providerModel } from "../fields/provider-model";
import { refineWith } from "../fields/refine-with";
import { textError } from "#retrieval/text-errors";

/** The bodies of requests to corpora. */

/** Largest body with one document, and largest upload. Bytes. */
export const MAX_DOCUMENTS_BYTES = 20 * 1024 * 1024;

const line = (max: number) => z.string().trim().min(1).max(max);

/** Returns the canonical form: `pt-br` becomes `pt-BR`. */
const language = z
  .string()
  .max(35)
  .transform((tag, context) => {
    try {
      return Intl.getCanonicalLocales(tag)[0] ?? tag;
    } catch {
      context.addIssue({ code: "custom", message: "This is not a BCP 47 language tag, like `pt-BR`." });
      return z.NEVER;
    }
  })
  .describe("BCP 47, like `pt-BR`: it selects stop words and stemmer. Supported: English and Portuguese.");

const jurisdiction = line(100).describe(
  "An ISO 3166 code, like `BR` or `US-CA`, or any name. For BR and US, alternative names of statutes are known.",
);

const corpusFields = {
  name: line(200),
  description: z.string().max(2000),
  language: language.nullable().describe("The language of documents that name none."),
  metadata: metadataSchema,
};

/**
 * The body of `POST /v1/corpora`.
 * @param providers the configured ones; null: only the form is checked, as for the API document
 */
export const createCorpusSchema = (providers: Providers | null) =>
  z.strictObject({
    name: corpusFields.name,
    description: corpusFields.description.default(""),
    language: corpusFields.language.default(null),
    metadata: corpusFields.metadata.default({}),
    embedding_model: providerModel(providers)
      .nullable()
      .optional()
      .describe(
        "The model that embeds passages, `<provider>/<model>`; by default the deployment's. null: passages are found by their words alone. It cannot be changed later. With a test key it is always a mock.",
      ),
  });

/** The body of `PATCH /v1/corpora/{id}`. */
export const updateCorpusSchema = () =>
  z
    .strictObject(corpusFields)
    .partial()
    .refine((change) => Object.keys(change).length > 0, "Give at least one field to change.");

/** One document: the body of a POST, or a line of an upload. */
export const createDocumentSchema = z.strictObject({
  text: refineWith(z.string(), textError, "invalid_text").describe(
    "Text or Markdown. Passages are exact slices of it.",
  ),
  source: line(500).describe("The name used in citations: a statute, a court and its decision, a book."),
  title: line(500).nullable().default(null),
  jurisdiction: jurisdiction.nullable().default(null),
  language: language.nullable().default(null).describe("By default the language of the corpus."),
  date: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .nullable()
    .default(null)
    .describe("The document's own date: `2024-05-31`, or with a time."),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable()
    .default(null)
    .describe("Where it is published. It is not fetched."),
  metadata: metadataSchema.default({}),
  external_id: line(200)
    .nullable()
    .default(null)
    .describe(
      "Your own id for it, unique in a corpus. Adding the same document again changes nothing; a different one is refused.",
    ),
});
export type DocumentRequest = z.infer<typeof createDocumentSchema>;

/** The body of `POST /v1/corpora/{id}/search`. */
export const searchSchema = z.strictObject({
  query: z
    .string()
    .max(20_000)
    .regex(/\S/)
    .describe("In words. A question together with its possible answers finds more than the question alone."),
  limit: z.int().min(1).max(100).default(10),
  method: z
    .enum(["bm25", "hybrid"])
    .optional()
    .describe("By words, or by words and vectors. By default hybrid if the corpus has vectors that this key may use."),
  jurisdiction: jurisdiction
    .nullable()
    .default(null)
    .describe("Only documents of this jurisdiction; `US` includes `US-CA`."),
  language: language.nullable().default(null).describe("Only documents in this language; `pt` includes `pt-BR`."),
});
export type SearchRequest = z.infer<typeof searchSchema>;
