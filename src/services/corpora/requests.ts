import { z } from "zod";
import type { Providers } from "#llm";
import { metadataSchema } from "../fields/metadata";
import { textFault } from "#retrieval/text-faults";

/** What clients send to corpora. */

/** Bytes of the body that brings one document, or of an upload. */
export const LARGEST_DOCUMENTS = 20 * 1024 * 1024;

const line = (max: number) => z.string().trim().min(1).max(max);

/** In its canonical form: `pt-br` is `pt-BR`. */
const language = z
  .string()
  .max(35)
  .transform((tag, context) => {
    try {
      return Intl.getCanonicalLocales(tag)[0] ?? tag;
    } catch {
      context.addIssue({ code: "custom", message: "This is not a language tag of BCP 47, like `pt-BR`." });
      return z.NEVER;
    }
  })
  .describe(
    "BCP 47, like `pt-BR`: it decides which words count and how their endings are taken off. Known are English and Portuguese.",
  );

const jurisdiction = line(100).describe(
  "An ISO 3166 code, like `BR` or `US-CA`, or any name. Other names of statutes are known of BR and US.",
);

const corpusFields = {
  name: line(200),
  description: z.string().max(2000),
  language: language.nullable().describe("Of documents that do not say theirs."),
  metadata: metadataSchema,
};

/**
 * The body of `POST /v1/corpora`.
 * @param providers that a model may be of; null where only the form is of interest
 */
export const createCorpusSchema = (providers: Providers | null) =>
  z.strictObject({
    name: corpusFields.name,
    description: corpusFields.description.default(""),
    language: corpusFields.language.default(null),
    metadata: corpusFields.metadata.default({}),
    embedding_model: z
      .string()
      .min(1)
      .max(200)
      .superRefine((model, context) => {
        const message = providers && refuseModel(model, providers);
        if (message) context.addIssue({ code: "custom", message, params: { code: "unknown_provider" } });
      })
      .nullable()
      .optional()
      .describe(
        "What turns passages into vectors, `<provider>/<model>`; by default the deployment's. null: passages are found by their words alone. It stays. With a test key it is always rehearsed.",
      ),
  });

/** The body of `PATCH /v1/corpora/{id}`. */
export const updateCorpusSchema = () =>
  z
    .strictObject(corpusFields)
    .partial()
    .refine((change) => Object.keys(change).length > 0, "Name at least one field to change.");

function refuseModel(model: string, providers: Providers): string | null {
  const provider = /^([^/]+)\/./s.exec(model)?.[1];
  if (provider === undefined) return `"${model}" is not of the form <provider>/<model>.`;
  if (providers.byName.has(provider)) return null;
  return `There is no provider ${provider}. Those configured: ${[...providers.byName.keys()].join(", ") || "none"}.`;
}

/** One document: the body of a POST, or a line of an upload. */
export const documentSchema = z.strictObject({
  text: z
    .string()
    .superRefine((text, context) => {
      const message = textFault(text);
      if (message) context.addIssue({ code: "custom", message, params: { code: "invalid_text" } });
    })
    .describe("Text or Markdown. Passages are slices of exactly this."),
  source: line(500).describe("What citations name: a statute, a court and its decision, a book."),
  title: line(500).nullable().default(null),
  jurisdiction: jurisdiction.nullable().default(null),
  language: language.nullable().default(null).describe("By default that of the corpus."),
  date: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .nullable()
    .default(null)
    .describe("Of the document's own: `2024-05-31`, or with its time."),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable()
    .default(null)
    .describe("Where it is published. It is not read."),
  metadata: metadataSchema.default({}),
  external_id: line(200)
    .nullable()
    .default(null)
    .describe(
      "The caller's own id of it; stands once in a corpus. The same document again changes nothing; another one is refused.",
    ),
});
export type DocumentRequest = z.infer<typeof documentSchema>;

/** The body of `POST /v1/corpora/{id}/search`. */
export const searchSchema = z.strictObject({
  query: z
    .string()
    .max(20_000)
    .regex(/\S/)
    .describe("In words; a question with its possible answers finds more than the question alone."),
  limit: z.int().min(1).max(100).default(10),
  method: z
    .enum(["bm25", "hybrid"])
    .optional()
    .describe(
      "By words, or by words and vectors; by default hybrid where the corpus has vectors that this key may use.",
    ),
  jurisdiction: jurisdiction.nullable().default(null).describe("Only documents of this one; `US` takes in `US-CA`."),
  language: language.nullable().default(null).describe("Only documents in this one; `pt` takes in `pt-BR`."),
});
export type SearchRequest = z.infer<typeof searchSchema>;
