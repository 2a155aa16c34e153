import { createRoute, z } from "@hono/zod-openapi";
import { addDocument } from "#services/corpora/add-document";
import { deleteDocument, getDocument, getDocumentContent, listDocuments } from "#services/corpora/documents";
import { LARGEST_DOCUMENTS } from "#services/corpora/requests";
import { corpusDocumentSchema, documentStatusSchema, uploadSchema } from "#services/corpora/schema";
import { startUpload } from "#services/corpora/start-upload";
import { getUpload, listUploads } from "#services/corpora/uploads";
import { idPattern } from "#core/ids";
import { newRouter } from "../context";
import { writtenUnderKey } from "../under-key";
import { EXAMPLE_CREATE_DOCUMENT, EXAMPLE_DOCUMENT, EXAMPLE_UPLOAD } from "../examples";
import { documentsBody, isLines, readJson } from "../middleware/body";
import { BODY, created, errors, json, KEYED, LIST, needs, QUERY, requestIdHeader, scopeNote } from "../operation";
import { NO_QUERY, jsonPage, pageQuery, readCursor, toAnswer } from "../pages";
import { pathId } from "../schemas/common";

export const documents = newRouter();

const tags = ["Corpora"];
const ofCorpus = z.object({ id: pathId("cor") });
const oneDocument = z.object({ id: pathId("cor"), document_id: pathId("doc") });
const oneUpload = z.object({ id: pathId("cor"), upload_id: pathId("upl") });

