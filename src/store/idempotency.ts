import type { ContentStore } from "./contents";
import type { IdempotencyRow } from "./rows";

/** A request's claim to a key. */
export interface Claim {
  /** The tenant; for callbacks, the interaction. */
  scope: string;
  path: string;
  key: string;
  /** Identifies the request. */
  owner: string;
}

/** The answer to repeat from now on; `body` is sealed, `headers` is JSON. */
export interface StoredAnswer {
  claim: Claim;
  run_id: string | null;
  status: number;
  headers: string;
  body: string;
}

/** Idempotency keys of POST requests, with their answers. */
export class IdempotencyStore {
  constructor(
    private readonly db: D1Database,
    private readonly contents: ContentStore,
  ) {}

  /**
   * Claims a key that is free, has expired, or was claimed before `abandoned_before` by an identical request that has no answer yet.
   * @returns the key's row; `owner` is the request that holds it
   */
  async claim(
    claim: Claim,
    fingerprint: string,
    { now, expires_at, abandoned_before }: { now: number; expires_at: number; abandoned_before: number },
  ): Promise<IdempotencyRow> {
    const { scope, path, key, owner } = claim;
    const [, , rows] = await this.db.batch<IdempotencyRow>([
      this.db
        .prepare("DELETE FROM idempotency_keys WHERE scope = ? AND path = ? AND key = ? AND expires_at <= ?")
        .bind(scope, path, key, now),
      this.db
        .prepare(
          `INSERT INTO idempotency_keys (scope, path, key, fingerprint, owner, claimed_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (scope, path, key) DO UPDATE SET owner = excluded.owner, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
           WHERE status IS NULL AND fingerprint = excluded.fingerprint AND claimed_at < ?`,
        )
        .bind(scope, path, key, fingerprint, owner, now, expires_at, abandoned_before),
      this.db.prepare("SELECT * FROM idempotency_keys WHERE scope = ? AND path = ? AND key = ?").bind(scope, path, key),
    ]);
    return rows!.results[0]!;
  }

  /** The stored, sealed body of an answer. */
  body(row: IdempotencyRow): Promise<string> {
    return this.contents.get({ content: row.body, content_key: row.body_key });
  }

  /** Stores an answer. False when another request has taken over the key. */
  async storeAnswer(answer: StoredAnswer): Promise<boolean> {
    try {
      await this.db.batch(await this.storeAnswerStatements(answer));
      return true;
    } catch (error) {
      if (isOvertaken(error)) return false;
      throw error;
    }
  }

  /**
   * Statements that store an answer, for the batch that writes its subject. The batch fails (`isOvertaken`) when another request has taken
   * over the key.
   */
  async storeAnswerStatements({ claim, run_id, status, headers, body }: StoredAnswer): Promise<D1PreparedStatement[]> {
    const { scope, path, key, owner } = claim;
    const { content, content_key } = await this.contents.put(`${scope}/idempotency/${owner}`, body);
    return [
      this.db
        .prepare(
          `UPDATE idempotency_keys SET owner = ?4, status = ?5, headers = ?6, body = ?7, body_key = ?8, run_id = ?9
           WHERE scope = ?1 AND path = ?2 AND key = ?3`,
        )
        .bind(scope, path, key, owner, status, headers, content, content_key, run_id),
      ...(content_key ? [this.db.prepare("DELETE FROM orphans WHERE key = ?").bind(content_key)] : []),
    ];
  }

  /** Releases a key, so that the next request counts as the first. */
  async release({ scope, path, key, owner }: Claim): Promise<void> {
    await this.db
      .prepare("DELETE FROM idempotency_keys WHERE scope = ? AND path = ? AND key = ? AND owner = ? AND status IS NULL")
      .bind(scope, path, key, owner)
      .run();
  }

  /** Statements that delete the answers about a run, for the batch that deletes it; they must precede its interactions. */
  deleteOfRunStatements(run: { id: string; tenant_id: string }, ended: string): D1PreparedStatement[] {
    const interactions = "FROM interactions WHERE run_id = ?1";
    const remove = (where: string, ...values: string[]) =>
      this.db.prepare(`DELETE FROM idempotency_keys WHERE ${where} AND ${ended}`).bind(run.id, ...values);
    return [
      remove("run_id = ?1"),
      remove(`scope IN (SELECT id ${interactions})`),
      remove("scope = ?2 AND path > '/v1/runs/' || ?1 || '/' AND path < '/v1/runs/' || ?1 || '0'", run.tenant_id),
      remove(`scope = ?2 AND path IN (SELECT '/v1/interactions/' || id || '/answer' ${interactions})`, run.tenant_id),
    ];
  }

  // For the keeper

  async removeExpired(now: number, limit: number): Promise<void> {
    await this.db
      .prepare(
        "DELETE FROM idempotency_keys WHERE rowid IN (SELECT rowid FROM idempotency_keys WHERE expires_at <= ? LIMIT ?)",
      )
      .bind(now, limit)
      .run();
  }

  /** When the next key expires; null when there is none. */
  async nextExpiry(): Promise<number | null> {
    return this.db.prepare("SELECT MIN(expires_at) AS at FROM idempotency_keys").first<number>("at");
  }
}

/** Whether a batch failed because another request has taken over the key of its answer. */
export const isOvertaken = (error: unknown): boolean => String(error).includes("idempotency_key_overtaken");
