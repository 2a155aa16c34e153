import { batch, type Returning } from "./batch";
import { boundedPage } from "./bounded-page";
import { type ContentStore, INLINE_LIMIT } from "./contents";
import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import { inParameters, MAX_PARAMETER } from "./parameters";
import { bytesOf, type QuotaStore } from "./quotas";
import type { DocumentRow } from "./rows";
import type { Page } from "#core/page";

/** Fields of a document that callers set; `metadata` is JSON. */
export interface DocumentFields {
  external_id: string | null;
  title: string | null;
  source: string;
  jurisdiction: string | null;
  language: string | null;
  date: string | null;
  url: string | null;
  metadata: string;
}

export interface NewDocument extends DocumentFields {
  id: string;
  digest: string;
  text: string;
}

/** A document whose content is stored. */
type StoredDocument = Omit<NewDocument, "text"> & {
  content: string | null;
  content_key: string | null;
  size: number;
  sha256: string;
  stored_bytes: number;
};

/** Bytes that the rows of a document and their entries in indexes count in the quota, besides its texts. */
const ROW_BYTES = 1000;

const bytesOfDocument = ({ text, metadata }: NewDocument): number => ROW_BYTES + bytesOf(text) + bytesOf(metadata);

/** Columns of a document `t`, without its content. */
const METADATA =
  "t.id, pool, external_id, digest, upload_id, title, source, jurisdiction, language, date, url, metadata, size, sha256, passages, status, created_at";

/** The documents of pools. An `external_id` is unique in its pool. */
export class DocumentStore {
  constructor(
    private readonly db: D1Database,
    private readonly contents: ContentStore,
    private readonly idempotency: IdempotencyStore,
    private readonly quotas: QuotaStore,
  ) {}

  /**
   * Adds documents to a pool, unless the pool is removed. One with a taken `external_id` is skipped; of an upload it fails the transaction
   * (`isTakenExternalId`), which counts what it adds.
   * @param folder of the pool's objects: `<tenant>/<corpus or run>`
   * @param upload their source; they are added only if its position is unchanged
   * @param rest further statements of the transaction, the key of the request that adds one document, and the tenant whose quotas they
   *   need; absent for the evidence of a run, which a run's limits bound
   * @returns ids of the added documents
   * @throws QuotaExceededError
   */
  async add(
    pool: number,
    folder: string,
    upload: { id: string; position: number } | null,
    documents: readonly NewDocument[],
    {
      also = [],
      completion,
      tenant,
    }: { also?: readonly D1PreparedStatement[]; completion?: RequestCompletion | undefined; tenant?: string } = {},
  ): Promise<Set<string>> {
    const needs = {
      documents: documents.length,
      passages: documents.length,
      stored_bytes: documents.reduce((sum, document) => sum + bytesOfDocument(document), 0),
    };
    const isLarge = ({ text }: NewDocument) => bytesOf(text) > INLINE_LIMIT;
    // Before anything is stored in R2: an object without its row would stay there for an hour.
    if (tenant && documents.some(isLarge)) await this.quotas.assertRoom(tenant, needs);
    const stored: StoredDocument[] = [];
    for (const document of documents) {
      const { text, ...fields } = document;
      const content = await this.contents.put(`${folder}/${document.id}`, text);
      stored.push({ ...fields, ...content, stored_bytes: bytesOfDocument(document) });
    }
    const insert = this.db.prepare(
      `INSERT INTO documents (pool, upload_id, created_at, id, external_id, digest, title, source, jurisdiction, language, date, url, metadata,
         content, content_key, size, sha256, stored_bytes)
       SELECT p.number, ?2, ?3, value ->> '$.id', value ->> '$.external_id', value ->> '$.digest', value ->> '$.title', value ->> '$.source',
         value ->> '$.jurisdiction', value ->> '$.language', value ->> '$.date', value ->> '$.url', value ->> '$.metadata',
         value ->> '$.content', value ->> '$.content_key', value ->> '$.size', value ->> '$.sha256', value ->> '$.stored_bytes'
       FROM json_each(?4) CROSS JOIN pools p ON p.number = ?1 AND p.removed_at IS NULL
       WHERE ?2 IS NULL OR EXISTS (SELECT 1 FROM uploads WHERE id = ?2 AND position = ?5) ${upload ? "" : "ON CONFLICT DO NOTHING"} RETURNING id`,
    );
    const now = Date.now();
    const inserts = inParameters(stored).map((json): Returning<{ id: string }> =>
      insert.bind(pool, upload?.id ?? null, now, json, upload?.position ?? null),
    );
    if (inserts.length + also.length === 0) return new Set();
    // A request with a key adds one document, by one insert.
    const completed = completion ? await this.idempotency.withCompletion(inserts.pop()!, completion) : [];
    const statements = { inserts, completed, also };
    const done = tenant ? await this.quotas.batch(tenant, needs, statements) : await batch(this.db, statements);
    return new Set([...done.inserts, ...[done.completed].flat()].flatMap(({ rows }) => rows.map(({ id }) => id)));
  }

