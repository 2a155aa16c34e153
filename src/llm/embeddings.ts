import { z } from "zod";
import { APIError, OpenAIError } from "openai";
import type { Providers } from "./providers";
import { providerError } from "./provider-errors";
import { REHEARSAL } from "./rehearsal/endpoint";
import { rehearsedVector } from "./rehearsal/rehearsed-vector";
import { headerValue, providerTarget } from "./targets";
import { withPermit } from "./with-permit";
import { type Estimate, LlmError, type ModelCall, type Usage } from "./types";
import { estimateOf, guessedUsage, unreportedUsage, usageOf } from "./usage";
import type { Target } from "./target";

/** Texts that one request may hold. */
export const MOST_TEXTS = 100;

export interface EmbeddingCall {
  /** `<provider>/<model>`. */
  model: string;
  /** 1 to `MOST_TEXTS`, none of them empty. */
  texts: readonly string[];
  labels: { run: string; act: string };
  timeout_ms: number;
  /** Called before the request; throws to forbid it, and the call ends with what it threw. */
  reserve?(estimate: Estimate): Promise<void>;
  /** Told what the request used, when it failed too. */
  spent?(usage: Usage): void;
  /** As of a model's call. */
  acquirePermit?: ModelCall<unknown>["acquirePermit"];
  /** Test mode: nothing leaves the process. */
  rehearse: boolean;
}

export interface EmbeddingAnswer {
  /** `<provider>/<model>`, or `rehearsal`. */
  model: string;
  /** In the order of the texts, each of unit length, all of one dimension. */
  vectors: Float32Array[];
}

const bodySchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ prompt_tokens: z.int().nonnegative() }).nullish().catch(null),
});

/**
 * Turns texts into vectors, in one request that is tried once.
 * @throws LlmError `provider_*`; or whatever `call.reserve` threw
 */
export async function embed(
  call: EmbeddingCall,
  providers: Providers,
  fetch?: typeof globalThis.fetch,
): Promise<EmbeddingAnswer> {
  if (call.rehearse) return { model: REHEARSAL, vectors: call.texts.map(rehearsedVector) };
  const target = providerTarget(call.model, providers, fetch);
  const texts = [...call.texts];
  const estimate = estimateOf(texts, 0, target.price);
  await call.reserve?.(estimate);
  try {
    const { vectors, usage } = await withPermit(call, target, estimate, async () =>
      read(await post(call, texts, target), texts, target),
    );
    call.spent?.(usage);
    return { model: target.label, vectors };
  } catch (error) {
    if (error instanceof LlmError && error.options.usage) call.spent?.(error.options.usage);
    throw error;
  }
}

async function post(call: EmbeddingCall, input: string[], target: Target): Promise<unknown> {
  try {
    return await target.client.embeddings.create(
      { model: target.model, input, encoding_format: "float" },
      {
        timeout: call.timeout_ms,
        headers: { "x-parley-run": headerValue(call.labels.run), "x-parley-act": headerValue(call.labels.act) },
      },
    );
  } catch (error) {
    // The SDK's complaints about how it is used are ours to mend, not the provider's.
    if (error instanceof OpenAIError && !(error instanceof APIError)) throw error;
    throw providerError(error, target, call.timeout_ms);
  }
}

function read(body: unknown, texts: string[], target: Target): { vectors: Float32Array[]; usage: Usage } {
  const parsed = bodySchema.safeParse(body);
  const vectors = parsed.success ? inOrder(parsed.data.data, texts.length) : null;
  if (!parsed.success || !vectors) {
    throw new LlmError(
      "provider_unavailable",
      `${target.label} answered, but not with a vector for each of ${texts.length} texts.`,
      { retryable: true, usage: unreportedUsage(1, target.price) },
    );
  }
  const prompt_tokens = parsed.data.usage?.prompt_tokens ?? guessedUsage(texts, "").prompt_tokens;
  return { vectors, usage: usageOf({ prompt_tokens, completion_tokens: 0 }, target.price) };
}

/** One vector a text, by its index; null when some are missing, of another length, or without a direction. */
function inOrder(data: z.infer<typeof bodySchema>["data"], count: number): Float32Array[] | null {
  const vectors: Float32Array[] = [];
  for (const { index, embedding } of data) vectors[index] = unitVector(embedding);
  const [first] = vectors;
  const whole = vectors.length === count && data.length === count;
  const sound = (vector: Float32Array | undefined) => vector?.length === first?.length && !Number.isNaN(vector?.[0]);
  return whole && Array.from(vectors, sound).every(Boolean) ? vectors : null;
}

function unitVector(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
}
