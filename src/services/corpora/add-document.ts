import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import { parseBody } from "../fields/field-errors";
import type { RequestCompletion } from "../idempotency/complete-key";
import { withRetry } from "#core/retry";
import { indexPassages } from "#retrieval/index-passages";
import type { Services } from "../services";
import type { CorpusRow } from "#store/corpora";
import { attempt, wakeIndexer } from "../wake";
import { findCorpus, noSuchCorpus } from "./corpora";
import { newDocument, getDocument, presentDocument } from "./documents";
import { createDocumentSchema } from "./requests";
import type { PresentedDocument } from "./schema";

/** The indexer splits longer documents, so that the answer does not wait. UTF-16 code units. */
const MAX_INLINE_INDEX_LENGTH = 200_000;

interface AddDocument {
  owner: Owner;
  corpus_id: string;
  body: unknown;
  /** The answer to store under the key of the request, for the document of this id. */
  complete?: (id: string) => RequestCompletion | undefined;
}

/**
 * Adds a document. Unless it is long, it can be found by its words when this returns; its vectors follow.
 * @returns `added` false: the same document was already there, under the same `external_id`
 * @throws Problem with every error of the body; `not_found`, `duplicate_document`, `quota_exceeded`
 */
export async function addDocument(
  services: Services,
  { owner, corpus_id, body, complete }: AddDocument,
): Promise<{ added: boolean; document: PresentedDocument }> {
  const { store } = services;
  const corpus = await findCorpus(services, owner, corpus_id);
  const document = newDocument(parseBody(createDocumentSchema, body), corpus.language);
  const existing = await findSame(services, corpus, document);
  if (existing) return { added: false, document: existing };
  await services.platform.armMaintenance();
  const added = await store.documents.add(corpus.pool, `${owner.tenant_id}/${corpus.id}`, null, [document], {
    completion: complete?.(document.id),
    tenant: owner.tenant_id,
  });
  if (added.size === 0) {
    // Another request added it first, or the corpus was deleted.
    const same = await findSame(services, corpus, document);
    if (same) return { added: false, document: same };
    throw noSuchCorpus(corpus_id);
  }
  if (document.text.length <= MAX_INLINE_INDEX_LENGTH)
    await attempt("indexing", corpus.id, () => indexPassages(store, corpus.pool, owner.tenant_id));
  await wakeIndexer(services, corpus.id);
  const address = { owner, corpus_id, id: document.id };
  return { added: true, document: await withRetry(() => getDocument(services, address)) };
}

/** The same document under the same `external_id`. @throws Problem `duplicate_document` when that document differs */
async function findSame(
  { store }: Services,
  corpus: CorpusRow,
  { external_id, digest }: { external_id: string | null; digest: string },
): Promise<PresentedDocument | null> {
  if (external_id === null) return null;
  const existing = (await store.documents.getByExternalIds(corpus.pool, [external_id])).get(external_id);
  if (!existing) return null;
  if (existing.digest !== digest) {
    const message = `The document ${existing.id} of this corpus has the external_id "${external_id}" and differs from this one.`;
    throw new Problem("duplicate_document", message, [{ path: "external_id", code: "duplicate_document", message }]);
  }
  const row = await store.documents.get(corpus.pool, existing.id);
  return row && presentDocument(row, corpus.id);
}
