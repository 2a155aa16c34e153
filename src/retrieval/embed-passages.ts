import { MAX_TEXTS } from "#llm";
import type { PassageRow } from "#store/passages";
import type { Store } from "#store/store";
import { chunksOf } from "#core/chunks";
import type { Embedder } from "./embedder";
import type { VectorIndex } from "./vector-index";
import { signsOf } from "./vector-math";

/** Public name of a passage: its document and its position there. */
export const passageName = ({ document_id, ordinal }: Pick<PassageRow, "document_id" | "ordinal">): string =>
  `${document_id}.${ordinal}`;

/** The embedded text of a passage; its title, source and heading say much about its topic. */
const textOf = ({ title, source, heading, text }: PassageRow) =>
  `${[title, source, heading].filter(Boolean).join(" · ")}\n${text}`;

/** Concurrent requests to the model. */
const CONCURRENCY = 4;

/**
 * Embeds and stores the next passages of a pool in concurrent requests. Results of successful requests are stored even when others fail.
 * @param vectorize stores the vectors; null: D1
 * @returns whether there was work
 * @throws LlmError
 */
export async function embedPassages(
  store: Store,
  pool: { number: number; id: string },
  embedder: Embedder,
  vectorize: VectorIndex | null,
): Promise<boolean> {
  const passages = await store.passages.unembedded(pool.number, MAX_TEXTS * CONCURRENCY);
  const batches = chunksOf(passages, MAX_TEXTS);
  const outcomes = await Promise.allSettled(
    batches.map((batch) => embedBatch(store, pool, embedder, vectorize, batch)),
  );
  for (const it of outcomes) if (it.status === "rejected") throw it.reason;
  return passages.length > 0;
}

async function embedBatch(
  store: Store,
  pool: { number: number; id: string },
  embedder: Embedder,
  vectorize: VectorIndex | null,
  passages: readonly PassageRow[],
): Promise<void> {
  // Named by its first passage: an interrupted request is repeated under the same name.
  const part = `passages-from-${passages[0]!.id}`;
  const vectors = await embedder.embed(passages.map(textOf), "embed_passages", part);
  await vectorize?.put(
    pool.number,
    passages.map((passage, at) => ({ name: passageName(passage), vector: vectors[at]! })),
  );
  await store.passageVectors.put(
    pool.number,
    passages.map(({ id }, at) =>
      vectorize ? { id, vector: null, signs: null } : { id, vector: vectors[at]!, signs: signsOf(vectors[at]!) },
    ),
  );
}
