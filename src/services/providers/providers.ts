import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { ProviderKeyRow } from "#store/rows";
import { toTime } from "../fields/time";
import type { Services } from "../services";
import type { PresentedProvider, ProviderKeyRequest } from "./schema";
import type { RequestCompletion } from "../idempotency/complete-key";
import { keyIdOf, sealContextOfKey } from "./own-keys";

/** The configured providers, then those that the host has removed but the owner still has a key for. */
export async function listProviders(services: Services, owner: Owner): Promise<PresentedProvider[]> {
  const keys = await services.store.providerKeys.list(owner);
  const names = new Set([...services.providers.byName.keys(), ...keys.map(({ provider }) => provider)]);
  return [...names].map((name) => {
    const key = keys.find(({ provider }) => provider === name);
    return presentProvider(services, name, key ?? null);
  });
}

/** @throws Problem `not_found` */
export async function getProvider(services: Services, owner: Owner, name: string): Promise<PresentedProvider> {
  const key = await services.store.providerKeys.get(owner, name);
  if (!key && !services.providers.byName.has(name)) throw noSuchProvider(name);
  return presentProvider(services, name, key);
}

export const noSuchProvider = (name: string) => new Problem("not_found", `There is no provider ${name}.`);

export const presentProvider = (
  { providers, settings }: Pick<Services, "providers" | "settings">,
  name: string,
  key: ProviderKeyRow | null,
): PresentedProvider => ({
  object: "provider",
  name,
  configured: providers.byName.has(name),
  key_required: settings.tenant_provider_keys === "required",
  key: key && { hint: key.hint, created_at: toTime(key.created_at) },
});

/**
 * Stores the owner's own key for a configured provider, in place of the former one.
 * @throws Problem `not_found`, `provider_keys_off`
 */
export async function putProviderKey(
  services: Services,
  { owner, provider, request }: { owner: Owner; provider: string; request: ProviderKeyRequest },
  completion?: RequestCompletion,
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
    sealed: secrets.seal(request.api_key, sealContextOfKey({ id, tenant_id })),
    hint: request.api_key.slice(-4),
    created_at: Date.now(),
  };
  await store.providerKeys.put(row, completion);
  return presentProvider(services, provider, row);
}

/**
 * Deletes the owner's own key for a provider. Requests under way keep it.
 * @throws Problem `not_found`
 */
export async function deleteProviderKey(
  { store }: Services,
  owner: Owner,
  provider: string,
  completion?: RequestCompletion,
): Promise<void> {
  if (!(await store.providerKeys.remove(owner, provider, completion)))
    throw new Problem("not_found", `There is no key of your own for ${provider}.`);
}
