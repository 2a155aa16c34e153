import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import { newId } from "#core/ids";
import { QuotaExceededError } from "#core/quotas";
import type { Services } from "../services";
import type { RequestCompletion } from "../idempotency/complete-key";
import { withRetry } from "#core/retry";
import { attempt, wakeIndexer } from "../wake";
import { findCorpus, noSuchCorpus } from "./corpora";
import { getUpload } from "./uploads";
import { MAX_DOCUMENTS_BYTES } from "./requests";
import type { PresentedUpload } from "./schema";

interface StartUpload {
  owner: Owner;
  corpus_id: string;
  body: ReadableStream<Uint8Array>;
  /** The answer to store under the key of the request, for the upload of this id. */
  complete?: (id: string) => RequestCompletion | undefined;
}

/**
 * Streams lines of documents into R2; the indexer reads them.
 * @throws Problem `not_found`, `payload_too_large`, `quota_exceeded`
 */
export async function startUpload(
  services: Services,
  { owner, corpus_id, body, complete }: StartUpload,
): Promise<PresentedUpload> {
  const { store } = services;
  const corpus = await findCorpus(services, owner, corpus_id);
  await store.quotas.assertRoom(owner.tenant_id, { stored_bytes: 1, documents: 1, passages: 1 });
  await services.platform.armMaintenance();
  const id = newId("upl");
  const place = { tenant: owner.tenant_id, corpus: corpus.id, upload: id };
  const received = await store.corpora.storeUpload(place, body, MAX_DOCUMENTS_BYTES);
  if (!received) throw new Problem("payload_too_large", "The upload is larger than 20 MiB. Send it in parts.");
  if (received.size === 0) throw new Problem("validation_failed", "The upload is empty: send one document per line.");
  const row = { id, tenant_id: owner.tenant_id, corpus_id: corpus.id, ...received };
  const created = await store.corpora.createUpload(row, complete?.(id)).catch(async (error: unknown) => {
    if (error instanceof QuotaExceededError)
      await attempt("removing a refused upload", id, () => store.corpora.removeLines(received));
    throw error;
  });
  if (!created) throw noSuchCorpus(corpus_id);
  await wakeIndexer(services, corpus.id);
  return withRetry(() => getUpload(services, { owner, corpus_id, id }));
}
