import type { PassageRow } from "#store/passages";
import type { DocumentFilter, PoolRow, RankedPassage } from "#store/bm25";
import type { Store } from "#store/store";
import { passageName } from "./embed-passages";
import type { Embedder } from "./embedder";
import { fuseRanks } from "./fuse";
import { queryTerms, type TextLocale } from "./terms";
import type { VectorIndex } from "./vector-index";
import { nearness, product } from "./vector-math";

/** Minimum depth of each fused ranking; deeper ranks are mostly noise. */
const DEPTH = 50;
/** Passages whose vectors are compared with the query, preselected by words and by signs. */
const CANDIDATES = 200;
/** In larger pools vectors rank only passages that words have found: the signs of all would be too much to read per query. */
export const MAX_SCANNED = 20_000;

/** A pool with the embedder of its passages; null: only words are searched. */
export type SearchedPool = PoolRow & { embedder: Embedder | null };

export interface PoolSearch {
  query: string;
  limit: number;
  /** Names of passages to leave out. */
  exclude: readonly string[];
  filter: DocumentFilter;
  /** `hybrid` requires that every pool has vectors. */
  method: "bm25" | "hybrid";
}

export interface FoundPassage {
  passage: PassageRow;
  /** Score of the ranking. */
  score: number;
  /** null: it contains none of the query's words, or ranks too low. */
  bm25: number | null;
  /** Cosine; null: not compared. */
  embedding: number | null;
}

/** Whether vectors can rank all non-empty pools. */
export const haveVectors = (pools: readonly SearchedPool[]): boolean => {
  const filled = pools.filter(({ passages }) => passages > 0);
  return filled.length > 0 && filled.every(({ embedder }) => embedder !== null);
};

/**
 * Finds the best passages for a query: by words (BM25), or by words and vectors, fused by rank.
 * @throws LlmError when the query cannot be embedded
 */
export async function searchPools(
  store: Store,
  vectorize: VectorIndex | null,
  pools: readonly SearchedPool[],
  search: PoolSearch,
): Promise<FoundPassage[]> {
  const ranked =
    search.method === "bm25"
      ? await wordSearch(store, pools, search)
      : await hybridSearch(store, vectorize, pools, search);
  const excluded = new Set(search.exclude);
  return ranked.filter(({ passage }) => !excluded.has(passageName(passage))).slice(0, search.limit);
}

/** How many passages to read, so that enough remain after the exclusion. */
const wantedOf = ({ limit, exclude }: PoolSearch): number => limit + exclude.length;

async function wordSearch(store: Store, pools: readonly SearchedPool[], search: PoolSearch): Promise<FoundPassage[]> {
  const rows = await store.passages.best(pools, termsOfQuery(pools, search), search.filter, wantedOf(search));
  return rows.map(({ score, ...passage }) => ({ passage, score, bm25: score, embedding: null }));
}

const termsOfQuery = (pools: readonly SearchedPool[], { query }: PoolSearch): string[] =>
  queryTerms(
    query,
    pools.flatMap((pool) => JSON.parse(pool.locales) as TextLocale[]),
  );

async function hybridSearch(
  store: Store,
  vectorize: VectorIndex | null,
  pools: readonly SearchedPool[],
  search: PoolSearch,
): Promise<FoundPassage[]> {
  const [words, near] = await Promise.all([
    store.passages.ranked(pools, termsOfQuery(pools, search), search.filter, CANDIDATES + search.exclude.length),
    vectorMatches(store, vectorize, pools, search),
  ]);
  // Passages found by words are compared as well.
  const cosines = await cosinesOf(store, near, words);
  const bm25 = new Map(words.map(({ id, score }) => [id, score]));
  const rankings = [words.map(({ id }) => id), ...near.map(({ model }) => bestOf(cosines, model))];
  const depth = Math.max(DEPTH, wantedOf(search));
  const chosen = fuseRanks(rankings.map((ids) => ids.slice(0, depth))).slice(0, wantedOf(search));
  const passages = new Map((await store.passages.getMany(chosen.map(({ id }) => id))).map((row) => [row.id, row]));
  return chosen.flatMap(({ id, score }) => {
    const passage = passages.get(id);
    return passage ? [{ passage, score, bm25: bm25.get(id) ?? null, embedding: cosines.get(id)?.score ?? null }] : [];
  });
}

