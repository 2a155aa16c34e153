import { toTime, toTimeOrNull } from "../fields/time";
import type { InvalidLine } from "../fields/json-lines";
import type { UploadRow } from "#store/corpora";
import type { PresentedUpload } from "./schema";
import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import { findCorpus } from "./corpora";

/** @param failure why the corpus's last attempt to index failed */
export function presentUpload(row: UploadRow, failure: string | null): PresentedUpload {
  const { id, corpus_id, size, position, lines, added, unchanged, invalid, unready } = row;
  return {
    object: "upload",
    id,
    corpus_id,
    status: row.read_at === null ? "reading" : unready > 0 ? "indexing" : "completed",
    size,
    bytes_read: position,
    counts: { lines, added, unchanged, invalid, ready: row.ready },
    errors: JSON.parse(row.errors) as InvalidLine[],
    failure,
    created_at: toTime(row.created_at),
    read_at: toTimeOrNull(row.read_at),
  };
}

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
