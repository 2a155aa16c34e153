import type { Owner } from "#core/owner";

/** An owner, and what a caller knows of its keys. */
export interface KeyOwner extends Owner {
  /** True: the owner had no key when the caller last looked, so the key of the host is used without another look. */
  has_no_keys?: boolean;
}

/** The keys for providers that tenants have brought. */
export interface OwnKeys {
  /**
   * The owner's key for a provider; null: the host's key is used.
   * @throws LlmError `provider_key_required` when the host lends its key to nobody, and the owner has brought none; `provider_key_unreadable`
   */
  of(owner: KeyOwner, provider: string): Promise<string | null>;
}
