import type { Owner } from "#core/owner";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import { type DocumentAddress, findCorpus, findDocument } from "./find-corpus";
import { presentDocument } from "./present";
import type { PresentedDocument } from "./schema";

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
  settlement?: Settlement,
): Promise<void> {
  const corpus = await findCorpus(services, owner, corpus_id);
  await findDocument(services, { owner, corpus_id, id });
  await services.platform.armKeeper();
  await services.store.documents.remove(corpus.pool, id, settlement);
}
