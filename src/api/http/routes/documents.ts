import { createRoute, z } from "@hono/zod-openapi";
import { addDocument } from "#services/corpora/add-document";
import { deleteDocument, getDocument, getDocumentContent, listDocuments } from "#services/corpora/documents";
import { LARGEST_DOCUMENTS } from "#services/corpora/requests";
import { startUpload } from "#services/corpora/start-upload";
import { getUpload, listUploads } from "#services/corpora/uploads";
import { idPattern } from "#core/ids";
import { newRouter } from "../context";
import { EXAMPLE_CREATE_DOCUMENT, EXAMPLE_DOCUMENT, EXAMPLE_UPLOAD } from "../examples";
import { documentsBody, isLines, readJson } from "../middleware/body";
import { BODY, errors, json, KEYED, LIST, needs, QUERY, requestIdHeader, scopeNote } from "../operation";
import { NO_QUERY, pageQuery, pageSchema, readCursor, toAnswer } from "../pages";
import { pathId } from "../schemas/common";
import { documentSchema, uploadSchema } from "../schemas/corpus";

export const documents = newRouter();

const tags = ["Corpora"];
const ofCorpus = z.object({ id: pathId("cor") });
const oneDocument = z.object({ id: pathId("cor"), document_id: pathId("doc") });
const oneUpload = z.object({ id: pathId("cor"), upload_id: pathId("upl") });

const location = (what: string) => ({
  ...requestIdHeader,
  Location: { description: `Path of the ${what}.`, schema: { type: "string" as const } },
});

documents.openapi(
  createRoute({
    method: "post",
    path: "/v1/corpora/{id}/documents",
    operationId: "addDocuments",
    tags,
    summary: "Add a document, or upload many",
    description: [
      "As `application/json`: one document. It can be found by its words from the answer on, if it is not very long; its vectors follow.",
      "As `application/x-ndjson`: a document a line, answered with an upload to follow. A faulty line keeps no other from being added.",
      "An `external_id` stands once in a corpus. The same document under it again changes nothing; another one is refused: delete the first.",
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
      200: json(documentSchema, "The same document was there already.", EXAMPLE_DOCUMENT),
      201: { ...json(documentSchema, "The document.", EXAMPLE_DOCUMENT), headers: location("document") },
      202: { ...json(uploadSchema, "The upload.", EXAMPLE_UPLOAD), headers: location("upload") },
      ...errors(...KEYED, ...QUERY, ...BODY, "invalid_text", "not_found", "wrong_mode", "duplicate_document"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const { services, key } = c.var;
    if (isLines(c.req.header("Content-Type"))) {
      const upload = await startUpload(services, key, id, c.req.raw.body ?? new Blob([]).stream());
      return c.json(upload, 202, { Location: `/v1/corpora/${id}/uploads/${upload.id}` });
    }
    const { added, document } = await addDocument(services, key, id, await readJson(c));
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
        external_id: z.string().max(200).optional().openapi({ description: "The one with this id of yours." }),
        status: z.enum(["indexing", "embedding", "ready"]).optional(),
      }),
    },
    responses: {
      200: json(pageSchema("DocumentPage", documentSchema), "A page of documents.", {
        data: [EXAMPLE_DOCUMENT],
        next_cursor: null,
      }),
      ...errors(...KEYED, ...LIST, "not_found"),
    },
  }),
  async (c) => {
    const { limit, cursor, ...filter } = c.req.valid("query");
    const { id } = c.req.valid("param");
    const after = readCursor("documents", idPattern("doc"), cursor);
    const page = await listDocuments(c.var.services, c.var.key.tenant_id, id, filter, limit, after);
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
      200: json(documentSchema, "The document.", EXAMPLE_DOCUMENT),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    const { id, document_id } = c.req.valid("param");
    return c.json(await getDocument(c.var.services, c.var.key.tenant_id, id, document_id), 200);
  },
);

documents.openapi(
  createRoute({
    method: "get",
    path: "/v1/corpora/{id}/documents/{document_id}/content",
    operationId: "getDocumentContent",
    tags,
    summary: "Read the text of a document",
    description: `As it was given. ${scopeNote("runs:read")}`,
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
    return c.text(await getDocumentContent(c.var.services, c.var.key.tenant_id, id, document_id), 200);
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
      204: { description: "It is gone.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found", "wrong_mode"),
    },
  }),
  async (c) => {
    const { id, document_id } = c.req.valid("param");
    await deleteDocument(c.var.services, c.var.key, id, document_id);
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
      200: json(pageSchema("UploadPage", uploadSchema), "A page of uploads.", {
        data: [EXAMPLE_UPLOAD],
        next_cursor: null,
      }),
      ...errors(...KEYED, ...LIST, "not_found"),
    },
  }),
  async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const { id } = c.req.valid("param");
    const after = readCursor("uploads", idPattern("upl"), cursor);
    return c.json(toAnswer("uploads", await listUploads(c.var.services, c.var.key.tenant_id, id, limit, after)), 200);
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
    return c.json(await getUpload(c.var.services, c.var.key.tenant_id, id, upload_id), 200);
  },
);
