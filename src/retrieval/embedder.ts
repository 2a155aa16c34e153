import { type Estimate, type GatedProvider, type Llm, MOST_TEXTS, type Permit, REHEARSAL, type Usage } from "#llm";
import type { Mode } from "#core/vocabulary";

/** Turns texts into vectors, as one corpus or the evidence of one run does. */
export interface Embedder {
  /** `<provider>/<model>`, or `rehearsal`. */
  model: string;
  /**
   * @param act what `x-parley-act` says
   * @param part tells this request from others that its asker makes at the same time
   * @throws LlmError, or what its asker has thrown
   */
  embed(texts: readonly string[], act: string, part: string): Promise<Float32Array[]>;
}

/** On whose account vectors are asked for: a run's, or a corpus's. Of rehearsed vectors it hears nothing. */
export interface EmbeddingAccount {
  /** Its id: what `x-parley-run` says. */
  readonly id: string;
  /** Called before each request; throws to forbid it. */
  reserve?(model: string, estimate: Estimate): Promise<void>;
  /** Waits for a request's turn at a provider with limits. @param part names the request among those made at the same time */
  acquirePermit(gate: GatedProvider, tokens: number, part: string): Promise<Permit>;
  /** Told what each request used. */
  spent(usage: Usage): void;
}

/**
 * What embeds for a model; null when there is none, or when its provider is not configured any more.
 * @param mode in test mode nothing leaves the process
 */
export function embedderOf(
  llm: Llm,
  model: string | null,
  mode: Mode,
  timeout_ms: number,
  asker: EmbeddingAccount,
): Embedder | null {
  const rehearse = mode === "test";
  if (model === null || (model === REHEARSAL) !== rehearse) return null;
  if (!rehearse && !llm.providers.byName.has(model.split("/")[0]!)) return null;
  return {
    model,
    async embed(texts, act, part) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += MOST_TEXTS) {
        const batch = texts.slice(at, at + MOST_TEXTS);
        const answer = await llm.embed({
          model,
          texts: batch,
          labels: { run: asker.id, act },
          timeout_ms,
          rehearse,
          reserve: async (estimate) => asker.reserve?.(model, estimate),
          acquirePermit: (gate, tokens) => asker.acquirePermit(gate, tokens, part),
          spent: (usage) => asker.spent(usage),
        });
        vectors.push(...answer.vectors);
      }
      return vectors;
    },
  };
}