  /** Documents with these external ids, by external id. */
  async getByExternalIds(
    pool: number,
    external_ids: readonly string[],
  ): Promise<Map<string, Pick<DocumentRow, "id" | "digest" | "passages">>> {
    const { results } = await this.db
      .prepare(
        "SELECT id, digest, passages, external_id FROM documents WHERE pool = ?1 AND external_id IN (SELECT value FROM json_each(?2))",
      )
      .bind(pool, JSON.stringify(external_ids))
      .all<{ id: string; digest: string; passages: number; external_id: string }>();
    return new Map(results.map((row) => [row.external_id, row]));
  }

  async get(pool: number, id: string): Promise<DocumentRow | null> {
    return this.db.prepare("SELECT * FROM documents WHERE id = ? AND pool = ?").bind(id, pool).first<DocumentRow>();
  }

  text(row: Pick<DocumentRow, "content" | "content_key">): Promise<string> {
    return this.contents.get(row);
  }

  /** Newest first, without contents. */
  async list(
    pool: number,
    filter: { external_id?: string; status?: string },
    limit: number,
    after: string | null,
  ): Promise<Page<Omit<DocumentRow, "content" | "content_key">>> {
    const where =
      "pool = ?1 AND (?2 IS NULL OR external_id = ?2) AND (?3 IS NULL OR status = ?3) AND (?4 IS NULL OR id < ?4)";
    const values = [pool, filter.external_id ?? null, filter.status ?? null, after];
    const long = ["title", "source", "url", "metadata"];
    return boundedPage(this.db, { table: "documents", columns: METADATA, long, where, values }, limit);
  }

  /** The next documents of a pool that are not fully split into passages, oldest first: several small ones or one large one. */
  async unindexed(pool: number): Promise<DocumentRow[]> {
    const { results } = await this.db
      .prepare(
        `SELECT * FROM (SELECT *, SUM(size) OVER (ORDER BY id) AS total, ROW_NUMBER() OVER (ORDER BY id) AS place FROM (
           SELECT * FROM documents WHERE pool = ?1 AND status = 'indexing' ORDER BY id LIMIT 200))
         WHERE place = 1 OR total < ?2`,
      )
      .bind(pool, MAX_PARAMETER / 2)
      .all<DocumentRow>();
    return results;
  }

  /** Deletes a document with its passages; its object becomes an orphan. False when it does not exist. */
  async remove(pool: number, id: string, completion?: RequestCompletion): Promise<boolean> {
    const remove = (table: string, column: string) =>
      this.db.prepare(`DELETE FROM ${table} WHERE ${column} = ?1 AND pool = ?2`).bind(id, pool);
    const { removed } = await batch(this.db, {
      passages: remove("passages", "document_id"),
      orphan: this.db
        .prepare(
          `INSERT OR REPLACE INTO orphans (key, due_at) SELECT content_key, ?3 FROM documents WHERE id = ?1 AND pool = ?2 AND content_key IS NOT NULL`,
        )
        .bind(id, pool, Date.now()),
      removed: await this.idempotency.withCompletion(remove("documents", "id"), completion),
    });
    return removed.changes > 0;
  }
}

/** Whether documents of an upload were not added because another request has added one under the same `external_id`. */
export const isTakenExternalId = (error: unknown): boolean => String(error).includes("documents.external_id");
