import { batch } from "./batch";
import { boundedPage } from "./bounded-page";
import { type ContentStore } from "./contents";
import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import type { DocumentStore, NewDocument } from "./documents";
import type { QuotaStore } from "./quotas";
import { toPage } from "./page";
import type { StoredCorpusRow, StoredUploadRow } from "./rows";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

/** Fields of a corpus that callers set. */
export interface CorpusRow extends StoredCorpusRow {
  /** Number of the corpus's pool. */
  pool: number;
  documents: number;
  /** Documents that are not ready yet. */
  unready: number;
  /** Uploads that are not completely read yet. */
  unread: number;
  passages: number;
  embedded: number;
}

export interface UploadRow extends StoredUploadRow {
  /** Documents of the upload that still exist: not ready yet, and ready. */
  unready: number;
  ready: number;
}

export type CorpusFields = Pick<CorpusRow, "name" | "description" | "language" | "metadata">;

const FIELDS = ["name", "description", "language", "metadata"] as const satisfies readonly (keyof CorpusFields)[];

/** A corpus without counts of its documents. */
export type CorpusInWork = Omit<CorpusRow, "documents" | "unready" | "unread">;

/** State of an upload after a part of it was read. */
export interface UploadProgress {
  position: number;
  lines: number;
  added: number;
  unchanged: number;
  invalid: number;
  /** JSON: the errors listed so far. */
  errors: string;
}

const WITH_POOL = `SELECT c.*, p.number AS pool, p.passages, p.embedded,
  (SELECT COUNT(*) FROM documents WHERE pool = p.number) AS documents,
  (SELECT COUNT(*) FROM documents WHERE pool = p.number AND status <> 'ready') AS unready,
  (SELECT COUNT(*) FROM uploads WHERE corpus_id = c.id AND read_at IS NULL) AS unread
  FROM corpora c JOIN pools p ON p.id = c.id`;
const UPLOAD_COLUMNS = `t.*, (SELECT COUNT(*) FROM documents WHERE upload_id = t.id AND status <> 'ready') AS unready,
  (SELECT COUNT(*) FROM documents WHERE upload_id = t.id AND status = 'ready') AS ready`;
const UPLOAD = `SELECT ${UPLOAD_COLUMNS} FROM uploads t`;
/** Condition that work is left for corpus ?1: lines to read, documents to split, passages to embed. */
const REMAINING_WORK = `EXISTS (SELECT 1 FROM uploads WHERE corpus_id = ?1 AND read_at IS NULL)
  OR EXISTS (SELECT 1 FROM documents d JOIN pools p ON p.number = d.pool WHERE p.id = ?1 AND d.status <> 'ready')`;

/** Corpora and their uploads. */
export class CorpusStore {
  constructor(
    private readonly db: D1Database,
    private readonly contents: ContentStore,
    private readonly documents: DocumentStore,
    private readonly idempotency: IdempotencyStore,
    private readonly quotas: QuotaStore,
  ) {}

  /** @throws QuotaExceededError */
  async create(
    row: CorpusFields & Pick<CorpusRow, "id" | "tenant_id" | "mode" | "embedding_model" | "created_at" | "updated_at">,
    completion?: RequestCompletion,
  ): Promise<void> {
    const needs = { corpora: 1, stored_bytes: 1 };
    const insert = this.db
      .prepare(
        `INSERT INTO corpora (id, tenant_id, mode, embedding_model, created_at, updated_at, ${FIELDS.join(", ")})
         VALUES (?, ?, ?, ?, ?, ?, ${FIELDS.map(() => "?").join(", ")})`,
      )
      .bind(
        row.id,
        row.tenant_id,
        row.mode,
        row.embedding_model,
        row.created_at,
        row.updated_at,
        ...FIELDS.map((field) => row[field]),
      );
    await this.quotas.batch(row.tenant_id, needs, {
      pool: this.db.prepare("INSERT INTO pools (id, tenant_id) VALUES (?, ?)").bind(row.id, row.tenant_id),
      corpus: await this.idempotency.withCompletion(insert, completion),
    });
  }

  async get({ tenant_id, mode }: Owner, id: string): Promise<CorpusRow | null> {
    return this.db
      .prepare(`${WITH_POOL} WHERE c.id = ? AND c.tenant_id = ? AND c.mode = ?`)
      .bind(id, tenant_id, mode)
      .first<CorpusRow>();
  }

