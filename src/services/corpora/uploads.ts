import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import { findCorpus } from "./find-corpus";
import { presentUpload } from "./present";
import type { PresentedUpload } from "./schema";

/** @throws Problem `not_found` */
export async function getUpload(
  services: Services,
  { owner, corpus_id, id }: { owner: Owner; corpus_id: string; id: string },
): Promise<PresentedUpload> {
  const corpus = await findCorpus(services, owner, corpus_id);
  const row = await services.store.corpora.getUpload(corpus_id, id);
  if (!row) throw new Problem("not_found", `There is no upload ${id} to this corpus.`);
  return presentUpload(row, corpus.failure);
}

/** Newest first. @throws Problem `not_found` */
export async function listUploads(
  services: Services,
  { owner, corpus_id, limit, after }: PageRequest & { corpus_id: string },
): Promise<Page<PresentedUpload>> {
  const corpus = await findCorpus(services, owner, corpus_id);
  const { rows, next } = await services.store.corpora.listUploads(corpus_id, limit, after);
  return { rows: rows.map((row) => presentUpload(row, corpus.failure)), next };
}
