import { z } from "@hono/zod-openapi";
import { addDocument } from "#services/corpora/add-document";
import { deleteDocument, getDocument, getDocumentContent, listDocuments } from "#services/corpora/documents";
import { MAX_DOCUMENTS_BYTES } from "#services/corpora/requests";
import { corpusDocumentSchema, documentStatusSchema, uploadSchema } from "#services/corpora/schema";
import { startUpload } from "#services/corpora/start-upload";
import { getUpload, listUploads } from "#services/corpora/uploads";
import { idPattern } from "#core/ids";
import { Router } from "../context";
import { EXAMPLE_CREATE_DOCUMENT, EXAMPLE_DOCUMENT, EXAMPLE_UPLOAD } from "../examples";
import { deleteRoute, keyedRoute, listRoute, readRoute } from "../keyed-routes";
import { documentsBody, isLines, readJson } from "../middleware/body";
import { created, json, requestIdHeader } from "../operation";
import { jsonPage, pageQuery } from "../pages";
import { pathId } from "../schemas/common";
import { writtenUnderKey } from "../under-key";

export const documents = new Router("Corpora");

const ofCorpus = z.object({ id: pathId("cor") });
const oneDocument = z.object({ id: pathId("cor"), document_id: pathId("doc") });
const oneUpload = z.object({ id: pathId("cor"), upload_id: pathId("upl") });

keyedRoute(
  documents,
  {
    method: "post",
    path: "/v1/corpora/{id}/documents",
    operationId: "addDocuments",
    summary: "Add a document, or upload many",
    description: [
      "As `application/json`: one document. Unless it is very long, it can be found by its words once this has answered; its vectors follow.",
      "As `application/x-ndjson`: one document per line, answered with an upload that shows the progress. Invalid lines do not stop the others.",
      "An `external_id` is unique in a corpus. Adding the same document again changes nothing; a different one is refused: delete the first.",
    ],
    scope: "runs:write",
    params: ofCorpus,
    rawBody: {
      guard: documentsBody(MAX_DOCUMENTS_BYTES),
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
    responses: {
      200: json(corpusDocumentSchema, "The same document was already there.", EXAMPLE_DOCUMENT),
      201: created(corpusDocumentSchema, "document", EXAMPLE_DOCUMENT),
      202: created(uploadSchema, "upload", EXAMPLE_UPLOAD),
    },
    errors: ["invalid_text", "duplicate_document"],
  },
  async ({ c, services, owner, params: { id: corpus_id } }) => {
    const made = c.var.held?.made;
    const complete = (id: string) => writtenUnderKey(c, id);
    if (isLines(c.req.header("Content-Type"))) {
      const body = c.req.raw.body ?? new Blob([]).stream();
      const upload = made
        ? await getUpload(services, { owner, corpus_id, id: made })
        : await startUpload(services, { owner, corpus_id, body, complete });
      return c.json(upload, 202, { Location: `/v1/corpora/${corpus_id}/uploads/${upload.id}` });
    }
    const { added, document } = made
      ? { added: true, document: await getDocument(services, { owner, corpus_id, id: made }) }
      : await addDocument(services, { owner, corpus_id, body: await readJson(c), complete });
    if (!added) return c.json(document, 200);
    return c.json(document, 201, { Location: `/v1/corpora/${corpus_id}/documents/${document.id}` });
  },
);

listRoute(
  documents,
  {
    path: "/v1/corpora/{id}/documents",
    operationId: "listDocuments",
    summary: "List documents",
    description: "Newest first.",
    scope: "runs:read",
    params: ofCorpus,
    query: z.strictObject({
      ...pageQuery,
      external_id: z.string().max(200).optional().openapi({ description: "Only the document with this id of yours." }),
      status: documentStatusSchema.optional(),
    }),
    cursor: ["documents", idPattern("doc")],
    answer: jsonPage("DocumentPage", corpusDocumentSchema, "documents", EXAMPLE_DOCUMENT),
  },
  ({ services, params: { id: corpus_id }, page, filter }) => listDocuments(services, { ...page, corpus_id, filter }),
);

readRoute(
  documents,
  {
    path: "/v1/corpora/{id}/documents/{document_id}",
    operationId: "getDocument",
    summary: "Read a document",
    description: "Without its text.",
    scope: "runs:read",
    params: oneDocument,
    answer: json(corpusDocumentSchema, "The document.", EXAMPLE_DOCUMENT),
  },
  ({ services, owner, params: { id: corpus_id, document_id: id } }) => getDocument(services, { owner, corpus_id, id }),
);

keyedRoute(
  documents,
  {
    method: "get",
    path: "/v1/corpora/{id}/documents/{document_id}/content",
    operationId: "getDocumentContent",
    summary: "Read the text of a document",
    description: "Exactly as it was given.",
    scope: "runs:read",
    params: oneDocument,
    responses: {
      200: {
        description: "The text.",
        headers: requestIdHeader,
        content: { "text/plain": { schema: z.string(), example: EXAMPLE_CREATE_DOCUMENT.text } },
      },
    },
  },
  async ({ c, services, owner, params: { id: corpus_id, document_id: id } }) =>
    c.text(await getDocumentContent(services, { owner, corpus_id, id }), 200),
);

deleteRoute(
  documents,
  {
    path: "/v1/corpora/{id}/documents/{document_id}",
    operationId: "deleteDocument",
    summary: "Delete a document",
    description: "With its passages and vectors.",
    scope: "runs:write",
    params: oneDocument,
  },
  ({ services, owner, params: { id: corpus_id, document_id: id }, complete }) =>
    deleteDocument(services, { owner, corpus_id, id }, complete(id)),
);

listRoute(
  documents,
  {
    path: "/v1/corpora/{id}/uploads",
    operationId: "listUploads",
    summary: "List uploads",
    description: "Newest first.",
    scope: "runs:read",
    params: ofCorpus,
    cursor: ["uploads", idPattern("upl")],
    answer: jsonPage("UploadPage", uploadSchema, "uploads", EXAMPLE_UPLOAD),
  },
  ({ services, params: { id: corpus_id }, page }) => listUploads(services, { ...page, corpus_id }),
);

readRoute(
  documents,
  {
    path: "/v1/corpora/{id}/uploads/{upload_id}",
    operationId: "getUpload",
    summary: "Follow an upload",
    scope: "runs:read",
    params: oneUpload,
    answer: json(uploadSchema, "The upload.", EXAMPLE_UPLOAD),
  },
  ({ services, owner, params: { id: corpus_id, upload_id: id } }) => getUpload(services, { owner, corpus_id, id }),
);