  /** Newest first. */
  async list({ tenant_id, mode }: Owner, limit: number, after: string | null): Promise<Page<CorpusRow>> {
    const { results } = await this.db
      .prepare(
        `${WITH_POOL} WHERE c.tenant_id = ?1 AND c.mode = ?2 AND (?3 IS NULL OR c.id < ?3) ORDER BY c.id DESC LIMIT ?4`,
      )
      .bind(tenant_id, mode, after, limit + 1)
      .all<CorpusRow>();
    return toPage(results, limit, (row) => row.id);
  }

  /** Updates the given fields; false when the owner has no such corpus. */
  async update(
    { tenant_id, mode }: Owner,
    id: string,
    change: Partial<CorpusFields>,
    completion?: RequestCompletion,
  ): Promise<boolean> {
    const given = FIELDS.filter((field) => change[field] !== undefined);
    const update = this.db
      .prepare(
        `UPDATE corpora SET ${["updated_at", ...given].map((field) => `${field} = ?`).join(", ")} WHERE id = ? AND tenant_id = ? AND mode = ?`,
      )
      .bind(Date.now(), ...given.map((field) => change[field]), id, tenant_id, mode);
    return (await this.idempotency.write(update, completion)).changes > 0;
  }

  /**
   * Deletes a corpus: nothing can be found in it or added to it any more. The maintenance worker deletes its documents and objects.
   * @returns false when the owner has no such corpus
   */
  async remove({ tenant_id, mode }: Owner, id: string, completion?: RequestCompletion): Promise<boolean> {
    const exists = "EXISTS (SELECT 1 FROM corpora WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3)";
    const now = Date.now();
    const remove = this.db
      .prepare("DELETE FROM corpora WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3")
      .bind(id, tenant_id, mode);
    const { removed } = await batch(this.db, {
      orphans: this.db
        .prepare(`INSERT OR REPLACE INTO orphans (key, due_at) SELECT ?4, ?5 WHERE ${exists}`)
        .bind(id, tenant_id, mode, `${folderOf(tenant_id, id)}/`, now),
      pool: this.db
        .prepare(`UPDATE pools SET removed_at = ?4 WHERE id = ?1 AND tenant_id = ?2 AND ${exists}`)
        .bind(id, tenant_id, mode, now),
      uploads: this.db.prepare(`DELETE FROM uploads WHERE corpus_id = ?1 AND ${exists}`).bind(id, tenant_id, mode),
      removed: await this.idempotency.withCompletion(remove, completion),
    });
    return removed.changes > 0;
  }

  /** Deletes the objects of a deleted corpus. */
  async removeObjects(tenant: string, id: string): Promise<void> {
    await this.contents.removeOrphan(`${folderOf(tenant, id)}/`);
  }

  // Uploads

  /** Stores the lines of an upload in R2; null when they exceed `most` bytes. */
  async storeUpload(
    { tenant, corpus, upload }: { tenant: string; corpus: string; upload: string },
    body: ReadableStream<Uint8Array>,
    most: number,
  ) {
    const key = `${folderOf(tenant, corpus)}/${upload}`;
    const size = await this.contents.putStream(key, body, most);
    return size === null ? null : { key, size };
  }

  /** False when the corpus does not exist any more. @throws QuotaExceededError */
  async createUpload(
    row: Pick<UploadRow, "id" | "tenant_id" | "corpus_id" | "key" | "size">,
    completion?: RequestCompletion,
  ): Promise<boolean> {
    const quota = { tenant: row.tenant_id, needs: { stored_bytes: row.size, documents: 1, passages: 1 } };
    const insert = this.db
      .prepare(
        `INSERT INTO uploads (id, tenant_id, corpus_id, key, size, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM corpora WHERE id = ?3 AND tenant_id = ?2`,
      )
      .bind(row.id, row.tenant_id, row.corpus_id, row.key, row.size, Date.now());
    return (await this.idempotency.write(insert, completion, quota)).changes > 0;
  }

  /** Deletes the lines of an upload that was not created. */
  removeLines({ key }: { key: string }): Promise<void> {
    return this.contents.removeOrphan(key);
  }

  async getUpload(corpus: string, id: string): Promise<UploadRow | null> {
    return this.db.prepare(`${UPLOAD} WHERE t.id = ? AND t.corpus_id = ?`).bind(id, corpus).first<UploadRow>();
  }

  /** Newest first. */
  async listUploads(corpus: string, limit: number, after: string | null): Promise<Page<UploadRow>> {
    const where = "corpus_id = ?1 AND (?2 IS NULL OR id < ?2)";
    const listing = { table: "uploads", columns: UPLOAD_COLUMNS, long: ["errors"], where, values: [corpus, after] };
    return boundedPage(this.db, listing, limit);
  }

