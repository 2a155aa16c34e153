import { MOST_TEXTS } from "#llm";
import type { PassageRow } from "#store/passages";
import type { Store } from "#store/store";
import type { Embedder } from "./embedder";
import type { VectorIndex } from "./vector-index";
import { signsOf } from "./vector-math";

/** Outside a passage is called by its document and its place there. */
export const passageName = ({ document_id, ordinal }: Pick<PassageRow, "document_id" | "ordinal">): string =>
  `${document_id}.${ordinal}`;

/** What of a passage is embedded: where it stands says much of what it is about. */
const textOf = ({ title, source, heading, text }: PassageRow) =>
  `${[title, source, heading].filter(Boolean).join(" · ")}\n${text}`;

/** Requests to the model that are on their way at the same time. */
const AT_ONCE = 4;

/**
 * Gives the next passages of a pool their vectors, in a few requests to the model. What some of them bring is kept when others fail.
 * @param outside where vectors are kept; null: in D1
 * @returns whether there was anything to do
 * @throws LlmError
 */
export async function embedPassages(
  store: Store,
  pool: { number: number; id: string },
  embedder: Embedder,
  outside: VectorIndex | null,
): Promise<boolean> {
  const passages = await store.passages.unembedded(pool.number, MOST_TEXTS * AT_ONCE);
  const batches = Array.from({ length: Math.ceil(passages.length / MOST_TEXTS) }, (_, at) =>
    passages.slice(at * MOST_TEXTS, (at + 1) * MOST_TEXTS),
  );
  const ended = await Promise.allSettled(batches.map((batch) => embedBatch(store, pool, embedder, outside, batch)));
  for (const it of ended) if (it.status === "rejected") throw it.reason;
  return passages.length > 0;
}

async function embedBatch(
  store: Store,
  pool: { number: number; id: string },
  embedder: Embedder,
  outside: VectorIndex | null,
  passages: readonly PassageRow[],
): Promise<void> {
  // Named by its first passage, which is the first of a request again when this one was cut off.
  const part = `passages-from-${passages[0]!.id}`;
  const vectors = await embedder.embed(passages.map(textOf), "embed_passages", part);
  await outside?.put(
    pool.number,
    passages.map((passage, at) => ({ name: passageName(passage), vector: vectors[at]! })),
  );
  await store.passages.storeVectors(
    pool.number,
    passages.map(({ id }, at) =>
      outside ? { id, vector: null, signs: null } : { id, vector: vectors[at]!, signs: signsOf(vectors[at]!) },
    ),
  );
}
