import type { Owner } from "#core/owner";

/** The keys for providers that tenants have brought. */
export interface OwnKeys {
  /**
   * The owner's key for a provider; null: the host's key is used.
   * @throws LlmError `provider_key_required` when the host lends its key to nobody, and the owner has brought none; `provider_key_unreadable`
   */
  of(owner: Owner, provider: string): Promise<string | null>;
}
