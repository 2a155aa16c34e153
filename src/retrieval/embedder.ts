import {
  type RequestEstimate,
  type GatedProvider,
  type KeyOwner,
  type Llm,
  MAX_TEXTS,
  type Permit,
  MOCK_MODEL,
  type Usage,
} from "#llm";
import type { Mode } from "#core/vocabulary";
import { chunksOf } from "#core/chunks";

/** Turns texts of one corpus, or of one run's evidence, into vectors. */
export interface Embedder {
  /** `<provider>/<model>`, or `mock`. */
  model: string;
  /**
   * @param step value of `x-parley-step`
   * @param part distinguishes this request from concurrent ones of the same account
   * @throws LlmError, or whatever the account threw
   */
  embed(texts: readonly string[], step: string, part: string): Promise<Float32Array[]>;
}

/** The account (of a run or a corpus) that pays for vectors. Its callbacks are not called for mock vectors. */
export interface EmbeddingAccount {
  /** Id of the run or corpus, sent as `x-parley-run`. */
  readonly id: string;
  /** The tenant whose own key for the provider is used, if there is one. */
  readonly owner: KeyOwner;
  /** Called before each request; throws to forbid it. */
  reserve?(model: string, estimate: RequestEstimate): Promise<void>;
  /** Waits for a request's turn at a provider with limits. @param part distinguishes concurrent requests */
  acquirePermit(gate: GatedProvider, tokens: number, part: string): Promise<Permit>;
  /** Called with the usage of each request. */
  spent(usage: Usage): void;
}

interface EmbedderOptions {
  model: string | null;
  /** In test mode there are no network requests. */
  mode: Mode;
  timeout_ms: number;
  account: EmbeddingAccount;
}

/** The embedder of a model; null when there is none, or its provider is not configured any more. */
export function embedderOf(llm: Llm, { model, mode, timeout_ms, account }: EmbedderOptions): Embedder | null {
  const mock = mode === "test";
  if (model === null || (model === MOCK_MODEL) !== mock) return null;
  if (!mock && !llm.providers.byName.has(model.split("/")[0]!)) return null;
  return {
    model,
    async embed(texts, step, part) {
      const vectors: Float32Array[] = [];
      for (const batch of chunksOf(texts, MAX_TEXTS)) {
        const answer = await llm.embed({
          model,
          texts: batch,
          labels: { run: account.id, step },
          owner: account.owner,
          timeout_ms,
          mock,
          reserve: async (estimate) => account.reserve?.(model, estimate),
          acquirePermit: (gate, tokens) => account.acquirePermit(gate, tokens, part),
          spent: (usage) => account.spent(usage),
        });
        vectors.push(...answer.vectors);
      }
      return vectors;
    },
  };
}
