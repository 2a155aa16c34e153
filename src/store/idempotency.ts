import { notHeld } from "./held-tenants";
import { batch, type Done, type Returning, returning, Completed } from "./batch";
import { type AuditEntry, auditStatement } from "./audit";
import type { ContentStore, StoredContent } from "./contents";
import type { Needs, QuotaStore } from "./quotas";
import type { Owner } from "#core/owner";
import type { IdempotencyRow } from "./rows";

/** A request's claim to a key. */
export interface Claim {
  /** Of a tenant's keys `keyScope`; of callbacks, the interaction. */
  scope: string;
  path: string;
  key: string;
  /** Of the request: differs between different requests with the same key. */
  fingerprint: string;
  /** Identifies the request. */
  owner: string;
  claimed_at: number;
  expires_at: number;
}

/** The answer to repeat from now on; `body` is sealed, `headers` is JSON. */
export interface SealedResponse {
  run_id: string | null;
  status: number;
  headers: string;
  body: string;
}

/** The scope of the idempotency keys of an owner's requests. */
export const keyScope = ({ tenant_id, mode }: Owner): string => `${tenant_id}/${mode}`;

/** Rows that a transaction stores with its change: an entry of the audit log, and the answer under the key of its request. */
export interface RequestCompletion {
  audit: AuditEntry;
  /** null: the request has no key. */
  claim: Claim | null;
  /** Id of what the transaction makes or changes. */
  made: string;
  /** null: a repeated request makes the answer from `made`. */
  answer: SealedResponse | null;
}

/** SQL: the tenant of a key, by its scope; that of a callback's key is its question. */
const TENANT_OF_KEY = `iif(scope GLOB '*/*', substr(scope, 1, instr(scope, '/') - 1),
  COALESCE((SELECT tenant_id FROM interactions WHERE id = scope), ''))`;

/** Idempotency keys of POST requests, with their answers. */
export class IdempotencyStore {
  constructor(
    private readonly db: D1Database,
    private readonly contents: ContentStore,
    private readonly quotas: QuotaStore,
  ) {}

  /**
   * Claims a key that is free, has expired, was claimed before `abandoned_before` by an identical request that has no answer yet, or was
   * released by one that has written. Safe to repeat.
   * @returns the key's row; `owner` is the request that holds it
   * @throws QuotaExceededError when the tenant has too many keys to claim another
   */
  async claim(claim: Claim, abandoned_before: number): Promise<IdempotencyRow> {
    const { scope, path, key, fingerprint, owner, claimed_at, expires_at } = claim;
    const [, tenant = ""] = /^(.*)\/(?:live|test)$/.exec(scope) ?? []; // none: of a callback
    const needs = { idempotency_keys: 1 };
    const known = {
      condition: "EXISTS (SELECT 1 FROM idempotency_keys WHERE scope = ?3 AND path = ?4 AND key = ?5)",
      values: [scope, path, key],
    };
    const statements = {
      expired: this.db
        .prepare("DELETE FROM idempotency_keys WHERE scope = ? AND path = ? AND key = ? AND expires_at <= ?")
        .bind(scope, path, key, claimed_at),
      check: tenant ? [this.quotas.check(tenant, needs, known)] : [],
      claim: this.db
        .prepare(
          `INSERT INTO idempotency_keys (scope, path, key, fingerprint, owner, claimed_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (scope, path, key) DO UPDATE SET owner = excluded.owner, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
           WHERE status IS NULL AND fingerprint = excluded.fingerprint AND claimed_at < ?`,
        )
        .bind(scope, path, key, fingerprint, owner, claimed_at, expires_at, abandoned_before),
      row: returning<IdempotencyRow>(
        this.db
          .prepare("SELECT * FROM idempotency_keys WHERE scope = ? AND path = ? AND key = ?")
          .bind(scope, path, key),
      ),
    };
    const { row } = await this.quotas.within(tenant, needs, () => batch(this.db, statements));
    return row.rows[0]!;
  }

  /** The stored, sealed body of an answer. */
  body(row: IdempotencyRow): Promise<string> {
    return this.contents.get({ content: row.body, content_key: row.body_key });
  }

  /**
   * A statement that writes, with those that record it in the audit log and completes the key of its request: without effect when it changed no row,
   * which only `changes()` can tell them, since a batch of D1 has no variables. The batch fails (`isClaimLost`) when another request has taken over
   * the key, or has written under it. A key whose row was released meanwhile is stored again.
   */
  async withCompletion<Row>(
    statement: Returning<Row>,
    completion: RequestCompletion | undefined,
  ): Promise<Completed<Row>> {
    return new Completed(statement, completion ? await this.completionStatements(completion) : []);
  }

  private async completionStatements(completion: RequestCompletion): Promise<D1PreparedStatement[]> {
    const { audit, claim, made, answer } = completion;
    // It changes a row when the statement before it did, which is what the next statement looks at.
    const audited = auditStatement(this.db, audit, "changes() > 0");
    if (!claim) return [audited];
    const { scope, path, key, fingerprint, owner, claimed_at, expires_at } = claim;
    const body = answer && (await this.putBody(claim, answer));
    return [
      audited,
      this.db
        .prepare(
          `INSERT INTO idempotency_keys (scope, path, key, fingerprint, owner, claimed_at, expires_at, made, run_id, status, headers, body, body_key, body_size)
           SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE changes() > 0
           ON CONFLICT (scope, path, key) DO UPDATE SET owner = excluded.owner, made = excluded.made, run_id = excluded.run_id,
             status = excluded.status, headers = excluded.headers, body = excluded.body, body_key = excluded.body_key,
             body_size = excluded.body_size`,
        )
        .bind(
          scope,
          path,
          key,
          fingerprint,
          owner,
          claimed_at,
          expires_at,
          made,
          answer?.run_id ?? null,
          answer?.status ?? null,
          answer?.headers ?? null,
          body?.content ?? null,
          body?.content_key ?? null,
          body?.size ?? 0,
        ),
      ...this.notOrphan(body),
    ];
  }

