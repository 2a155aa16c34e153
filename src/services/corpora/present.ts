import type { FaultyLine } from "./read-upload";
import type { Usage } from "#llm";
import { toTime, toTimeOrNull } from "../fields/time";
import type { CorpusRow, DocumentRow, UploadRow } from "#store/rows";
import type { Mode } from "#core/vocabulary";

export interface PresentedCorpus {
  object: "corpus";
  id: string;
  mode: Mode;
  name: string;
  description: string;
  language: string | null;
  metadata: Record<string, string>;
  embedding_model: string | null;
  status: "indexing" | "ready";
  failure: string | null;
  counts: { documents: number; ready_documents: number; passages: number; embedded_passages: number };
  usage: Usage;
  created_at: string;
  updated_at: string;
}

export function presentCorpus(row: CorpusRow): PresentedCorpus {
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
    usage: {
      llm_calls: row.llm_calls,
      input_tokens: row.input_tokens,
      cached_input_tokens: 0,
      output_tokens: 0,
      cost_usd: row.cost_usd,
    },
    created_at: toTime(row.created_at),
    updated_at: toTime(row.updated_at),
  };
}

export interface PresentedDocument {
  object: "document";
  id: string;
  corpus_id: string;
  external_id: string | null;
  upload_id: string | null;
  title: string | null;
  source: string;
  jurisdiction: string | null;
  language: string | null;
  date: string | null;
  url: string | null;
  metadata: Record<string, string>;
  size: number;
  sha256: string;
  passages: number;
  status: DocumentRow["status"];
  created_at: string;
}

export function presentDocument(
  row: Omit<DocumentRow, "content" | "content_key">,
  corpus_id: string,
): PresentedDocument {
  const { id, external_id, upload_id, title, source, jurisdiction, language, date, url } = row;
  return {
    object: "document",
    id,
    corpus_id,
    external_id,
    upload_id,
    title,
    source,
    jurisdiction,
    language,
    date,
    url,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    size: row.size,
    sha256: row.sha256,
    passages: row.passages,
    status: row.status,
    created_at: toTime(row.created_at),
  };
}

export interface PresentedUpload {
  object: "upload";
  id: string;
  corpus_id: string;
  status: "reading" | "indexing" | "completed";
  size: number;
  bytes_read: number;
  counts: { lines: number; added: number; unchanged: number; faulty: number; ready: number };
  faults: FaultyLine[];
  failure: string | null;
  created_at: string;
  read_at: string | null;
}

/** @param failure of the corpus: why its work does not go on */
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
