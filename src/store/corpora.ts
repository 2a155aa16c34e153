import { type ContentStore } from "./contents";
import type { DocumentStore, NewDocument } from "./documents";
import { type CorpusRow, toPage, type UploadRow } from "./rows";
import type { Page } from "#core/page";

/** What of a corpus can be set. */
export type CorpusFields = Pick<CorpusRow, "name" | "description" | "language" | "metadata">;

const FIELDS = ["name", "description", "language", "metadata"] as const satisfies readonly (keyof CorpusFields)[];

/** A corpus without what is counted of its documents. */
export type CorpusInWork = Omit<CorpusRow, "documents" | "unready" | "unread">;

/** What one reading of an upload found. */
export interface UploadProgress {
  position: number;
  lines: number;
  added: number;
  unchanged: number;
  faulty: number;
  /** JSON: all that are told so far. */
  faults: string;
}

const WITH_POOL = `SELECT c.*, p.number AS pool, p.passages, p.embedded,
  (SELECT COUNT(*) FROM documents WHERE pool = p.number) AS documents,
  (SELECT COUNT(*) FROM documents WHERE pool = p.number AND status <> 'ready') AS unready,
  (SELECT COUNT(*) FROM uploads WHERE corpus_id = c.id AND read_at IS NULL) AS unread
  FROM corpora c JOIN pools p ON p.id = c.id`;
const UPLOAD = `SELECT u.*, (SELECT COUNT(*) FROM documents WHERE upload_id = u.id AND status <> 'ready') AS unready,
  (SELECT COUNT(*) FROM documents WHERE upload_id = u.id AND status = 'ready') AS ready FROM uploads u`;
/** What is left to do for a corpus (?1): lines to read, documents to split, passages to embed. */
const REMAINING_WORK = `EXISTS (SELECT 1 FROM uploads WHERE corpus_id = ?1 AND read_at IS NULL)
  OR EXISTS (SELECT 1 FROM documents d JOIN pools p ON p.number = d.pool WHERE p.id = ?1 AND d.status <> 'ready')`;

/** Corpora, and the uploads that fill them. */
export class CorpusStore {
  constructor(
    private readonly db: D1Database,
    private readonly contents: ContentStore,
    private readonly documents: DocumentStore,
  ) {}

  async create(
    row: CorpusFields & Pick<CorpusRow, "id" | "tenant_id" | "mode" | "embedding_model">,
  ): Promise<CorpusRow> {
    const now = Date.now();
    await this.db.batch([
      this.db.prepare("INSERT INTO pools (id, tenant_id) VALUES (?, ?)").bind(row.id, row.tenant_id),
      this.db
        .prepare(
          `INSERT INTO corpora (id, tenant_id, mode, embedding_model, created_at, updated_at, ${FIELDS.join(", ")})
           VALUES (?, ?, ?, ?, ?, ?, ${FIELDS.map(() => "?").join(", ")})`,
        )
        .bind(row.id, row.tenant_id, row.mode, row.embedding_model, now, now, ...FIELDS.map((field) => row[field])),
    ]);
    return (await this.get(row.tenant_id, row.id))!;
  }

  async get(tenant: string, id: string): Promise<CorpusRow | null> {
    return this.db.prepare(`${WITH_POOL} WHERE c.id = ? AND c.tenant_id = ?`).bind(id, tenant).first<CorpusRow>();
  }

  /** Newest first. */
  async list(tenant: string, mode: string | null, limit: number, after: string | null): Promise<Page<CorpusRow>> {
    const { results } = await this.db
      .prepare(
        `${WITH_POOL} WHERE c.tenant_id = ?1 AND (?2 IS NULL OR c.mode = ?2) AND (?3 IS NULL OR c.id < ?3) ORDER BY c.id DESC LIMIT ?4`,
      )
      .bind(tenant, mode, after, limit + 1)
      .all<CorpusRow>();
    return toPage(results, limit, (row) => row.id);
  }

