import { MOST_TEXTS } from "../llm";
import type { PassageRow } from "../store/passages";
import type { Store } from "../store/store";
import type { Embedder } from "./embedder";
import type { VectorIndex } from "./vector-index";
import { signsOf } from "./vectors";

/** Outside a passage is called by its document and its place there. */
export const nameOf = ({ document_id, ordinal }: Pick<PassageRow, "document_id" | "ordinal">): string =>
  `${document_id}.${ordinal}`;

/** What of a passage is embedded: where it stands says much of what it is about. */
const textOf = ({ title, source, heading, text }: PassageRow) =>
  `${[title, source, heading].filter(Boolean).join(" · ")}\n${text}`;

/**
 * Gives the next passages of a pool their vectors, in one request to the model.
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
  const passages = await store.passages.unembedded(pool.number, MOST_TEXTS);
  if (passages.length === 0) return false;
  const vectors = await embedder.embed(passages.map(textOf), { run: pool.id, act: "embed_passages" });
  await outside?.put(
    pool.number,
    passages.map((passage, at) => ({ name: nameOf(passage), vector: vectors[at]! })),
  );
  await store.passages.embed(
    pool.number,
    passages.map(({ id }, at) =>
      outside ? { id, vector: null, signs: null } : { id, vector: vectors[at]!, signs: signsOf(vectors[at]!) },
    ),
  );
  return true;
}
