import { createLlm, modelWarning, parseProviders } from "#llm";

const NO_MEMORY = { recall: async () => null, remember: async () => {} };

/**
 * What is wrong with the default model of these variables, and which models its provider has in its place; null: nothing, or there is no default
 * model.
 * @param fetch reaches the provider; the global one when absent
 */
export async function defaultModelWarning(
  variables: Record<string, unknown>,
  fetch?: typeof globalThis.fetch,
): Promise<string | null> {
  const providers = parseProviders(variables);
  const model = providers.default_model;
  if (model === null) return null;
  const provider = model.slice(0, model.indexOf("/"));
  // A key that is stored as a secret is not among the variables of an update.
  if (providers.byName.get(provider)!.api_key === null) return null;
  try {
    const listed = await createLlm({ providers, memory: NO_MEMORY, fetch }).models(provider);
    return modelWarning(model, listed, new Date().toISOString().slice(0, 10));
  } catch (error) {
    return `${provider} could not be asked whether it has the model ${model}: ${(error as Error).message}`;
  }
}
