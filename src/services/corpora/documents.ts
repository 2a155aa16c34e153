import { toTime } from "../fields/time";
import type { CorpusRow } from "#store/corpora";
import type { DocumentRow } from "#store/rows";
import type { PresentedDocument } from "./schema";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { Owner } from "#core/owner";
import { findCorpus } from "./corpora";
import type { RequestCompletion } from "../idempotency/complete-key";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import { createHash } from "node:crypto";
import { newId } from "#core/ids";
import type { NewDocument } from "#store/documents";
import type { DocumentRequest } from "./requests";

type DocumentFields = "external_id" | "source" | "title" | "jurisdiction" | "language" | "date" | "url";

/** The fields that a document and its passages both show. */
export const documentFieldsOf = (row: Pick<DocumentRow, DocumentFields>): Pick<DocumentRow, DocumentFields> => {
  const { external_id, source, title, jurisdiction, language, date, url } = row;
  return { external_id, source, title, jurisdiction, language, date, url };
};

export const presentDocument = (
  row: Omit<DocumentRow, "content" | "content_key">,
  corpus_id: string,
): PresentedDocument => ({
  object: "document",
  id: row.id,
  corpus_id,
  ...documentFieldsOf(row),
  upload_id: row.upload_id,
  metadata: JSON.parse(row.metadata) as Record<string, string>,
  size: row.size,
  sha256: row.sha256,
  passages: row.passages,
  status: row.status,
  created_at: toTime(row.created_at),
});

/** A document, by its owner, corpus and id. */
export interface DocumentAddress {
  owner: Owner;
  corpus_id: string;
  id: string;
}

/** @throws Problem `not_found` */
export async function findDocument(
  services: Services,
  { owner, corpus_id, id }: DocumentAddress,
): Promise<{ corpus: CorpusRow; document: DocumentRow }> {
  const corpus = await findCorpus(services, owner, corpus_id);
  const document = await services.store.documents.get(corpus.pool, id);
  if (!document) throw new Problem("not_found", `There is no document ${id} in this corpus.`);
  return { corpus, document };
}

/** Newest first. @throws Problem `not_found` */
export async function listDocuments(
  services: Services,
  request: PageRequest & { corpus_id: string; filter: { external_id?: string; status?: string } },
): Promise<Page<PresentedDocument>> {
  const { owner, corpus_id, filter, limit, after } = request;
  const corpus = await findCorpus(services, owner, corpus_id);
  const { rows, next } = await services.store.documents.list(corpus.pool, filter, limit, after);
  return { rows: rows.map((row) => presentDocument(row, corpus.id)), next };
}

/** @throws Problem `not_found` */
export async function getDocument(services: Services, address: DocumentAddress): Promise<PresentedDocument> {
  return presentDocument((await findDocument(services, address)).document, address.corpus_id);
}

/** The text exactly as it was given. @throws Problem `not_found` */
export async function getDocumentContent(services: Services, address: DocumentAddress): Promise<string> {
  return services.store.documents.text((await findDocument(services, address)).document);
}

/** Deletes a document with its passages. @throws Problem `not_found` */
export async function deleteDocument(
  services: Services,
  { owner, corpus_id, id }: { owner: Owner; corpus_id: string; id: string },
  completion?: RequestCompletion,
): Promise<void> {
  const corpus = await findCorpus(services, owner, corpus_id);
  await findDocument(services, { owner, corpus_id, id });
  await services.platform.armMaintenance();
  await services.store.documents.remove(corpus.pool, id, completion);
}

/**
 * A document in the form that is stored.
 * @param language for documents that name none
 */
export function newDocument({ text, metadata, ...fields }: DocumentRequest, language: string | null): NewDocument {
  const stored = { ...fields, language: fields.language ?? language, metadata: JSON.stringify(metadata) };
  const digest = createHash("sha256")
    .update(JSON.stringify([stored, text]))
    .digest("hex");
  return { ...stored, id: newId("doc"), digest, text };
}
