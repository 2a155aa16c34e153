/** What retrieval gives to whoever asks: the engine, the verbs of corpora. */
import type { EmbeddingAccount } from "./embedder";

/** A text that a request brings along. */
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

/** A verbatim slice of a document, with where it stands. Nothing in it was made up. */
export interface Excerpt {
  /** Of the passage; stays the same for as long as the document exists. Citations name it. */
  id: string;
  document_id: string;
  /** null: the document is the run's own evidence. */
  corpus_id: string | null;
  source: string;
  title: string | null;
  /** Headings above the passage in its document, as they stand there; empty: none. */
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
  /** How the passages were ranked: by words, or by words and vectors fused. */
  method: "bm25" | "hybrid";
  embedding_model: string | null;
  excerpts: Excerpt[];
  /** Corpora of the request that are no longer there. */
  missing_corpora: string[];
}

/** Where a run may look. */
export interface RetrievalScope {
  tenant: string;
  mode: "test" | "live";
  /** Whose own evidence is looked through too. */
  run_id: string;
  corpus_ids: readonly string[];
  /** What embeds the run's evidence; null: passages are found by their words alone, whatever vectors there are. */
  embedding_model: string | null;
}

/** A query over a scope; passages in `exclude` are left out. */
export interface RetrievalQuery {
  query: string;
  limit: number;
  exclude: readonly string[];
}

/** What became of a run's evidence. */
export interface EvidenceIndex {
  documents: { document_id: string; source: string; passages: number }[];
}

/** Evidence and corpora, as the engine reaches them. */
export interface Retrieval {
  /** Indexes texts for one run alone; may be repeated with the same key. */
  indexEvidence(
    scope: Pick<RetrievalScope, "tenant" | "mode" | "run_id">,
    key: string,
    evidence: readonly EvidenceText[],
  ): Promise<EvidenceIndex>;
  /**
   * @param asker who pays for vectors
   * @throws Problem or LlmError, or what the asker throws; a corpus that is gone is no error
   */
  search(scope: RetrievalScope, search: RetrievalQuery, asker: EmbeddingAccount): Promise<Retrieved>;
}

/** A question to a source of papers. */
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
  /** Why the source gave nothing, in a sentence; the papers are then none. */
  failure: string | null;
}

/** A source of papers, as the engine reaches it. Its failures are data: a run goes on without. */
export interface PaperSource {
  search(query: PaperQuery, limit: number, mode: "test" | "live"): Promise<PaperSearch>;
}
