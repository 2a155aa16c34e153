import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { CorpusRow, DocumentRow } from "#store/rows";
import type { Mode } from "#core/vocabulary";

/** The key that makes the request. */
export interface Caller {
  tenant_id: string;
  mode: Mode;
}

/** A document, by its tenant, corpus and id. */
export interface DocumentAddress {
  tenant: string;
  corpus_id: string;
  id: string;
}

/** The tenant's corpus with this id, of either mode. @throws Problem `not_found` */
export async function findCorpus({ store }: Services, tenant: string, id: string): Promise<CorpusRow> {
  const corpus = await store.corpora.get(tenant, id);
  if (!corpus) throw noSuchCorpus(id);
  return corpus;
}

export const noSuchCorpus = (id: string) => new Problem("not_found", `There is no corpus ${id}.`);

/**
 * The corpus for a change, in the mode of the key. Test keys must not change what a live key has paid for, nor may live corpora hold rehearsed vectors.
 * @throws Problem `not_found`, `wrong_mode`
 */
export async function corpusToChange(services: Services, caller: Caller, id: string): Promise<CorpusRow> {
  const corpus = await findCorpus(services, caller.tenant_id, id);
  if (corpus.mode !== caller.mode)
    throw new Problem(
      "wrong_mode",
      `The corpus ${id} was created with a ${corpus.mode} key; this is a ${caller.mode} key.`,
    );
  return corpus;
}

/** @throws Problem `not_found` */
export async function findDocument(
  services: Services,
  { tenant, corpus_id, id }: DocumentAddress,
): Promise<{ corpus: CorpusRow; document: DocumentRow }> {
  const corpus = await findCorpus(services, tenant, corpus_id);
  const document = await services.store.documents.get(corpus.pool, id);
  if (!document) throw new Problem("not_found", `There is no document ${id} in this corpus.`);
  return { corpus, document };
}
