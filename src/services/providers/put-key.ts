import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { noSuchProvider, presentProvider } from "./list-providers";
import { keyIdOf, placeOfKey } from "./own-keys";
import type { PresentedProvider, ProviderKeyRequest } from "./schema";

/**
 * Stores the owner's own key for a configured provider, in place of the former one.
 * @throws Problem `not_found`, `provider_keys_off`
 */
export async function putProviderKey(
  services: Services,
  { owner, provider, request }: { owner: Owner; provider: string; request: ProviderKeyRequest },
  settlement?: Settlement,
): Promise<PresentedProvider> {
  const { store, secrets, settings, providers } = services;
  if (!providers.byName.has(provider)) throw noSuchProvider(provider);
  if (settings.tenant_provider_keys === "off")
    throw new Problem("provider_keys_off", "This host calls models with its own keys only.");
  const { tenant_id, mode } = owner;
  const id = keyIdOf(owner, provider);
  const row = {
    id,
    tenant_id,
    mode,
    provider,
    sealed: secrets.seal(request.api_key, placeOfKey({ id, tenant_id })),
    hint: request.api_key.slice(-4),
    created_at: Date.now(),
  };
  await store.providerKeys.put(row, settlement);
  return presentProvider(services, provider, row);
}
