import { Completed } from "./batch";
import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import type { QuotaStore } from "./quotas";
import { toPage } from "./page";
import type { KeyRow } from "./rows";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

/** Accuracy of `last_used_at`, so that a busy key does not write with every request. Milliseconds. */
const TOUCH_INTERVAL_MS = 60_000;

/** The keys that a key sees and changes: a live one those of both modes, a test one only those of test mode. */
const VISIBLE = "tenant_id = ?1 AND (?2 = 'live' OR mode = 'test')";

export class KeyStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
    private readonly quotas: QuotaStore,
  ) {}

  /** @throws QuotaExceededError */
  async create(key: KeyRow, completion?: RequestCompletion): Promise<void> {
    const quota = { tenant: key.tenant_id, needs: { keys: 1, stored_bytes: 500 } };
    await this.idempotency.write(this.insertStatement(key, "TRUE"), completion, quota, [this.uncountExpired(key)]);
  }

  /**
   * Inserts a key that replaces another one, which expires at `ends_at` unless it expires before.
   * @returns false when the other one has ended or was replaced already
   * @throws QuotaExceededError
   */
  async roll(
    old: { tenant_id: string; id: string; ends_at: number },
    key: KeyRow,
    completion?: RequestCompletion,
  ): Promise<boolean> {
    const replace = this.db
      .prepare(
        `UPDATE keys SET rolled_to = ?3, expires_at = MIN(COALESCE(expires_at, ?4), ?4)
         WHERE id = ?1 AND tenant_id = ?2 AND rolled_to IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?5)`,
      )
      .bind(old.id, old.tenant_id, key.id, old.ends_at, key.created_at);
    const insert = await this.idempotency.withCompletion(this.insertStatement(key, "changes() > 0"), completion);
    const needs = { keys: 1, stored_bytes: 500 };
    const rolled = new Completed(replace, [insert.statement, ...insert.after]);
    const done = await this.quotas.batch(key.tenant_id, needs, { rolled }, [this.uncountExpired(key)]);
    return done.rolled.changes > 0;
  }

  /** A statement after which keys that have expired do not count in the quota. */
  private uncountExpired({ tenant_id, created_at }: KeyRow): D1PreparedStatement {
    return this.db
      .prepare("UPDATE keys SET counted = 0 WHERE tenant_id = ? AND counted = 1 AND expires_at <= ?")
      .bind(tenant_id, created_at);
  }

  private insertStatement(key: KeyRow, condition: string): D1PreparedStatement {
    return this.db
      .prepare(
        `INSERT INTO keys (id, tenant_id, name, mode, hash, hint, scopes, created_at, expires_at, workflows)
         SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE ${condition}`,
      )
      .bind(
        key.id,
        key.tenant_id,
        key.name,
        key.mode,
        key.hash,
        key.hint,
        key.scopes,
        key.created_at,
        key.expires_at,
        key.workflows,
      );
  }

  /** The key with this hash, also one that has ended. */
  async byHash(hash: string): Promise<KeyRow | null> {
    return this.db.prepare("SELECT * FROM keys WHERE hash = ?").bind(hash).first<KeyRow>();
  }

  /** Updates `last_used_at`. */
  async touch(key: KeyRow): Promise<void> {
    const now = Date.now();
    if (key.last_used_at !== null && now - key.last_used_at < TOUCH_INTERVAL_MS) return;
    // Of concurrent requests that read the same row, one writes.
    await this.db
      .prepare("UPDATE keys SET last_used_at = ?1 WHERE id = ?2 AND COALESCE(last_used_at, 0) <= ?1 - ?3")
      .bind(now, key.id, TOUCH_INTERVAL_MS)
      .run();
  }

  async get({ tenant_id, mode }: Owner, id: string): Promise<KeyRow | null> {
    return this.db.prepare(`SELECT * FROM keys WHERE ${VISIBLE} AND id = ?3`).bind(tenant_id, mode, id).first<KeyRow>();
  }

  /** The key, or the valid or last one of those that it was rolled to in turn; null: there is none. */
  async latest({ tenant_id, mode }: Owner, id: string): Promise<KeyRow | null> {
    return this.db
      .prepare(
        `WITH RECURSIVE rolls (id, place) AS (
           SELECT ?3, 0 UNION ALL SELECT k.rolled_to, place + 1 FROM rolls JOIN keys k ON k.id = rolls.id
           WHERE k.rolled_to IS NOT NULL AND (k.revoked_at IS NOT NULL OR k.expires_at <= ?4))
         SELECT keys.* FROM rolls JOIN keys ON keys.id = rolls.id WHERE ${VISIBLE} ORDER BY place DESC LIMIT 1`,
      )
      .bind(tenant_id, mode, id, Date.now())
      .first<KeyRow>();
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
    completion?: RequestCompletion,
  ): Promise<KeyRow | null> {
    const update = this.db
      .prepare(
        `UPDATE keys SET name = COALESCE(?4, name), scopes = COALESCE(?5, scopes) WHERE ${VISIBLE} AND id = ?3 RETURNING *`,
      )
      .bind(tenant_id, mode, id, change.name ?? null, change.scopes ?? null);
    return (await this.idempotency.write<KeyRow>(update, completion)).rows[0] ?? null;
  }

  /** Revokes a key; the first time of revocation is kept. */
  async revoke({ tenant_id, mode }: Owner, id: string, completion?: RequestCompletion): Promise<KeyRow | null> {
    const update = this.db
      .prepare(`UPDATE keys SET revoked_at = COALESCE(revoked_at, ?4) WHERE ${VISIBLE} AND id = ?3 RETURNING *`)
      .bind(tenant_id, mode, id, Date.now());
    return (await this.idempotency.write<KeyRow>(update, completion)).rows[0] ?? null;
  }
}
