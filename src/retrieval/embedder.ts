import { type Llm, MOST_TEXTS, REHEARSAL } from "../llm";
import type { Mode } from "../vocabulary";

/** Turns texts into vectors, as one corpus or the evidence of one run does. */
export interface Embedder {
  /** `<provider>/<model>`, or `rehearsal`. */
  model: string;
  /** @throws LlmError */
  embed(texts: readonly string[], labels: { run: string; act: string }): Promise<Float32Array[]>;
}

/** The model that embeds what is new in this mode; null when none is configured. */
export const embeddingModel = ({ providers }: Llm, mode: Mode): string | null =>
  mode === "test" ? REHEARSAL : providers.embedding_model;

/**
 * What embeds for a model; null when there is none, or when its provider is not configured any more.
 * @param mode in test mode nothing leaves the process
 */
export function embedderOf(llm: Llm, model: string | null, mode: Mode, timeout_ms: number): Embedder | null {
  const rehearse = mode === "test";
  if (model === null || (model === REHEARSAL) !== rehearse) return null;
  if (!rehearse && !llm.providers.byName.has(model.split("/")[0]!)) return null;
  return {
    model,
    async embed(texts, labels) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += MOST_TEXTS) {
        const batch = texts.slice(at, at + MOST_TEXTS);
        vectors.push(...(await llm.embed({ model, texts: batch, labels, timeout_ms, rehearse })).vectors);
      }
      return vectors;
    },
  };
}
