/** Vectors that stand outside of D1, by what their passages are called. */
export interface VectorIndex {
  put(pool: number, vectors: readonly { name: string; vector: Float32Array }[]): Promise<void>;
  /** The nearest of a pool, best first, with their cosines. */
  nearest(pool: number, vector: Float32Array): Promise<{ name: string; score: number }[]>;
  remove(names: readonly string[]): Promise<void>;
}

/** What of a Vectorize binding is used. */
export type VectorizeBinding = Pick<Vectorize, "upsert" | "query" | "deleteByIds">;

/** Vectorize returns so many at most when it is not asked for values. */
const NEAREST = 100;

/** Over a Vectorize index whose metric is cosine, and whose dimensions are those of the embedding model. A pool is a namespace. */
export const vectorIndex = (binding: VectorizeBinding): VectorIndex => ({
  async put(pool, vectors) {
    await binding.upsert(vectors.map(({ name, vector }) => ({ id: name, namespace: String(pool), values: vector })));
  },
  async nearest(pool, vector) {
    const { matches } = await binding.query(vector, { topK: NEAREST, namespace: String(pool) });
    return matches.map(({ id, score }) => ({ name: id, score }));
  },
  async remove(names) {
    await binding.deleteByIds([...names]);
  },
});