  /** Sets the fields that are given; false when the tenant has no such corpus. */
  async update(tenant: string, id: string, change: Partial<CorpusFields>): Promise<boolean> {
    const given = FIELDS.filter((field) => change[field] !== undefined);
    const { meta } = await this.db
      .prepare(
        `UPDATE corpora SET ${["updated_at", ...given].map((field) => `${field} = ?`).join(", ")} WHERE id = ? AND tenant_id = ?`,
      )
      .bind(Date.now(), ...given.map((field) => change[field]), id, tenant)
      .run();
    return meta.changes > 0;
  }

  /**
   * Removes a corpus: from here on nothing is found in it or added to it. Its documents and objects are then strays and orphans.
   * False when the tenant has none.
   */
  async remove(tenant: string, id: string): Promise<boolean> {
    const there = "EXISTS (SELECT 1 FROM corpora WHERE id = ?1 AND tenant_id = ?2)";
    const now = Date.now();
    const results = await this.db.batch([
      this.db
        .prepare(`INSERT OR REPLACE INTO orphans (key, due_at) SELECT ?3, ?4 WHERE ${there}`)
        .bind(id, tenant, `${folderOf(tenant, id)}/`, now),
      this.db
        .prepare(`UPDATE pools SET removed_at = ?3 WHERE id = ?1 AND tenant_id = ?2 AND ${there}`)
        .bind(id, tenant, now),
      this.db.prepare(`DELETE FROM uploads WHERE corpus_id = ?1 AND ${there}`).bind(id, tenant),
      this.db.prepare("DELETE FROM corpora WHERE id = ?1 AND tenant_id = ?2").bind(id, tenant),
    ]);
    return results.at(-1)!.meta.changes > 0;
  }

  /** Removes the objects of a corpus that was removed. */
  async removeObjects(tenant: string, id: string): Promise<void> {
    await this.contents.removeOrphan(`${folderOf(tenant, id)}/`);
  }

  // Uploads

  /** Keeps lines, to be read later; null when there are more bytes than allowed. */
  async storeUpload(tenant: string, corpus: string, upload: string, body: ReadableStream<Uint8Array>, most: number) {
    const key = `${folderOf(tenant, corpus)}/${upload}`;
    const size = await this.contents.putStream(key, body, most);
    return size === null ? null : { key, size };
  }

  /** Null when the corpus is gone. */
  async createUpload(
    row: Pick<UploadRow, "id" | "tenant_id" | "corpus_id" | "key" | "size">,
  ): Promise<UploadRow | null> {
    const { meta } = await this.db
      .prepare(
        `INSERT INTO uploads (id, tenant_id, corpus_id, key, size, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM corpora WHERE id = ?3 AND tenant_id = ?2`,
      )
      .bind(row.id, row.tenant_id, row.corpus_id, row.key, row.size, Date.now())
      .run();
    return meta.changes > 0 ? this.getUpload(row.tenant_id, row.corpus_id, row.id) : null;
  }

  async getUpload(tenant: string, corpus: string, id: string): Promise<UploadRow | null> {
    return this.db
      .prepare(`${UPLOAD} WHERE u.id = ? AND u.corpus_id = ? AND u.tenant_id = ?`)
      .bind(id, corpus, tenant)
      .first<UploadRow>();
  }

  /** Newest first. */
  async listUploads(corpus: string, limit: number, after: string | null): Promise<Page<UploadRow>> {
    const { results } = await this.db
      .prepare(`${UPLOAD} WHERE u.corpus_id = ?1 AND (?2 IS NULL OR u.id < ?2) ORDER BY u.id DESC LIMIT ?3`)
      .bind(corpus, after, limit + 1)
      .all<UploadRow>();
    return toPage(results, limit, (row) => row.id);
  }

  /** Bytes of an upload; null when its object is gone. */
  readUpload(upload: UploadRow, from: number, length: number): Promise<Uint8Array | null> {
    return this.contents.getBytes(upload.key, from, length);
  }