/** Passages near the query by one model; cosines of different models are not comparable. */
interface ModelMatches {
  model: string;
  query: Float32Array;
  pools: ReadonlySet<number>;
  /** Cosines from Vectorize. */
  known: readonly RankedPassage[];
  /** Passages in D1 to compare. */
  candidates: readonly number[];
}

async function vectorMatches(
  store: Store,
  vectorize: VectorIndex | null,
  pools: readonly SearchedPool[],
  { query, filter }: PoolSearch,
): Promise<ModelMatches[]> {
  const embedded = pools.filter((pool) => pool.embedder !== null && pool.passages > 0);
  const models = Map.groupBy(embedded, ({ embedder }) => embedder!.model);
  return Promise.all(
    [...models].map(async ([model, group]) => {
      const { embedder } = group[0]!;
      const [vector] = await embedder!.embed([query], "embed_query", `query-by-${model}`);
      const scanned = await Promise.all(
        group.map(({ number, embedded: count }) =>
          count <= MAX_SCANNED ? nearestInD1(store, number, vector!, filter) : [],
        ),
      );
      const known = vectorize ? await nearestInVectorize(store, vectorize, group, vector!, filter) : [];
      return {
        model,
        query: vector!,
        pools: new Set(group.map(({ number }) => number)),
        known,
        candidates: scanned.flat(),
      };
    }),
  );
}

/** Candidates of one pool whose vectors are stored in D1, chosen by their signs. */
async function nearestInD1(store: Store, pool: number, query: Float32Array, filter: DocumentFilter) {
  const near = nearness(query);
  const rows = await store.passages.signs(pool, filter);
  return rows
    .flatMap(({ id, signs }) => {
      const score = near(signs);
      return score === null ? [] : [{ id, score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, CANDIDATES)
    .map(({ id }) => id);
}

async function nearestInVectorize(
  store: Store,
  vectorize: VectorIndex,
  group: readonly SearchedPool[],
  query: Float32Array,
  filter: DocumentFilter,
): Promise<RankedPassage[]> {
  const live = group.filter(({ mode }) => mode === "live");
  const found = (await Promise.all(live.map(({ number }) => vectorize.nearest(number, query)))).flat();
  const scores = new Map(found.map(({ name, score }) => [name, score]));
  // Vectorize may still contain deleted passages.
  const rows = await store.passages.getByVectorName(
    live.map(({ number }) => number),
    [...scores.keys()],
    filter,
  );
  return rows.map((row) => ({ id: row.id, score: scores.get(passageName(row))! }));
}

/** Cosines by passage id, each with its model. */
async function cosinesOf(store: Store, near: readonly ModelMatches[], words: readonly RankedPassage[]) {
  const cosines = new Map<number, { score: number; model: string }>();
  const ids = new Set([...words.map(({ id }) => id), ...near.flatMap(({ candidates }) => candidates)]);
  const rows = await store.passageVectors.get([...ids]);
  for (const { id, pool, vector } of rows) {
    const matches = near.find(({ pools }) => pools.has(pool));
    if (matches && vector.length === matches.query.length)
      cosines.set(id, { score: product(matches.query, vector), model: matches.model });
  }
  for (const { known, model } of near) for (const { id, score } of known) cosines.set(id, { score, model });
  return cosines;
}

const bestOf = (cosines: ReadonlyMap<number, { score: number; model: string }>, model: string): number[] =>
  [...cosines]
    .filter(([, cosine]) => cosine.model === model)
    .sort(([a, left], [b, right]) => right.score - left.score || a - b)
    .map(([id]) => id);
