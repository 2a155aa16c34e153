import type { NewPassage } from "#store/passages";
import type { DocumentRow } from "#store/rows";
import type { Store } from "#store/store";
import { type Slice, splitIntoPassages } from "./split-passages";
import { passageTerms } from "./terms";

/** Text and headings that one transaction indexes: other requests wait while their terms are made. Code units. */
const MAX_TRANSACTION_LENGTH = 100_000;

/** Passages after which other requests get their turn while a document is split up to its next passage. */
const PAUSE_AFTER = 2000;

/** A document that is being split, with its next passage. */
interface SplitDocument {
  id: string;
  text: string;
  slices: Generator<Slice>;
  next: Slice | undefined;
  /** Number of passages before `next`. */
  taken: number;
}

/** The last large document: the next transaction continues where this one ended. */
const splitCache = new WeakMap<Store, SplitDocument>();

/**
 * Splits the next documents of a pool into passages and indexes them: several small documents, or a part of a large one.
 * @param tenant whose quotas the passages need; absent for the evidence of a run
 * @returns whether there was work
 * @throws QuotaExceededError
 */
export async function indexPassages(store: Store, pool: number, tenant?: string): Promise<boolean> {
  const documents = await store.documents.unindexed(pool);
  if (documents.length === 0) return false;
  const work: DocumentWork[] = [];
  let left = MAX_TRANSACTION_LENGTH;
  for (const document of documents) {
    const next = await nextOf(store, document, left);
    work.push(next);
    left -= next.size;
    if (left <= 0) break;
  }
  await store.passages.add(pool, work, tenant);
  return true;
}

/** The next passages of a document. */
interface DocumentWork {
  document_id: string;
  from: number;
  passages: NewPassage[];
  last: boolean;
  /** Code units of the text and the headings. */
  size: number;
}

/** @param most code units, after which no passage is added */
async function nextOf(store: Store, document: DocumentRow, most: number): Promise<DocumentWork> {
  const cached = splitCache.get(store);
  const from = document.passages;
  const split = cached?.id === document.id && cached.taken === from ? cached : await read(store, document);
  const passages: NewPassage[] = [];
  let size = 0;
  for (; split.next && size < most; take(split)) {
    const { start, end, heading } = split.next;
    size += end - start + heading.length;
    passages.push(passageOf(document, split.text, split.next, split.taken + 1));
  }
  const last = split.next === undefined;
  if (!last) splitCache.set(store, split);
  else if (cached === split) splitCache.delete(store);
  return { document_id: document.id, from, passages, last, size };
}

/** A document's text, split up to the passages that are not stored yet. */
async function read(store: Store, document: DocumentRow): Promise<SplitDocument> {
  const text = await store.documents.text(document);
  const split: SplitDocument = {
    id: document.id,
    text,
    slices: splitIntoPassages(text),
    next: undefined,
    taken: -1, // `take` is called once before any passage has been taken
  };
  do {
    take(split);
    if ((split.taken + 1) % PAUSE_AFTER === 0) await scheduler.wait(0);
  } while (split.next && split.taken < document.passages);
  return split;
}

function take(split: SplitDocument): void {
  split.next = split.slices.next().value ?? undefined;
  split.taken++;
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