documents.openapi(
  createRoute({
    method: "post",
    path: "/v1/corpora/{id}/documents",
    operationId: "addDocuments",
    tags,
    summary: "Add a document, or upload many",
    description: [
      "As `application/json`: one document. Unless it is very long, it can be found by its words once this has answered; its vectors follow.",
      "As `application/x-ndjson`: one document per line, answered with an upload that shows the progress. Faulty lines do not stop the others.",
      "An `external_id` is unique in a corpus. Adding the same document again changes nothing; a different one is refused: delete the first.",
      scopeNote("runs:write"),
    ].join("\n\n"),
    ...needs("runs:write", documentsBody(LARGEST_DOCUMENTS)),
    request: {
      params: ofCorpus,
      query: NO_QUERY,
      body: {
        required: true,
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/CreateDocument" },
            example: EXAMPLE_CREATE_DOCUMENT,
          },
          "application/x-ndjson": {
            schema: { type: "string" as const },
            example: `${JSON.stringify(EXAMPLE_CREATE_DOCUMENT)}\n`,
          },
        },
      },
    },
    responses: {
      200: json(corpusDocumentSchema, "The same document was already there.", EXAMPLE_DOCUMENT),
      201: created(corpusDocumentSchema, "document", EXAMPLE_DOCUMENT),
      202: created(uploadSchema, "upload", EXAMPLE_UPLOAD),
      ...errors(...KEYED, ...QUERY, ...BODY, "invalid_text", "not_found", "duplicate_document"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const { services, key: owner, held } = c.var;
    const settle = (made: string) => writtenUnderKey(c, made);
    if (isLines(c.req.header("Content-Type"))) {
      const body = c.req.raw.body ?? new Blob([]).stream();
      const upload = held?.made
        ? await getUpload(services, { owner, corpus_id: id, id: held.made })
        : await startUpload(services, { owner, corpus_id: id, body, settle });
      return c.json(upload, 202, { Location: `/v1/corpora/${id}/uploads/${upload.id}` });
    }
    const { added, document } = held?.made
      ? {
          added: true,
          document: await getDocument(services, { owner, corpus_id: id, id: held.made }),
        }
      : await addDocument(services, { owner, corpus_id: id, body: await readJson(c), settle });
    if (!added) return c.json(document, 200);
    return c.json(document, 201, { Location: `/v1/corpora/${id}/documents/${document.id}` });
  },
);

documents.openapi(
  createRoute({
    method: "get",
    path: "/v1/corpora/{id}/documents",
    operationId: "listDocuments",
    tags,
    summary: "List documents",
    description: `Newest first. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: {
      params: ofCorpus,
      query: z.strictObject({
        ...pageQuery,
        external_id: z
          .string()
          .max(200)
          .optional()
          .openapi({ description: "Only the document with this id of yours." }),
        status: documentStatusSchema.optional(),
      }),
    },
    responses: {
      200: jsonPage("DocumentPage", corpusDocumentSchema, "documents", EXAMPLE_DOCUMENT),
      ...errors(...KEYED, ...LIST, "not_found"),
    },
  }),
  async (c) => {
    const { limit, cursor, ...filter } = c.req.valid("query");
    const page = await listDocuments(c.var.services, {
      owner: c.var.key,
      corpus_id: c.req.valid("param").id,
      filter,
      limit,
      after: readCursor("documents", idPattern("doc"), cursor),
    });
    return c.json(toAnswer("documents", page), 200);
  },
);

documents.openapi(
  createRoute({
    method: "get",
    path: "/v1/corpora/{id}/documents/{document_id}",
    operationId: "getDocument",
    tags,
    summary: "Read a document",
    description: `Without its text. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params: oneDocument, query: NO_QUERY },
    responses: {
      200: json(corpusDocumentSchema, "The document.", EXAMPLE_DOCUMENT),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    const { id, document_id } = c.req.valid("param");
    const address = { owner: c.var.key, corpus_id: id, id: document_id };
    return c.json(await getDocument(c.var.services, address), 200);
  },
);

documents.openapi(
  createRoute({
    method: "get",
    path: "/v1/corpora/{id}/documents/{document_id}/content",
    operationId: "getDocumentContent",
    tags,
    summary: "Read the text of a document",
    description: `Exactly as it was given. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params: oneDocument, query: NO_QUERY },
    responses: {
      200: {
        description: "The text.",
        headers: requestIdHeader,
        content: { "text/plain": { schema: z.string(), example: EXAMPLE_CREATE_DOCUMENT.text } },
      },
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    const { id, document_id } = c.req.valid("param");
    const address = { owner: c.var.key, corpus_id: id, id: document_id };
    return c.text(await getDocumentContent(c.var.services, address), 200);
  },
);

documents.openapi(
  createRoute({
    method: "delete",
    path: "/v1/corpora/{id}/documents/{document_id}",
    operationId: "deleteDocument",
    tags,
    summary: "Delete a document",
    description: `With its passages and vectors. ${scopeNote("runs:write")}`,
    ...needs("runs:write"),
    request: { params: oneDocument, query: NO_QUERY },
    responses: {
      204: { description: "Deleted.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    const { id, document_id } = c.req.valid("param");
    await deleteDocument(c.var.services, { owner: c.var.key, corpus_id: id, id: document_id });
    return c.body(null, 204);
  },
);

documents.openapi(
  createRoute({
    method: "get",
    path: "/v1/corpora/{id}/uploads",
    operationId: "listUploads",
    tags,
    summary: "List uploads",
    description: `Newest first. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params: ofCorpus, query: z.strictObject(pageQuery) },
    responses: {
      200: jsonPage("UploadPage", uploadSchema, "uploads", EXAMPLE_UPLOAD),
      ...errors(...KEYED, ...LIST, "not_found"),
    },
  }),
  async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const page = await listUploads(c.var.services, {
      owner: c.var.key,
      corpus_id: c.req.valid("param").id,
      limit,
      after: readCursor("uploads", idPattern("upl"), cursor),
    });
    return c.json(toAnswer("uploads", page), 200);
  },
);

documents.openapi(
  createRoute({
    method: "get",
    path: "/v1/corpora/{id}/uploads/{upload_id}",
    operationId: "getUpload",
    tags,
    summary: "Follow an upload",
    description: scopeNote("runs:read"),
    ...needs("runs:read"),
    request: { params: oneUpload, query: NO_QUERY },
    responses: {
      200: json(uploadSchema, "The upload.", EXAMPLE_UPLOAD),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    const { id, upload_id } = c.req.valid("param");
    const address = { owner: c.var.key, corpus_id: id, id: upload_id };
    return c.json(await getUpload(c.var.services, address), 200);
  },
);
