import type { FieldError } from "#core/errors";
import type { Owner } from "#core/owner";
import { MOCK_MODEL } from "#llm";
import type { Services } from "../services";
import { keyMissing } from "./own-keys";

/**
 * Faults of models whose provider needs a key that the owner has not brought; none in test mode, which calls no model.
 * @param path where the request names the models
 */
export async function keyErrors(
  { store, settings }: Pick<Services, "store" | "settings">,
  owner: Owner,
  models: Iterable<string>,
  path: "models" | "embedding_model",
): Promise<FieldError[]> {
  if (settings.tenant_provider_keys !== "required" || owner.mode === "test") return [];
  const needed = new Set([...models].filter((model) => model !== MOCK_MODEL).map((model) => model.split("/", 1)[0]!));
  const brought = new Set((await store.providerKeys.list(owner)).map(({ provider }) => provider));
  return [...needed]
    .filter((provider) => !brought.has(provider))
    .map((provider) => ({ path, code: "provider_key_required", message: keyMissing(provider) }));
}
