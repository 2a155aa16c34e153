import { notHeld } from "./held-tenants";
import { boundedChunks } from "#core/outbound/bounded-body";

/** Larger contents go to R2 (architecture, law 1). Bytes. */
export const INLINE_LIMIT = 64 * 1024;

/** How long an object may exist without its row before the maintenance worker removes it. Milliseconds. */
const ORPHAN_AFTER = 60 * 60 * 1000;

export interface StoredContent {
  content: string | null;
  content_key: string | null;
  /** Bytes of UTF-8. */
  size: number;
  sha256: string;
}

/** Size of the parts of an upload to R2, the minimum that R2 allows; only the last may be smaller. Bytes. */
const PART = 5 * 1024 * 1024;

class ContentTooLongError extends Error {}

/** Splits a stream into parts of `PART` bytes; the last may be smaller. Throws ContentTooLongError once it exceeds `most` bytes. */
async function* inParts(body: ReadableStream<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(PART);
  let filled = 0;
  for await (const chunk of boundedChunks(body, most, () => new ContentTooLongError())) {
    for (let at = 0; at < chunk.length;) {
      const slice = chunk.subarray(at, at + PART - filled);
      part.set(slice, filled);
      at += slice.length;
      filled += slice.length;
      if (filled === PART) {
        yield part;
        part = new Uint8Array(PART);
        filled = 0;
      }
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString("hex");

/** SHA-256 in hex. */
export const sha256Of = async (bytes: BufferSource): Promise<string> =>
  hex(await crypto.subtle.digest("SHA-256", bytes));

/** SQL: the tenant of an orphan, with whose id its key begins. */
const TENANT_OF_ORPHAN = "substr(orphans.key, 1, instr(orphans.key, '/') - 1)";
/** SQL: the run in the key of an object, `<tenant>/<run>/<name>`. The artifacts of an archived run are in its archive, with their keys. */
const RUN_OF_ORPHAN = `substr(orphans.key, instr(orphans.key, '/') + 1,
  instr(substr(orphans.key, instr(orphans.key, '/') + 1), '/') - 1)`;

/** Texts of any size: small ones in their D1 row, larger ones in R2. */
export class ContentStore {
  constructor(
    private readonly db: D1Database,
    private readonly bucket: R2Bucket,
  ) {}

  /**
   * Prepares a text for its row. A large text is written to R2 first, and recorded as an orphan until its row exists.
   * @param key of the object: `<tenant>/<run>/<id>`
   */
  async put(key: string, text: string): Promise<StoredContent> {
    const bytes = new TextEncoder().encode(text);
    const sha256 = await sha256Of(bytes);
    if (bytes.length <= INLINE_LIMIT) return { content: text, content_key: null, size: bytes.length, sha256 };
    await this.recordOrphan(key);
    await this.bucket.put(key, bytes);
    return { content: null, content_key: key, size: bytes.length, sha256 };
  }

  /**
   * Writes a stream of unknown length to R2, in parts. It is recorded as an orphan until a row points to it.
   * @returns its size in bytes; null when it exceeds `most`, and nothing is kept
   */
  async putStream(key: string, body: ReadableStream<Uint8Array>, most: number): Promise<number | null> {
    await this.recordOrphan(key);
    const upload = await this.bucket.createMultipartUpload(key);
    try {
      const parts: R2UploadedPart[] = [];
      let size = 0;
      for await (const part of inParts(body, most)) {
        size += part.length;
        parts.push(await upload.uploadPart(parts.length + 1, part));
      }
      if (size === 0) parts.push(await upload.uploadPart(1, new Uint8Array()));
      await upload.complete(parts);
      return size;
    } catch (error) {
      await upload.abort();
      if (error instanceof ContentTooLongError) return null;
      throw error;
    }
  }

  /** Bytes of an object; null when it is missing. */
  async getBytes(key: string, offset: number, length: number): Promise<Uint8Array | null> {
    const object = await this.bucket.get(key, { range: { offset, length } });
    return object && new Uint8Array(await object.arrayBuffer());
  }

  private async recordOrphan(key: string): Promise<void> {
    await this.db
      .prepare("INSERT OR REPLACE INTO orphans (key, due_at) VALUES (?, ?)")
      .bind(key, Date.now() + ORPHAN_AFTER)
      .run();
  }

  /** The text of a row. Throws when its object is missing, which happens only if its run was removed. */
  async get(row: { content: string | null; content_key: string | null }): Promise<string> {
    if (row.content !== null) return row.content;
    const object = row.content_key === null ? null : await this.bucket.get(row.content_key);
    if (!object) throw new Error(`Object ${row.content_key} is missing`);
    return object.text();
  }

  /** Keys of objects that no row points to, longest due first. */
  async orphans(now: number, limit: number): Promise<{ id: string }[]> {
    // A repeated commit records its object again after its row was written: an object with a row is no orphan.
    await this.db
      .prepare(
        `DELETE FROM orphans WHERE due_at <= ?1 AND ${notHeld(TENANT_OF_ORPHAN)} AND (EXISTS (SELECT 1 FROM artifacts WHERE run_id = ${RUN_OF_ORPHAN} AND content_key = orphans.key)
         OR EXISTS (SELECT 1 FROM runs WHERE id = ${RUN_OF_ORPHAN} AND (orphans.key IN (input_key, options_key, archive_key)
           OR (archive_key IS NOT NULL AND orphans.key NOT GLOB '*/archive-*' AND orphans.key NOT GLOB '*/')))
         OR EXISTS (SELECT 1 FROM documents WHERE content_key = orphans.key)
         OR EXISTS (SELECT 1 FROM dataset_items WHERE content_key = orphans.key)
         OR EXISTS (SELECT 1 FROM idempotency_keys WHERE body_key = orphans.key))`,
      )
      .bind(now)
      .run();
    const { results } = await this.db
      .prepare(
        `SELECT key AS id FROM orphans WHERE due_at <= ? AND ${notHeld(TENANT_OF_ORPHAN)} ORDER BY due_at LIMIT ?`,
      )
      .bind(now, limit)
      .all<{ id: string }>();
    return results;
  }

  async postponeOrphan(key: string, due_at: number): Promise<void> {
    await this.db.prepare("UPDATE orphans SET due_at = ?2 WHERE key = ?1").bind(key, due_at).run();
  }

  async removeOrphan(key: string): Promise<void> {
    if (key.endsWith("/")) await this.removeBelow(key);
    else await this.bucket.delete(key);
    await this.db.prepare("DELETE FROM orphans WHERE key = ?").bind(key).run();
  }

  private async removeBelow(prefix: string): Promise<void> {
    for (;;) {
      const page = await this.bucket.list({ prefix, limit: 500 });
      if (page.objects.length) await this.bucket.delete(page.objects.map((object) => object.key));
      if (!page.truncated) return;
    }
  }
}
