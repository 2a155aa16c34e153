import { Problem } from "#core/errors";
import { LlmError } from "#llm";
import { passageName } from "#retrieval/embed-passages";
import { withEmbedder } from "#retrieval/retrieval";
import { type FoundPassage, haveVectors, searchPools } from "#retrieval/search";
import { snippetOf } from "#retrieval/snippet";
import type { Services } from "../services";
import { CorpusEmbeddingAccount } from "./embedding-account";
import { type Caller, noSuchCorpus } from "./find-corpus";
import type { SearchRequest } from "./requests";

export interface PresentedMatch {
  object: "passage";
  id: string;
  document_id: string;
  external_id: string | null;
  source: string;
  title: string | null;
  heading: string | null;
  jurisdiction: string | null;
  language: string | null;
  date: string | null;
  url: string | null;
  excerpt: string;
  start: number;
  end: number;
  snippet: { text: string; start: number; end: number };
  scores: { fused: number | null; bm25: number | null; embedding: number | null };
}

export interface PresentedSearch {
  object: "search";
  query: string;
  method: "bm25" | "hybrid";
  embedding_model: string | null;
  data: PresentedMatch[];
}

/** A search that has waited for so long for its turn at a provider with limits is given up. Milliseconds. */
const LONGEST_WAIT = 15_000;
/** Bound of embedding a query: whoever asked may be gone by then, and nobody else has the turn meanwhile. Milliseconds. */
const LONGEST_REQUEST = 30_000;

/**
 * The passages of a corpus that suit a query best.
 * @throws Problem `not_found`, `no_vectors`; `provider_*` when the query cannot be embedded
 */
export async function searchCorpus(
  services: Services,
  caller: Caller,
  id: string,
  request: SearchRequest,
): Promise<PresentedSearch> {
  const { store, settings, llm, vectors } = services;
  const [row] = await store.passages.pools(caller.tenant_id, [id]);
  if (!row) throw noSuchCorpus(id);
  const timeout_ms = Math.min(settings.llm_timeout_ms, LONGEST_REQUEST);
  const work = { name: `search-${crypto.randomUUID()}`, timeout_ms, assertMayWait: waitsFor(LONGEST_WAIT) };
  const asker = new CorpusEmbeddingAccount(services, { id, tenant_id: caller.tenant_id }, work);
  const pool = withEmbedder({ llm, timeout_ms }, row, { mode: caller.mode, embedding_model: null }, asker);
  if (request.method === "hybrid" && !pool.embedder)
    throw new Problem("no_vectors", `The corpus ${id} has no vectors that a ${caller.mode} key may use.`);
  const method = request.method ?? (haveVectors([pool]) ? "hybrid" : "bm25");
  const { query, limit, jurisdiction, language } = request;
  const search = { query, limit, exclude: [], filter: { jurisdiction, language }, method };
  const found = await searchPools(store, vectors, [pool], search)
    .catch((error: unknown) => {
      throw error instanceof LlmError ? ofProvider(error) : error;
    })
    .finally(() => asker.settle());
  return {
    object: "search",
    query,
    method,
    embedding_model: method === "hybrid" ? pool.embedder!.model : null,
    data: found.map((it) => presentMatch(it, query, method)),
  };
}

/** Where the provider does not say how long to wait. Milliseconds. */
const COME_BACK_AFTER = 5000;

function ofProvider({ code, message, options }: LlmError): Problem {
  const wait = options.retryable ? Math.ceil((options.retry_after_ms ?? COME_BACK_AFTER) / 1000) : undefined;
  return new Problem(code, message, [], wait);
}

function waitsFor(ms: number): () => Promise<void> {
  const since = Date.now();
  return async () => {
    if (Date.now() - since < ms) return;
    const message = `The corpus's embedding model has more to do than its provider's limits allow: after ${ms / 1000} s it was not this query's turn. The method bm25 needs no model.`;
    throw new Problem("provider_rate_limited", message, [], ms / 1000);
  };
}

function presentMatch(
  { passage, score, bm25, embedding }: FoundPassage,
  query: string,
  method: string,
): PresentedMatch {
  const { document_id, external_id, source, title, heading, jurisdiction, language, date, url } = passage;
  const { start, end } = snippetOf(passage.text, query, passage);
  return {
    object: "passage",
    id: passageName(passage),
    document_id,
    external_id,
    source,
    title,
    heading: heading || null,
    jurisdiction,
    language,
    date,
    url,
    excerpt: passage.text,
    start: passage.begins,
    end: passage.ends,
    snippet: { text: passage.text.slice(start, end), start: passage.begins + start, end: passage.begins + end },
    scores: { fused: method === "hybrid" ? score : null, bm25, embedding },
  };
}
