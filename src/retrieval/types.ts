import type { Owner } from "#core/owner";
import type { EmbeddingAccount } from "./embedder";

/** A text that a request provides as evidence. */
export interface EvidenceText {
  source: string;
  text: string;
  title?: string | undefined;
  jurisdiction?: string | undefined;
  /** BCP 47, like `pt` or `en-US`. */
  language?: string | undefined;
  date?: string | undefined;
  url?: string | undefined;
}

/** A verbatim slice of a document with its location. */
export interface Excerpt {
  /** Name of the passage, used by citations; constant while the document exists. */
  id: string;
  document_id: string;
  /** null: the document is the run's own evidence. */
  corpus_id: string | null;
  /** The caller's own name of a corpus's document. */
  external_id: string | null;
  source: string;
  title: string | null;
  /** Headings above the passage in its document; empty: none. */
  heading: string;
  jurisdiction: string | null;
  language: string | null;
  date: string | null;
  url: string | null;
  excerpt: string;
  /** `document.slice(start, end)` is the excerpt: UTF-16 code units. */
  start: number;
  end: number;
  /** Higher is better; comparable within one search only. */
  score: number;
}

export interface Retrieved {
  query: string;
  /** Ranking: by words, or by words and vectors fused. */
  method: "bm25" | "hybrid";
  embedding_model: string | null;
  excerpts: Excerpt[];
  /** Requested corpora that do not exist any more. */
  missing_corpora: string[];
  /** Of evidence that was requested whole and did not fit: sources that are missing, or shown in part. */
  not_shown?: string[];
}

/** What a run may search. */
export interface RetrievalScope extends Owner {
  /** Its own evidence is searched too. */
  run_id: string;
  corpus_ids: readonly string[];
  /** Embedding model of the run's evidence; null: all passages are searched by words only, even where vectors exist. */
  embedding_model: string | null;
}

/** A query over a scope. `exclude` has names of passages to leave out. */
export interface RetrievalQuery {
  query: string;
  limit: number;
  exclude: readonly string[];
  /** Passages of other jurisdictions rank lower; null: no jurisdiction is preferred. */
  jurisdiction?: string | null;
  /**
   * The run's own evidence comes whole and first where it has at most this many characters, else what fits best, and `limit` bounds
   * passages of corpora; null: evidence is ranked with the corpora.
   */
  whole_evidence?: number | null;
}

/** The indexed documents of a run's evidence. */
export interface EvidenceIndex {
  documents: { document_id: string; source: string; passages: number }[];
}

/** Retrieval as used by the engine. */
export interface Retrieval {
  /** Indexes texts for one run only; idempotent by key. */
  indexEvidence(
    scope: Pick<RetrievalScope, keyof Owner | "run_id">,
    key: string,
    evidence: readonly EvidenceText[],
  ): Promise<EvidenceIndex>;
  /**
   * @param account pays for vectors
   * @throws Problem or LlmError, or whatever the account throws; a missing corpus is no error
   */
  search(scope: RetrievalScope, search: RetrievalQuery, account: EmbeddingAccount): Promise<Retrieved>;
}

/** A query to a source of papers. */
export type PaperQuery =
  | { kind: "keyword"; text: string }
  | { kind: "recommendations" | "references"; paper_id: string };

export interface SourcePaper {
  id: string;
  title: string;
  abstract: string | null;
  year: number | null;
  citations: number | null;
  url: string | null;
}

export interface PaperSearch {
  query: PaperQuery;
  papers: SourcePaper[];
  /** Why the source failed, in a sentence; then there are no papers. */
  failure: string | null;
}

/** A source of papers as used by the engine. Failures are data: the run continues without papers. */
export interface PaperSource {
  search(query: PaperQuery, limit: number, mode: "test" | "live"): Promise<PaperSearch>;
}
