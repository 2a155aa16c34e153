import { log } from "#core/log";
import { QuotaExceededError } from "#core/quotas";
import { LlmError } from "#llm";
import { embedderOf } from "#retrieval/embedder";
import { embedPassages } from "#retrieval/embed-passages";
import { indexPassages } from "#retrieval/index-passages";
import type { CorpusInWork } from "#store/corpora";
import type { Services } from "../services";
import { CorpusEmbeddingAccount } from "./embedding-account";
import { addNextLines } from "./add-next-lines";

/** Work pauses after this long and continues in the next alarm. Milliseconds. */
const SLICE = 10_000;
/** Pause between steps: in a single-process deployment, work without pauses would block requests. Milliseconds. */
const STEP_PAUSE = 2;
/** Longest wait for a provider's permit before the work is rescheduled; it keeps its place in the queue. Milliseconds. */
const MAX_PERMIT_WAIT_MS = 45_000;
/** Waits after failures: 5 s, doubled up to an hour. Milliseconds. */
const INITIAL_WAIT_MS = 5000;
const MAX_WAIT_MS = 60 * 60_000;

/** Not a failure: the provider's queue has not reached this corpus yet. */
class StillQueuedSignal extends Error {}

/**
 * Indexes a corpus for a while: lines of uploads become documents, documents become passages, and passages get vectors. Each step is
 * stored in D1.
 * @returns when to continue, in milliseconds since the epoch; null when nothing is left to do
 */
export async function indexCorpus(services: Services, id: string): Promise<number | null> {
  const { store } = services;
  try {
    for (const end = Date.now() + SLICE; Date.now() < end;) {
      const corpus = await store.corpora.getForIndexing(id);
      if (!corpus) return null;
      if (!(await doStep(services, corpus))) break;
      await scheduler.wait(STEP_PAUSE);
    }
  } catch (error) {
    return error instanceof StillQueuedSignal ? Date.now() : recordFailure(services, id, error);
  }
  return (await store.corpora.recordSuccess(id)) ? Date.now() : null;
}

/** One step, complete in itself: a crash in the next step does not undo it. Returns false when nothing is left to do. */
async function doStep(services: Services, corpus: CorpusInWork): Promise<boolean> {
  const { store, llm, settings, vectors } = services;
  const upload = await store.corpora.unread(corpus.id);
  if (upload) {
    await addNextLines(store, corpus, upload);
    return true;
  }
  if (await indexPassages(store, corpus.pool, corpus.tenant_id)) return true;
  if (corpus.embedding_model === null) return false;
  const timeout_ms = settings.llm_timeout_ms;
  const assertMayWait = limitWait(MAX_PERMIT_WAIT_MS, () => store.corpora.getForIndexing(corpus.id));
  const account = new CorpusEmbeddingAccount(services, corpus, { name: "index", timeout_ms, assertMayWait });
  const embedder = embedderOf(llm, { model: corpus.embedding_model, mode: corpus.mode, timeout_ms, account });
  if (!embedder) {
    if (corpus.embedded === corpus.passages) return false;
    throw new LlmError(
      "provider_unreachable",
      `The provider of the model ${corpus.embedding_model} is no longer configured.`,
    );
  }
  const pool = { number: corpus.pool, id: corpus.id };
  return embedPassages(store, pool, embedder, corpus.mode === "live" ? vectors : null).finally(() =>
    account.complete(),
  );
}

/** A check that throws `StillQueuedSignal` when `ms` milliseconds have passed, or when the corpus no longer exists. */
function limitWait(ms: number, readCorpus: () => Promise<unknown>): () => Promise<void> {
  const startedAt = Date.now();
  return async () => {
    if (Date.now() - startedAt >= ms || (await readCorpus()) === null) throw new StillQueuedSignal();
  };
}

/** Stores a failure, which the corpus shows. Returns when to try again; null when the corpus no longer exists. */
async function recordFailure({ store }: Services, id: string, error: unknown): Promise<number | null> {
  const corpus = await store.corpora.getForIndexing(id);
  if (!corpus) return null;
  const isExpected = error instanceof LlmError || error instanceof QuotaExceededError;
  if (!isExpected) log.error("indexing failed, and will be tried again", { corpus_id: id, error });
  const failure = isExpected
    ? `${error.code}: ${error instanceof LlmError ? error.message : error.detail}`
    : "internal_error: The work failed because of an internal error.";
  const wait = Math.min(INITIAL_WAIT_MS * 2 ** corpus.attempts, MAX_WAIT_MS);
  const requested = error instanceof LlmError ? (error.options.retry_after_ms ?? 0) : 0;
  const due_at = Date.now() + Math.max(wait, Math.min(requested, MAX_WAIT_MS));
  await store.corpora.recordFailure(id, failure, corpus.attempts + 1, due_at);
  return due_at;
}
