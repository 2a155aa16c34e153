import type { PassageRow } from "#store/passages";
import type { Store } from "#store/store";
import { type FoundPassage, type PoolSearch, type SearchedPool, searchPools } from "./search";

export interface ShownEvidence {
  /** In the order of the documents. */
  passages: FoundPassage[];
  /** Sources of documents that are not shown, or only in part. */
  not_shown: string[];
}

/** Passages that are ranked where not all of them fit. */
const MAX_RANKED = 300;

/**
 * A pool's passages whole, where they have at most so many characters; else those that fit a query best, then the first ones, as many as fit.
 * @param embed makes the vectors that a hybrid search needs; not called where all passages fit
 */
export async function wholeEvidence(
  store: Store,
  pool: SearchedPool,
  characters: number,
  search: Pick<PoolSearch, "query" | "filter" | "method">,
  embed: () => Promise<void>,
): Promise<ShownEvidence> {
  const first = await store.passages.first(pool.number, characters);
  if (first.length >= pool.passages) return { passages: first.map(asFound), not_shown: [] };
  await embed();
  const ranked = await searchPools(store, null, [pool], { ...search, limit: MAX_RANKED, exclude: [] });
  const chosen = new Map<number, FoundPassage>();
  let left = characters;
  for (const it of [...ranked, ...first.map(asFound)]) {
    const { id, text } = it.passage;
    if (chosen.has(id) || text.length > left) continue;
    chosen.set(id, it);
    left -= text.length;
  }
  return {
    passages: [...chosen.values()].toSorted((one, other) => one.passage.id - other.passage.id),
    not_shown: await store.passages.otherSources(pool.number, [...chosen.keys()]),
  };
}

const asFound = (passage: PassageRow): FoundPassage => ({ passage, score: 0, bm25: null, embedding: null });
