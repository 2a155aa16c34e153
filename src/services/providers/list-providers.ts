import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { ProviderKeyRow } from "#store/rows";
import { toTime } from "../fields/time";
import type { Services } from "../services";
import type { PresentedProvider } from "./schema";

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
