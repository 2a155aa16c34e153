import { createHash } from "node:crypto";
import { Problem } from "#core/errors";
import { newId } from "#core/ids";
import { type Llm, MOCK_MODEL } from "#llm";
import type { PoolRow } from "#store/bm25";
import type { Store } from "#store/store";
import { embedPassages, passageName } from "./embed-passages";
import { type EmbeddingAccount, embedderOf } from "./embedder";
import { indexPassages } from "./index-passages";
import { DEEPER, preferJurisdiction } from "./prefer-jurisdiction";
import { type FoundPassage, haveVectors, type SearchedPool, searchPools } from "./search";
import { textError } from "./text-errors";
import type {
  EvidenceIndex,
  EvidenceText,
  Excerpt,
  Retrieval,
  Retrieved,
  RetrievalScope,
  RetrievalQuery,
} from "./types";
import type { VectorIndex } from "./vector-index";
import { wholeEvidence } from "./whole-evidence";

export interface RetrievalDependencies {
  store: Store;
  llm: Llm;
  /** Timeout of one request for vectors. */
  timeout_ms: number;
  /** Vectorize; null: vectors are stored in D1. */
  vectors: VectorIndex | null;
}

const NO_FILTER = { jurisdiction: null, language: null };

/** Retrieval of evidence and corpora over D1. */
export const makeRetrieval = (deps: RetrievalDependencies): Retrieval => ({
  indexEvidence: (scope, key, evidence) => indexEvidence(deps, scope, key, evidence),
  search: (scope, query, account) => searchScope(deps, scope, query, account),
});

async function indexEvidence(
  { store }: RetrievalDependencies,
  { tenant_id, run_id }: Parameters<Retrieval["indexEvidence"]>[0],
  key: string,
  evidence: readonly EvidenceText[],
): Promise<EvidenceIndex> {
  evidence.forEach(({ text }, at) => {
    const fieldError = textError(text);
    if (fieldError)
      throw new Problem("validation_failed", `The text of evidence ${at + 1} cannot be indexed. ${fieldError}`);
  });
  const pool = await store.passages.ensureRunPool(run_id, tenant_id);
  if (pool === null) return { documents: [] };
  const documents = evidence.map((text, at) => documentOf(text, `${key}#${at + 1}`));
  const external_ids = documents.map(({ external_id }) => external_id);
  const before = await store.documents.getByExternalIds(pool, external_ids);
  // Documents of an interrupted attempt are kept; a different text under the same key replaces them.
  const changed = documents.filter(
    (it) => before.get(it.external_id) && before.get(it.external_id)!.digest !== it.digest,
  );
  for (const { external_id } of changed) await store.documents.remove(pool, before.get(external_id)!.id);
  const fresh = documents.filter((it) => before.get(it.external_id)?.digest !== it.digest);
  await store.documents.add(pool, `${tenant_id}/${run_id}`, null, fresh);
  while (await indexPassages(store, pool)) await scheduler.wait(0);
  const indexed = await store.documents.getByExternalIds(pool, external_ids);
  return {
    documents: documents.flatMap(({ external_id, source }) => {
      const row = indexed.get(external_id);
      return row ? [{ document_id: row.id, source, passages: row.passages }] : [];
    }),
  };
}

function documentOf(evidence: EvidenceText, external_id: string) {
  const { text, source, title = null, jurisdiction = null, language = null, date = null, url = null } = evidence;
  const fields = { title, source, jurisdiction, language, date, url };
  const digest = createHash("sha256")
    .update(JSON.stringify([fields, text]))
    .digest("hex");
  return { id: newId("doc"), external_id, digest, metadata: "{}", text, ...fields };
}

async function searchScope(
  deps: RetrievalDependencies,
  scope: RetrievalScope,
  { query, limit, exclude, jurisdiction = null, whole_evidence = null }: RetrievalQuery,
  account: EmbeddingAccount,
): Promise<Retrieved> {
  const { store } = deps;
  const rows = await store.passages.pools(scope, [scope.run_id, ...scope.corpus_ids]);
  const pools = rows.map((row) => withEmbedder(deps, row, scope, account));
  const useVectors = scope.embedding_model !== null;
  const own = pools.find(({ id }) => id === scope.run_id);
  // Corpora are embedded by their indexer; evidence by its first search, so that the searching run can retry.
  const embedEvidence = async () => {
    if (useVectors && own?.embedder) while (await embedPassages(store, own, own.embedder, null));
  };
  const methodOf = (searched: readonly SearchedPool[]) => (useVectors && haveVectors(searched) ? "hybrid" : "bm25");
  const search = { query, filter: NO_FILTER };
  const evidence =
    own && whole_evidence !== null
      ? await wholeEvidence(store, own, whole_evidence, { ...search, method: methodOf([own]) }, embedEvidence)
      : null;
  const ranked = evidence ? pools.filter((pool) => pool !== own) : pools;
  if (!evidence) await embedEvidence();
  const method = methodOf(ranked);
  const depth = jurisdiction === null ? limit : limit * DEEPER;
  const found =
    ranked.length > 0
      ? await searchPools(store, deps.vectors, ranked, { ...search, limit: depth, exclude, method })
      : [];
  const best = preferJurisdiction(found, jurisdiction).slice(0, limit);
  const existing = new Set(rows.map(({ id }) => id));
  return {
    query,
    method,
    embedding_model: method === "hybrid" ? embeddingModelsOf(ranked) : null,
    excerpts: [...(evidence?.passages ?? []), ...best].map((it) => excerptOf(it, corpusOf(it, rows))),
    missing_corpora: scope.corpus_ids.filter((id) => !existing.has(id)),
    ...(evidence ? { not_shown: evidence.not_shown } : {}),
  };
}

/** Adds the embedder of a pool. In test mode it calls no provider. */
export function withEmbedder(
  { llm, timeout_ms }: Pick<RetrievalDependencies, "llm" | "timeout_ms">,
  pool: PoolRow,
  { mode, embedding_model }: Pick<RetrievalScope, "mode" | "embedding_model">,
  account: EmbeddingAccount,
): SearchedPool {
  const evidenceModel = mode === "test" ? MOCK_MODEL : embedding_model;
  const model = pool.mode === null ? evidenceModel : pool.embedding_model;
  return { ...pool, embedder: embedderOf(llm, { model, mode, timeout_ms, account }) };
}

/** The embedding models that ranked these pools. */
export const embeddingModelsOf = (pools: readonly SearchedPool[]): string =>
  [...new Set(pools.flatMap(({ passages, embedder }) => (passages > 0 && embedder ? embedder.model : [])))].join(", ");

const corpusOf = ({ passage }: FoundPassage, rows: readonly PoolRow[]): string | null => {
  const pool = rows.find(({ number }) => number === passage.pool);
  return pool === undefined || pool.mode === null ? null : pool.id;
};

/** A passage in the form that citations refer to. */
export function excerptOf({ passage, score }: FoundPassage, corpus_id: string | null): Excerpt {
  const { document_id, external_id, source, title, heading, jurisdiction, language, date, url, text, begins, ends } =
    passage;
  return {
    id: passageName(passage),
    document_id,
    corpus_id,
    // Evidence has names of our own making.
    external_id: corpus_id === null ? null : external_id,
    source,
    title,
    heading,
    jurisdiction,
    language,
    date,
    url,
    excerpt: text,
    start: begins,
    end: ends,
    score,
  };
}
