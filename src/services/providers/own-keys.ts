import type { Owner } from "#core/owner";
import { SealError, type SealContext, type Secrets } from "#core/secrets";
import { LlmError, type OwnKeys } from "#llm";
import type { ProviderKeyRow } from "#store/rows";
import type { Store } from "#store/store";
import type { Settings } from "../settings";

/** Id of the row of an owner's key. */
export const keyIdOf = ({ tenant_id, mode }: Owner, provider: string): string => `${tenant_id}/${mode}/${provider}`;

/** Where a key is sealed for: its id names owner and provider. */
export const sealContextOfKey = ({ id, tenant_id }: { id: string; tenant_id: string }): SealContext => ({
  table: "provider_keys",
  tenant: tenant_id,
  id,
  purpose: "API key",
});

/**
 * Reads the key at each call, so that a replaced or deleted key counts from the next request on. The first key of an owner counts once the
 * caller has looked again.
 */
export function ownKeys(
  store: Pick<Store, "providerKeys">,
  secrets: Secrets,
  { tenant_provider_keys: policy }: Pick<Settings, "tenant_provider_keys">,
): OwnKeys {
  return {
    async of(owner, provider) {
      if (policy === "off") return null;
      const isKnownAbsent = owner.has_no_keys && policy !== "required";
      const row = isKnownAbsent ? null : await store.providerKeys.get(owner, provider);
      if (row) return openKey(secrets, row);
      if (policy === "required")
        throw new LlmError("provider_key_required", keyMissing(provider), { retryable: false, model_refused: true });
      return null;
    },
  };
}

/** @throws LlmError `provider_key_unreadable` when the secret that sealed it is gone */
function openKey(secrets: Secrets, row: ProviderKeyRow): string {
  try {
    return secrets.open(row.sealed, sealContextOfKey(row));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const { provider } = row;
    throw new LlmError(
      "provider_key_unreadable",
      `Your own key for ${provider} can no longer be read. Set it again: PUT /v1/providers/${provider}/key.`,
      { retryable: false, model_refused: true },
    );
  }
}

/** A sentence for callers whose host asks for their own key. */
export const keyMissing = (provider: string): string =>
  `This host lends its key for ${provider} to nobody. Set your own: PUT /v1/providers/${provider}/key.`;
