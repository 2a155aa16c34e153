import { batch } from "./batch";

/** Vectors of passages: in D1, or the names of those that Vectorize holds. */
export class PassageVectorStore {
  constructor(private readonly db: D1Database) {}

  /** Vectors of passages that are stored in D1. */
  async get(ids: readonly number[]): Promise<{ id: number; pool: number; vector: Float32Array }[]> {
    const { results } = await this.db
      .prepare(
        "SELECT id, pool, hex(vector) AS vector FROM passages WHERE id IN (SELECT value FROM json_each(?)) AND vector IS NOT NULL",
      )
      .bind(JSON.stringify(ids))
      .all<{ id: number; pool: number; vector: string }>();
    return results.map(({ vector, ...row }) => ({ ...row, vector: toFloats(vector) }));
  }

  /**
   * Stores vectors of passages, and marks documents as ready once all their passages are embedded.
   * @param rows `vector` is null when it is stored in Vectorize
   */
  async put(pool: number, rows: readonly { id: number; vector: Float32Array | null; signs: Uint8Array | null }[]) {
    const set = this.db.prepare(
      "UPDATE passages SET embedded = 1, vector = ?2, signs = ?3 WHERE id = ?1 AND embedded = 0",
    );
    await batch(this.db, {
      vectors: rows.map(({ id, vector, signs }) => set.bind(id, vector && toBytes(vector), signs)),
      documents: this.db
        .prepare(
          `UPDATE documents SET status = 'ready', stored_bytes = stored_bytes + COALESCE(
             (SELECT SUM(length(vector) + length(signs)) FROM passages WHERE document_id = documents.id), 0)
           WHERE pool = ?1 AND status = 'embedding'
           AND NOT EXISTS (SELECT 1 FROM passages WHERE document_id = documents.id AND embedded = 0)
           AND id IN (SELECT document_id FROM passages WHERE id IN (SELECT value FROM json_each(?2)))`,
        )
        .bind(pool, JSON.stringify(rows.map(({ id }) => id))),
    });
  }

  /** Names of vectors in Vectorize whose passages are deleted. */
  async strays(limit: number): Promise<string[]> {
    const { results } = await this.db.prepare("SELECT id FROM stray_vectors LIMIT ?").bind(limit).all<{ id: string }>();
    return results.map(({ id }) => id);
  }

  /** Forgets stray vectors after they are deleted from Vectorize. */
  async deleteStrays(names: readonly string[]): Promise<void> {
    await this.db
      .prepare("DELETE FROM stray_vectors WHERE id IN (SELECT value FROM json_each(?))")
      .bind(JSON.stringify(names))
      .run();
  }
}

/** Storage format of vectors: 32-bit floats, little-endian. */
function toBytes(vector: Float32Array): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  vector.forEach((value, at) => view.setFloat32(at * 4, value, true));
  return view.buffer;
}

function toFloats(hex: string): Float32Array {
  const bytes = Buffer.from(hex, "hex");
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}
