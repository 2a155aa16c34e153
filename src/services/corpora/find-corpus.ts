import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { CorpusRow } from "#store/corpora";
import type { DocumentRow } from "#store/rows";
import type { Owner } from "#core/owner";

/** A document, by its owner, corpus and id. */
export interface DocumentAddress {
  owner: Owner;
  corpus_id: string;
  id: string;
}

/** The owner's corpus with this id. @throws Problem `not_found` */
export async function findCorpus({ store }: Services, owner: Owner, id: string): Promise<CorpusRow> {
  const corpus = await store.corpora.get(owner, id);
  if (!corpus) throw noSuchCorpus(id);
  return corpus;
}

export const noSuchCorpus = (id: string) => new Problem("not_found", `There is no corpus ${id}.`);

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
