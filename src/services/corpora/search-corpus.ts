import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import { LlmError } from "#llm";
import { passageName } from "#retrieval/embed-passages";
import { withEmbedder } from "#retrieval/retrieval";
import { type FoundPassage, haveVectors, searchPools } from "#retrieval/search";
import { snippetOf } from "#retrieval/snippet";
import { queryTerms } from "#retrieval/terms";
import type { Services } from "../services";
import { CorpusEmbeddingAccount } from "./embedding-account";
import { noSuchCorpus } from "./corpora";
import { documentFieldsOf } from "./documents";
import type { SearchRequest } from "./requests";
import type { PresentedPassage, SearchResult } from "./schema";

/** A search fails after waiting this long for its provider's permit. Milliseconds. */
const MAX_WAIT_MS = 15_000;
/** Limit of embedding a query: it holds a permit that others wait for, and its owner may be gone by then. Milliseconds. */
const MAX_REQUEST_MS = 30_000;

/**
 * The passages of a corpus that match a query best.
 * @throws Problem `not_found`, `no_vectors`; `provider_*` when the query cannot be embedded
 */
export async function searchCorpus(
  services: Services,
  { owner, id, request }: { owner: Owner; id: string; request: SearchRequest },
): Promise<SearchResult> {
  const { store, settings, llm, vectors } = services;
  const [row] = await store.passages.pools(owner, [id]);
  if (!row) throw noSuchCorpus(id);
  const timeout_ms = Math.min(settings.llm_timeout_ms, MAX_REQUEST_MS);
  const work = { name: `search-${crypto.randomUUID()}`, timeout_ms, assertMayWait: limitWait(MAX_WAIT_MS) };
  const account = new CorpusEmbeddingAccount(services, { ...owner, id }, work);
  const pool = withEmbedder({ llm, timeout_ms }, row, { mode: owner.mode, embedding_model: null }, account);
  if (request.method === "hybrid" && !pool.embedder)
    throw new Problem("no_vectors", `The corpus ${id} has no vectors.`);
  const method = request.method ?? (haveVectors([pool]) ? "hybrid" : "bm25");
  const { query, limit, jurisdiction, language } = request;
  const search = { query, limit, exclude: [], filter: { jurisdiction, language }, method };
  const found = await searchPools(store, vectors, [pool], search)
    .catch((error: unknown) => {
      throw error instanceof LlmError ? providerProblem(error) : error;
    })
    .finally(() => account.complete());
  const locales = found.map(({ passage }) => passage);
  const wanted = new Set(queryTerms(query, locales));
  return {
    object: "search",
    query,
    method,
    embedding_model: method === "hybrid" ? pool.embedder!.model : null,
    data: found.map((match) => presentPassage(match, wanted, method)),
  };
}

/** For a provider that does not say how long to wait. Milliseconds. */
const DEFAULT_RETRY_AFTER = 5000;

function providerProblem({ code, message, options }: LlmError): Problem {
  const wait = options.retryable ? Math.ceil((options.retry_after_ms ?? DEFAULT_RETRY_AFTER) / 1000) : undefined;
  return new Problem(code, message, [], wait);
}

/** A check that throws from `ms` milliseconds after now. */
function limitWait(ms: number): () => Promise<void> {
  const startedAt = Date.now();
  return async () => {
    if (Date.now() - startedAt < ms) return;
    const message = `The provider of the corpus's embedding model has reached its limits: this query waited ${ms / 1000} s for its turn. The method bm25 needs no model.`;
    throw new Problem("provider_rate_limited", message, [], ms / 1000);
  };
}

function presentPassage(
  { passage, score, bm25, embedding }: FoundPassage,
  wanted: ReadonlySet<string>,
  method: string,
): PresentedPassage {
  const { start, end } = snippetOf(passage.text, wanted, passage.language);
  return {
    object: "passage",
    id: passageName(passage),
    document_id: passage.document_id,
    ...documentFieldsOf(passage),
    heading: passage.heading || null,
    excerpt: passage.text,
    start: passage.begins,
    end: passage.ends,
    snippet: { text: passage.text.slice(start, end), start: passage.begins + start, end: passage.begins + end },
    scores: { fused: method === "hybrid" ? score : null, bm25, embedding },
  };
}
