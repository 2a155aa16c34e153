import type { NewPassage } from "#store/passages";
import type { DocumentRow } from "#store/rows";
import type { Store } from "#store/store";
import { type Slice, splitIntoPassages } from "./split-passages";
import { passageTerms } from "./terms";

/** Text of one document that one transaction indexes. Code units. */
const MAX_TRANSACTION_LENGTH = 300_000;

/** The last large document: splitting it takes seconds, so the next part is read from this cache. */
const splitCache = new WeakMap<Store, { id: string; text: string; slices: Slice[] }>();

/**
 * Splits the next documents of a pool into passages and indexes them: several small documents, or a part of a large one.
 * @param tenant whose quotas the passages need; absent for the evidence of a run
 * @returns whether there was work
 * @throws QuotaExceededError
 */
export async function indexPassages(store: Store, pool: number, tenant?: string): Promise<boolean> {
  const documents = await store.documents.unindexed(pool);
  if (documents.length === 0) return false;
  await store.passages.add(pool, await Promise.all(documents.map((document) => nextOf(store, document))), tenant);
  return true;
}

async function nextOf(store: Store, document: DocumentRow) {
  const cached = splitCache.get(store);
  const { text, slices } = cached?.id === document.id ? cached : await read(store, document);
  const from = document.passages;
  let upto = from;
  for (let size = 0; upto < slices.length && size < MAX_TRANSACTION_LENGTH; upto++)
    size += slices[upto]!.end - slices[upto]!.start;
  const passages = slices.slice(from, upto).map((slice, at) => passageOf(document, text, slice, from + at + 1));
  const last = upto >= slices.length;
  if (last) splitCache.delete(store);
  return { document_id: document.id, from, passages, last };
}

async function read(store: Store, document: DocumentRow) {
  const text = await store.documents.text(document);
  const entry = { id: document.id, text, slices: splitIntoPassages(text) };
  if (text.length > MAX_TRANSACTION_LENGTH) splitCache.set(store, entry);
  return entry;
}

function passageOf(document: DocumentRow, text: string, slice: Slice, ordinal: number): NewPassage {
  const excerpt = text.slice(slice.start, slice.end);
  return {
    ordinal,
    begins: slice.start,
    ends: slice.end,
    heading: slice.heading,
    text: excerpt,
    ...passageTerms(document, slice.heading, excerpt),
  };
}
