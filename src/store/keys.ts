import type { IdempotencyStore, Settlement } from "./idempotency";
import type { QuotaStore } from "./quotas";
import { type KeyRow, toPage } from "./rows";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

/** Accuracy of `last_used_at`, so that a busy key does not write with every request. Milliseconds. */
const TOUCH_EVERY = 60_000;

/** The keys that a key sees and changes: a live one those of both modes, a test one only those of test mode. */
const VISIBLE = "tenant_id = ?1 AND (?2 = 'live' OR mode = 'test')";

export class KeyStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
    private readonly quotas: QuotaStore,
  ) {}

  async create(key: KeyRow, settlement?: Settlement): Promise<void> {
    const insert = this.db
      .prepare(
        "INSERT INTO keys (id, tenant_id, name, mode, hash, hint, scopes, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .bind(key.id, key.tenant_id, key.name, key.mode, key.hash, key.hint, key.scopes, key.created_at);
    await this.idempotency.write(insert, settlement, { tenant: key.tenant_id, needs: { keys: 1, stored_bytes: 500 } });
  }

  /** The key with this hash, revoked or not. */
  async byHash(hash: string): Promise<KeyRow | null> {
    return this.db.prepare("SELECT * FROM keys WHERE hash = ?").bind(hash).first<KeyRow>();
  }

  /** Updates `last_used_at`. */
  async touch(key: KeyRow): Promise<void> {
    const now = Date.now();
    if (key.last_used_at !== null && now - key.last_used_at < TOUCH_EVERY) return;
    // Of concurrent requests that read the same row, one writes.
    await this.db
      .prepare("UPDATE keys SET last_used_at = ?1 WHERE id = ?2 AND COALESCE(last_used_at, 0) <= ?1 - ?3")
      .bind(now, key.id, TOUCH_EVERY)
      .run();
  }

  async get({ tenant_id, mode }: Owner, id: string): Promise<KeyRow | null> {
    return this.db.prepare(`SELECT * FROM keys WHERE ${VISIBLE} AND id = ?3`).bind(tenant_id, mode, id).first<KeyRow>();
  }

  async list({ tenant_id, mode }: Owner, limit: number, after: string | null): Promise<Page<KeyRow>> {
    const { results } = await this.db
      .prepare(`SELECT * FROM keys WHERE ${VISIBLE} AND (?3 IS NULL OR id < ?3) ORDER BY id DESC LIMIT ?4`)
      .bind(tenant_id, mode, after, limit + 1)
      .all<KeyRow>();
    return toPage(results, limit, (row) => row.id);
  }

  async update(
    { tenant_id, mode }: Owner,
    id: string,
    change: { name?: string; scopes?: string },
  ): Promise<KeyRow | null> {
    return this.db
      .prepare(
        `UPDATE keys SET name = COALESCE(?4, name), scopes = COALESCE(?5, scopes) WHERE ${VISIBLE} AND id = ?3 RETURNING *`,
      )
      .bind(tenant_id, mode, id, change.name ?? null, change.scopes ?? null)
      .first<KeyRow>();
  }

  /** Revokes a key; the first time of revocation is kept. */
  async revoke({ tenant_id, mode }: Owner, id: string): Promise<KeyRow | null> {
    return this.db
      .prepare(`UPDATE keys SET revoked_at = COALESCE(revoked_at, ?4) WHERE ${VISIBLE} AND id = ?3 RETURNING *`)
      .bind(tenant_id, mode, id, Date.now())
      .first<KeyRow>();
  }
}
