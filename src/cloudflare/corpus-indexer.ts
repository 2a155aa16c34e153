import { DurableObject } from "cloudflare:workers";
import { composeServices } from "./compose";
import { CorpusEmbeddingAccount } from "#services/corpora/embedding-account";
import { log } from "#core/log";
import { LlmError } from "#llm";
import { embedderOf } from "#retrieval/embedder";
import { embedPassages } from "#retrieval/embed-passages";
import { indexPassages } from "#retrieval/index-passages";
import type { CorpusInWork } from "#store/corpora";
import { readUpload } from "#services/corpora/read-upload";

/** It stops by itself after this long, and goes on at once in another alarm. Milliseconds. */
const STRETCH = 10_000;
/** Between steps. Served from one process, all of Parley shares a thread, and work without a break lets no request in. Milliseconds. */
const BREATH = 2;
/** A crash in the middle of a stretch is made good after this long; a stretch takes a minute at worst. Milliseconds. */
const RESUME_AFTER = 120_000;
/** So long it waits for turns at a provider with limits before it comes back, to its place in the queue. Milliseconds. */
const LONGEST_QUEUE = 45_000;
/** Waits after failures: 5 s, doubled up to an hour. Milliseconds. */
const FIRST_WAIT = 5000;
const LONGEST_WAIT = 60 * 60_000;

/** No failure: its turn has not come yet. */
class StillQueued extends Error {}

/** Waiting ends when it has become long, or when the corpus is gone. */
function waitsFor(ms: number, look: () => Promise<unknown>): () => Promise<void> {
  const since = Date.now();
  return async () => {
    if (Date.now() - since >= ms || (await look()) === null) throw new StillQueued();
  };
}

/**
 * Does the work of one corpus; its name is the corpus's id. Lines of uploads become documents, documents passages, passages get
 * vectors, each in steps that D1 holds: this object holds the alarm and nothing else.
 */
export class CorpusIndexer extends DurableObject<Env> {
  /** There is work. */
  async index(): Promise<void> {
    await this.ctx.storage.put("corpus", this.ctx.id.name);
    await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    const resume = Date.now() + RESUME_AFTER;
    await this.ctx.storage.setAlarm(resume);
    const id = await this.ctx.storage.get<string>("corpus");
    const next = id === undefined ? null : await this.work(id);
    // An alarm that `index` has set meanwhile stands.
    if ((await this.ctx.storage.getAlarm()) !== resume) return;
    if (next !== null) await this.ctx.storage.setAlarm(next);
    else await this.ctx.storage.deleteAll();
  }

  /** Works for a stretch. Returns when to go on, or null. */
  private async work(id: string): Promise<number | null> {
    const { store } = composeServices(this.env);
    try {
      for (const end = Date.now() + STRETCH; Date.now() < end;) {
        const corpus = await store.corpora.getForIndexing(id);
        if (!corpus) return null;
        if (!(await this.step(corpus))) break;
        await scheduler.wait(BREATH);
      }
    } catch (error) {
      return error instanceof StillQueued ? Date.now() : this.failed(id, error);
    }
    return (await store.corpora.recordSuccess(id)) ? Date.now() : null;
  }

  /** One step, of which nothing is lost when the next one is cut off; false when nothing is left to do. */
  private async step(corpus: CorpusInWork): Promise<boolean> {
    const services = composeServices(this.env);
    const { store, llm, settings, vectors } = services;
    const upload = await store.corpora.unread(corpus.id);
    if (upload) {
      await readUpload(store, corpus, upload);
      return true;
    }
    if (await indexPassages(store, corpus.pool)) return true;
    if (corpus.embedding_model === null) return false;
    const timeout_ms = settings.llm_timeout_ms;
    const assertMayWait = waitsFor(LONGEST_QUEUE, () => store.corpora.getForIndexing(corpus.id));
    const asker = new CorpusEmbeddingAccount(services, corpus, { name: "index", timeout_ms, assertMayWait });
    const embedder = embedderOf(llm, corpus.embedding_model, corpus.mode, timeout_ms, asker);
    if (!embedder) {
      if (corpus.embedded === corpus.passages) return false;
      throw new LlmError(
        "provider_unreachable",
        `The provider of the model ${corpus.embedding_model} is not configured any more.`,
      );
    }
    const pool = { number: corpus.pool, id: corpus.id };
    return embedPassages(store, pool, embedder, corpus.mode === "live" ? vectors : null).finally(() => asker.settle());
  }

  /** Notes a failure, which the corpus shows, and when to try again. */
  private async failed(id: string, error: unknown): Promise<number | null> {
    const { store } = composeServices(this.env);
    const corpus = await store.corpora.getForIndexing(id);
    if (!corpus) return null;
    if (!(error instanceof LlmError)) log.error("indexing failed, and will be tried again", { corpus_id: id, error });
    const told =
      error instanceof LlmError
        ? `${error.code}: ${error.message}`
        : "internal_error: The work failed for a reason of ours.";
    const wait = Math.min(FIRST_WAIT * 2 ** corpus.attempts, LONGEST_WAIT);
    const asked = error instanceof LlmError ? (error.options.retry_after_ms ?? 0) : 0;
    const due_at = Date.now() + Math.max(wait, Math.min(asked, LONGEST_WAIT));
    await store.corpora.recordFailure(id, told, corpus.attempts + 1, due_at);
    return due_at;
  }
}
