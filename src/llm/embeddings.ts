import { z } from "zod";
import type { KeyOwner } from "./own-keys";
import { MOCK_MODEL } from "./mock/endpoint";
import { mockVector } from "./mock/mock-vector";
import { sendRequest } from "./send-request";
import { type Endpoints, providerTarget } from "./targets";
import { meteredRequest } from "./metered-request";
import { type RequestEstimate, LlmError, type ModelCall, type Usage } from "./types";
import { estimateOf, unreportedUsage, pricedUsage, tokensOfPrompt } from "./usage";
import type { Target } from "./target";

/** Maximum of texts in one request. */
export const MAX_TEXTS = 100;

export interface EmbeddingCall {
  /** `<provider>/<model>`. */
  model: string;
  /** 1 to `MAX_TEXTS` texts, none empty. */
  texts: readonly string[];
  labels: { run: string; step: string };
  /** As in `ModelCall`. */
  owner?: KeyOwner;
  timeout_ms: number;
  /** Called before the request; throws to forbid it, and the call rejects with that error. */
  reserve?(estimate: RequestEstimate): Promise<void>;
  /** Called with the usage of the request, also of a failed one. */
  spent?(usage: Usage): void;
  /** As in `ModelCall`. */
  acquirePermit?: ModelCall<unknown>["acquirePermit"];
  /** Test mode: no network requests. */
  mock: boolean;
}

export interface EmbeddingResponse {
  /** `<provider>/<model>`, or `mock`. */
  model: string;
  /** In the order of the texts; each of unit length, all of the same dimension. */
  vectors: Float32Array[];
}

const bodySchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ prompt_tokens: z.int().nonnegative() }).nullish().catch(null),
});

/**
 * Turns texts into vectors, in one request without retries.
 * @throws LlmError `provider_*`; or whatever `call.reserve` threw
 */
export async function embed(call: EmbeddingCall, endpoints: Endpoints): Promise<EmbeddingResponse> {
  if (call.mock) return { model: MOCK_MODEL, vectors: call.texts.map(mockVector) };
  const target = await providerTarget(call.model, call.owner, endpoints);
  const texts = [...call.texts];
  const estimate = estimateOf(tokensOfPrompt(texts), 0, target.price);
  const spent = (usage: Usage) => call.spent?.(usage);
  const request = async () => {
    const body = { model: target.model, input: texts, encoding_format: "float" } as const;
    const answer = await sendRequest(target, call, (options) => target.client.embeddings.create(body, options));
    return read(answer, texts, target);
  };
  const metering = { account: call, target, estimate, expected_tokens: estimate.tokens, spent };
  try {
    const { vectors } = await meteredRequest(request, metering);
    return { model: target.label, vectors };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    throw new LlmError(error.code, error.message, { ...error.options, model: call.model });
  }
}

const NO_TOKENS = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

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
  const input_tokens = parsed.data.usage?.prompt_tokens;
  const reported = input_tokens === undefined ? null : { ...NO_TOKENS, input_tokens };
  const guess = { prompt: texts, output: "", reasoning_tokens: 0 };
  return { vectors, usage: pricedUsage(reported, target.price, guess) };
}

/** One vector per text, by index; null when one is missing, of another length, or zero. */
function inOrder(data: z.infer<typeof bodySchema>["data"], count: number): Float32Array[] | null {
  const vectors: Float32Array[] = [];
  for (const { index, embedding } of data) vectors[index] = unitVector(embedding);
  const [first] = vectors;
  const complete = vectors.length === count && data.length === count;
  const isValid = (vector: Float32Array | undefined) => vector?.length === first?.length && !Number.isNaN(vector?.[0]);
  return complete && Array.from(vectors, isValid).every(Boolean) ? vectors : null;
}

function unitVector(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
}
