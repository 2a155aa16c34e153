/** Public interface of the LLM layer. */
import { CapabilityCache } from "./capabilities";
import { embed, type EmbeddingResponse, type EmbeddingCall } from "./embeddings";
import { listModels, type ListedModel } from "./list-models";
import type { OwnKeys } from "./own-keys";
import type { Providers } from "./providers";
import { complete } from "./structured";
import { providerTarget, mockTarget } from "./targets";
import type { CapabilityMemory, ModelResponse, ModelCall } from "./types";

export { type EmbeddingResponse, type EmbeddingCall, MAX_TEXTS } from "./embeddings";
export { modelWarning, type ListedModel } from "./list-models";
export { jsonFormat, markdownFormat } from "./formats";
export type { KeyOwner, OwnKeys } from "./own-keys";
export { parseProviders, type Providers } from "./providers";
export { MOCK_MODEL } from "./mock/endpoint";
export {
  defaultEmbeddingModel,
  modelError,
  providersIn,
  modelsRequestSchema,
  parseModels,
  resolvedModelsSchema,
  resolveModels,
  type ModelsRequest,
  type ResolvedModels,
} from "./resolve-models";
export * from "./types";
export { addUsage, NO_USAGE, UNBOUNDED_OUTPUT } from "./usage";

export interface Llm {
  /**
   * Asks a model and returns its answer, parsed.
   * @throws LlmError that says whether it is retryable and what was used; or whatever `call.reserve` threw
   */
  complete<T>(call: ModelCall<T>): Promise<ModelResponse<T>>;
  /**
   * Turns texts into vectors.
   * @throws LlmError like `complete`, or whatever `call.reserve` threw
   */
  embed(call: EmbeddingCall): Promise<EmbeddingResponse>;
  /**
   * The models that a configured provider has, by its name.
   * @throws Error whose message says why they are not known
   */
  models(provider: string): Promise<ListedModel[]>;
  providers: Providers;
}

const NO_MEMORY: CapabilityMemory = { recall: async () => null, remember: async () => {} };

/**
 * Creates the LLM layer. One per isolate suffices: it caches capabilities, so that memory is read once per model.
 * @param keys that the owners of calls have brought; absent: none
 * @param fetch reaches the providers; the global one when absent
 */
export function createLlm({
  providers,
  memory,
  keys,
  fetch,
}: {
  providers: Providers;
  memory: CapabilityMemory;
  keys?: OwnKeys;
  fetch?: typeof globalThis.fetch;
}): Llm {
  const learnt = new CapabilityCache(memory);
  const mockCapabilities = new CapabilityCache(NO_MEMORY);
  const endpoints = { providers, keys, fetch };
  return {
    providers,
    complete: async (call) =>
      call.mock
        ? complete(call, await mockTarget(call.mock), mockCapabilities)
        : complete(call, await providerTarget(call.model.model, call.owner, endpoints), learnt),
    embed: (call) => embed(call, endpoints),
    models: (provider) => listModels(provider, endpoints),
  };
}