  /**
   * Adds documents that lines of an upload brought, and notes how far it was read, in one transaction; does nothing when the upload
   * has gone on meanwhile. With its end its object is an orphan.
   */
  async addFromUpload(
    corpus: CorpusInWork,
    upload: UploadRow,
    documents: readonly NewDocument[],
    now: UploadProgress,
  ): Promise<void> {
    const ended = now.position >= upload.size;
    const standing = this.db
      .prepare(
        `UPDATE uploads SET position = ?3, lines = ?4, added = ?5, unchanged = ?6, faulty = ?7, faults = ?8, read_at = ?9
         WHERE id = ?1 AND position = ?2`,
      )
      .bind(
        upload.id,
        upload.position,
        now.position,
        now.lines,
        now.added,
        now.unchanged,
        now.faulty,
        now.faults,
        ended ? Date.now() : null,
      );
    const orphan = this.db
      .prepare("INSERT OR REPLACE INTO orphans (key, due_at) VALUES (?, ?)")
      .bind(upload.key, Date.now());
    const folder = folderOf(upload.tenant_id, upload.corpus_id);
    await this.documents.add(corpus.pool, folder, upload, documents, [standing, ...(ended ? [orphan] : [])]);
  }

  // What the indexer and the keeper do

  /** A corpus as its indexer sees it, whoever it belongs to: nothing is counted for it. */
  async getForIndexing(id: string): Promise<CorpusInWork | null> {
    return this.db
      .prepare(
        "SELECT c.*, p.number AS pool, p.passages, p.embedded FROM corpora c JOIN pools p ON p.id = c.id WHERE c.id = ?",
      )
      .bind(id)
      .first<CorpusInWork>();
  }

  /** The oldest upload of a corpus that is not read to its end. */
  async unread(corpus: string): Promise<UploadRow | null> {
    return this.db
      .prepare(`${UPLOAD} WHERE u.corpus_id = ? AND u.read_at IS NULL ORDER BY u.id LIMIT 1`)
      .bind(corpus)
      .first<UploadRow>();
  }

  /** Notes that work went well, and when to go on: at once when there is more, else never. Returns whether there is. */
  async recordSuccess(id: string): Promise<boolean> {
    const row = await this.db
      .prepare(
        `UPDATE corpora SET attempts = 0, failure = NULL, due_at = CASE WHEN ${REMAINING_WORK} THEN ?2 END WHERE id = ?1 RETURNING due_at`,
      )
      .bind(id, Date.now())
      .first<{ due_at: number | null }>();
    return row !== null && row.due_at !== null;
  }

  /** Notes that work failed, and when to try again. */
  async recordFailure(id: string, failure: string, attempts: number, due_at: number): Promise<void> {
    await this.db
      .prepare("UPDATE corpora SET attempts = ?2, failure = ?3, due_at = ?4 WHERE id = ?1")
      .bind(id, attempts, failure, due_at)
      .run();
  }

  /** Corpora whose work was due before, and when it next is. */
  async due(before: number, limit: number): Promise<string[]> {
    const { results } = await this.db
      .prepare("SELECT id FROM corpora WHERE due_at <= ? ORDER BY due_at LIMIT ?")
      .bind(before, limit)
      .all<{ id: string }>();
    return results.map(({ id }) => id);
  }

  /** Counts what requests for its vectors have used. */
  async recordUsage(id: string, used: { llm_calls: number; input_tokens: number; cost_usd: number | null }): Promise<void> {
    await this.db
      .prepare(
        `UPDATE corpora SET llm_calls = llm_calls + ?2, input_tokens = input_tokens + ?3,
           cost_usd = iif(?4 IS NULL, cost_usd, COALESCE(cost_usd, 0) + ?4) WHERE id = ?1`,
      )
      .bind(id, used.llm_calls, used.input_tokens, used.cost_usd)
      .run();
  }
}

/** Where the objects of a corpus stand in R2. */
export const folderOf = (tenant: string, corpus: string): string => `${tenant}/${corpus}`;
