import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import type { ProviderKeyRow } from "./rows";
import type { Owner } from "#core/owner";

/** The keys for model providers that tenants have brought. */
export class ProviderKeyStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /** In the order of the providers' names. */
  async list({ tenant_id, mode }: Owner): Promise<ProviderKeyRow[]> {
    const { results } = await this.db
      .prepare("SELECT * FROM provider_keys WHERE tenant_id = ? AND mode = ? ORDER BY provider")
      .bind(tenant_id, mode)
      .all<ProviderKeyRow>();
    return results;
  }

  async get({ tenant_id, mode }: Owner, provider: string): Promise<ProviderKeyRow | null> {
    return this.db
      .prepare("SELECT * FROM provider_keys WHERE tenant_id = ? AND mode = ? AND provider = ?")
      .bind(tenant_id, mode, provider)
      .first<ProviderKeyRow>();
  }

  /** Stores a key in place of the former one. */
  async put(
    { id, tenant_id, mode, provider, sealed, hint, created_at }: ProviderKeyRow,
    completion?: RequestCompletion,
  ): Promise<void> {
    const put = this.db
      .prepare(
        `INSERT INTO provider_keys (id, tenant_id, mode, provider, sealed, hint, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, hint = excluded.hint, created_at = excluded.created_at`,
      )
      .bind(id, tenant_id, mode, provider, sealed, hint, created_at);
    await this.idempotency.write(put, completion);
  }

  /** False when there is none. */
  async remove({ tenant_id, mode }: Owner, provider: string, completion?: RequestCompletion): Promise<boolean> {
    const remove = this.db
      .prepare("DELETE FROM provider_keys WHERE tenant_id = ? AND mode = ? AND provider = ?")
      .bind(tenant_id, mode, provider);
    return (await this.idempotency.write(remove, completion)).changes > 0;
  }
}