  /**
   * Executes a statement that writes, and completes the key of its request, in one transaction.
   * @param quota what it needs of its tenant's quotas
   * @param before statements that make room first
   * @throws QuotaExceededError
   */
  async write<Row>(
    statement: Returning<Row>,
    completion: RequestCompletion | undefined,
    quota?: { tenant: string; needs: Needs },
    before: readonly D1PreparedStatement[] = [],
  ): Promise<Done<Row>> {
    const written = await this.withCompletion(statement, completion);
    if (!quota) return (await batch(this.db, { written })).written;
    return (await this.quotas.batch(quota.tenant, quota.needs, { written }, before)).written;
  }

  /** Stores the answer to a request that holds its key; without effect when another one has taken it over. Safe to repeat. */
  async storeResponse(claim: Claim, answer: SealedResponse): Promise<void> {
    const { scope, path, key, owner } = claim;
    const body = await this.putBody(claim, answer);
    await batch(this.db, {
      answer: this.db
        .prepare(
          `UPDATE idempotency_keys SET status = ?5, headers = ?6, body = ?7, body_key = ?8, run_id = ?9, body_size = ?10
           WHERE scope = ?1 AND path = ?2 AND key = ?3 AND owner = ?4`,
        )
        .bind(
          scope,
          path,
          key,
          owner,
          answer.status,
          answer.headers,
          body.content,
          body.content_key,
          answer.run_id,
          body.size,
        ),
      notOrphan: this.notOrphan(body),
    });
  }

  private putBody({ scope, owner }: Claim, { body }: SealedResponse): Promise<StoredContent> {
    return this.contents.put(`${scope}/idempotency/${owner}`, body);
  }

  private notOrphan(body: StoredContent | null): D1PreparedStatement[] {
    if (!body?.content_key) return [];
    return [
      this.db
        .prepare("DELETE FROM orphans WHERE key = ?1 AND EXISTS (SELECT 1 FROM idempotency_keys WHERE body_key = ?1)")
        .bind(body.content_key),
    ];
  }

  /** Forgets the claim of a request that has written nothing. False when it has written. Safe to repeat. */
  async forgetUnwritten({ scope, path, key, owner }: Claim): Promise<boolean> {
    const { meta } = await this.db
      .prepare(
        "DELETE FROM idempotency_keys WHERE scope = ? AND path = ? AND key = ? AND owner = ? AND status IS NULL AND made IS NULL",
      )
      .bind(scope, path, key, owner)
      .run();
    return meta.changes > 0;
  }

  /** Releases a key without an answer: the next request counts as the first, or shows what this one has written. Safe to repeat. */
  async release({ scope, path, key, owner }: Claim): Promise<void> {
    const held = "scope = ? AND path = ? AND key = ? AND owner = ? AND status IS NULL";
    const statement = (sql: string) => this.db.prepare(sql).bind(scope, path, key, owner);
    await batch(this.db, {
      unwritten: statement(`DELETE FROM idempotency_keys WHERE ${held} AND made IS NULL`),
      written: statement(`UPDATE idempotency_keys SET claimed_at = 0 WHERE ${held} AND made IS NOT NULL`),
    });
  }

  /** Statements that delete the answers about a run, for the batch that deletes it; they must precede its interactions. */
  deleteOfRunStatements(run: Owner & { id: string }, ended: string): D1PreparedStatement[] {
    const interactions = "FROM interactions WHERE run_id = ?1";
    const remove = (where: string, ...values: string[]) =>
      this.db.prepare(`DELETE FROM idempotency_keys WHERE ${where} AND ${ended}`).bind(run.id, ...values);
    return [
      remove("run_id = ?1"),
      remove(`scope IN (SELECT id ${interactions})`),
      remove("scope = ?2 AND path > '/v1/runs/' || ?1 || '/' AND path < '/v1/runs/' || ?1 || '0'", keyScope(run)),
      remove(`scope = ?2 AND path IN (SELECT '/v1/interactions/' || id || '/answer' ${interactions})`, keyScope(run)),
    ];
  }

  // For the maintenance worker

  async removeExpired(now: number, limit: number): Promise<void> {
    await this.db
      .prepare(
        `DELETE FROM idempotency_keys WHERE rowid IN (SELECT rowid FROM idempotency_keys WHERE expires_at <= ? AND ${notHeld(TENANT_OF_KEY)} LIMIT ?)`,
      )
      .bind(now, limit)
      .run();
  }

  /** When the next key expires; null when there is none. */
  async nextExpiry(): Promise<number | null> {
    return this.db.prepare("SELECT MIN(expires_at) AS at FROM idempotency_keys").first<number>("at");
  }
}

/** Whether a batch failed because another request has taken over its key, or has written under it. */
export const isClaimLost = (error: unknown): boolean => String(error).includes("idempotency_key_overtaken");