  /** Bytes of an upload; null when its object does not exist any more. */
  readUpload(upload: UploadRow, from: number, length: number): Promise<Uint8Array | null> {
    return this.contents.getBytes(upload.key, from, length);
  }

  /**
   * Adds documents of an upload and updates its position in one transaction; does nothing when the position has changed meanwhile. At its
   * end its object becomes an orphan.
   */
  async addFromUpload(
    corpus: CorpusInWork,
    upload: UploadRow,
    documents: readonly NewDocument[],
    now: UploadProgress,
  ): Promise<void> {
    const ended = now.position >= upload.size;
    const position = this.db
      .prepare(
        `UPDATE uploads SET position = ?3, lines = ?4, added = ?5, unchanged = ?6, invalid = ?7, errors = ?8, read_at = ?9
         WHERE id = ?1 AND position = ?2`,
      )
      .bind(
        upload.id,
        upload.position,
        now.position,
        now.lines,
        now.added,
        now.unchanged,
        now.invalid,
        now.errors,
        ended ? Date.now() : null,
      );
    const orphan = this.db
      .prepare("INSERT OR REPLACE INTO orphans (key, due_at) VALUES (?, ?)")
      .bind(upload.key, Date.now());
    const folder = folderOf(upload.tenant_id, upload.corpus_id);
    await this.documents.add(corpus.pool, folder, upload, documents, {
      also: [position, ...(ended ? [orphan] : [])],
      tenant: corpus.tenant_id,
    });
  }

  // For the indexer and the maintenance worker

  /** Corpora of a tenant, of both modes. */
  async ofTenant(tenant: string, limit: number): Promise<(Owner & { id: string })[]> {
    const { results } = await this.db
      .prepare("SELECT id, tenant_id, mode FROM corpora WHERE tenant_id = ? ORDER BY mode, id LIMIT ?")
      .bind(tenant, limit)
      .all<Owner & { id: string }>();
    return results;
  }

  /** A corpus of any tenant, without counts, for its indexer. */
  async getForIndexing(id: string): Promise<CorpusInWork | null> {
    return this.db
      .prepare(
        "SELECT c.*, p.number AS pool, p.passages, p.embedded FROM corpora c JOIN pools p ON p.id = c.id WHERE c.id = ?",
      )
      .bind(id)
      .first<CorpusInWork>();
  }

  /** The oldest upload of a corpus that is not fully read. */
  async unread(corpus: string): Promise<UploadRow | null> {
    return this.db
      .prepare(`${UPLOAD} WHERE t.corpus_id = ? AND t.read_at IS NULL ORDER BY t.id LIMIT 1`)
      .bind(corpus)
      .first<UploadRow>();
  }

  /** Clears failures after successful work; the corpus is due at once if work is left, else never. Returns whether work is left. */
  async recordSuccess(id: string): Promise<boolean> {
    const row = await this.db
      .prepare(
        `UPDATE corpora SET attempts = 0, failure = NULL, due_at = CASE WHEN ${REMAINING_WORK} THEN ?2 END WHERE id = ?1 RETURNING due_at`,
      )
      .bind(id, Date.now())
      .first<{ due_at: number | null }>();
    return row !== null && row.due_at !== null;
  }

  /** Records a failure and the time of the next attempt. */
  async recordFailure(id: string, failure: string, attempts: number, due_at: number): Promise<void> {
    await this.db
      .prepare("UPDATE corpora SET attempts = ?2, failure = ?3, due_at = ?4 WHERE id = ?1")
      .bind(id, attempts, failure, due_at)
      .run();
  }

  /** Ids of corpora whose work was due before `before`, earliest first. */
  async due(before: number, limit: number): Promise<string[]> {
    const { results } = await this.db
      .prepare("SELECT id FROM corpora WHERE due_at <= ? ORDER BY due_at LIMIT ?")
      .bind(before, limit)
      .all<{ id: string }>();
    return results.map(({ id }) => id);
  }

  /** Adds the usage of requests for vectors. */
  async recordUsage(
    id: string,
    used: { llm_calls: number; input_tokens: number; cost_usd: number | null },
  ): Promise<void> {
    await this.db
      .prepare(
        `UPDATE corpora SET llm_calls = llm_calls + ?2, input_tokens = input_tokens + ?3,
           cost_usd = iif(?4 IS NULL, cost_usd, COALESCE(cost_usd, 0) + ?4) WHERE id = ?1`,
      )
      .bind(id, used.llm_calls, used.input_tokens, used.cost_usd)
      .run();
  }
}

/** R2 folder of a corpus's objects. */
export const folderOf = (tenant: string, corpus: string): string => `${tenant}/${corpus}`;
