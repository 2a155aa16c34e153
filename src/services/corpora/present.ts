import { toTime, toTimeOrNull } from "../fields/time";
import type { FaultyLine } from "../fields/json-lines";
import { usageOf } from "../fields/usage";
import type { CorpusRow, UploadRow } from "#store/corpora";
import type { DocumentRow } from "#store/rows";
import type { PresentedCorpus, PresentedDocument, PresentedUpload } from "./schema";

export function presentCorpus(row: Omit<CorpusRow, "pool">): PresentedCorpus {
  const { id, mode, name, description, language, embedding_model, failure } = row;
  return {
    object: "corpus",
    id,
    mode,
    name,
    description,
    language,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    embedding_model,
    status: row.unready > 0 || row.unread > 0 ? "indexing" : "ready",
    failure,
    counts: {
      documents: row.documents,
      ready_documents: row.documents - row.unready,
      passages: row.passages,
      embedded_passages: row.embedded,
    },
    usage: usageOf({ ...row, cached_input_tokens: 0, output_tokens: 0 }),
    created_at: toTime(row.created_at),
    updated_at: toTime(row.updated_at),
  };
}

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

/** @param failure why the corpus's last attempt to index failed */
export function presentUpload(row: UploadRow, failure: string | null): PresentedUpload {
  const { id, corpus_id, size, position, lines, added, unchanged, faulty, unready } = row;
  return {
    object: "upload",
    id,
    corpus_id,
    status: row.read_at === null ? "reading" : unready > 0 ? "indexing" : "completed",
    size,
    bytes_read: position,
    counts: { lines, added, unchanged, faulty, ready: row.ready },
    faults: JSON.parse(row.faults) as FaultyLine[],
    failure,
    created_at: toTime(row.created_at),
    read_at: toTimeOrNull(row.read_at),
  };
}
