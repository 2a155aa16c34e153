import type { Services } from "../services";
import type { Page } from "#core/page";
import { type Caller, corpusToChange, findCorpus, findDocument } from "./find-corpus";
import { type PresentedDocument, presentDocument } from "./present";

/** Newest first. @throws Problem `not_found` */
export async function listDocuments(
  services: Services,
  tenant: string,
  corpus_id: string,
  filter: { external_id?: string; status?: string },
  limit: number,
  after: string | null,
): Promise<Page<PresentedDocument>> {
  const corpus = await findCorpus(services, tenant, corpus_id);
  const { rows, next } = await services.store.documents.list(corpus.pool, filter, limit, after);
  return { rows: rows.map((row) => presentDocument(row, corpus.id)), next };
}

/** @throws Problem `not_found` */
export async function getDocument(
  services: Services,
  tenant: string,
  corpus_id: string,
  id: string,
): Promise<PresentedDocument> {
  return presentDocument((await findDocument(services, tenant, corpus_id, id)).document, corpus_id);
}

/** The text as it was given, to the last code unit. @throws Problem `not_found` */
export async function getDocumentContent(
  services: Services,
  tenant: string,
  corpus_id: string,
  id: string,
): Promise<string> {
  return services.store.documents.text((await findDocument(services, tenant, corpus_id, id)).document);
}

/** Removes a document with its passages. @throws Problem `not_found`, `wrong_mode` */
export async function deleteDocument(services: Services, caller: Caller, corpus_id: string, id: string): Promise<void> {
  const corpus = await corpusToChange(services, caller, corpus_id);
  await findDocument(services, caller.tenant_id, corpus_id, id);
  await services.platform.armKeeper();
  await services.store.documents.remove(corpus.pool, id);
}
