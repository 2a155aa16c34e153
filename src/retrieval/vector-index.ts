/** Vectors stored outside D1, by the names of their passages. */
export interface VectorIndex {
  put(pool: number, vectors: readonly { name: string; vector: Float32Array }[]): Promise<void>;
  /** The nearest vectors of a pool with their cosines, best first. */
  nearest(pool: number, vector: Float32Array): Promise<{ name: string; score: number }[]>;
  remove(names: readonly string[]): Promise<void>;
}

/** The used methods of a Vectorize binding. */
export type VectorizeBinding = Pick<Vectorize, "upsert" | "query" | "deleteByIds">;

/** Vectorize's maximum of results without values. */
const NEAREST = 100;

/**
 * Adapter of a Vectorize index with the cosine metric and the embedding model's dimensions. Each pool is a namespace; pools are numbered by database.
 * @param database the binding of the pools' database
 */
export const vectorIndex = (
  binding: VectorizeBinding,
  database: () => Promise<string> = async () => "DB",
): VectorIndex => {
  const namespaceOf = async (pool: number) => {
    const name = await database();
    return name === "DB" ? String(pool) : `${name}:${pool}`;
  };
  return {
    async put(pool, vectors) {
      const namespace = await namespaceOf(pool);
      await binding.upsert(vectors.map(({ name, vector }) => ({ id: name, namespace, values: vector })));
    },
    async nearest(pool, vector) {
      const { matches } = await binding.query(vector, { topK: NEAREST, namespace: await namespaceOf(pool) });
      return matches.map(({ id, score }) => ({ name: id, score }));
    },
    async remove(names) {
      await binding.deleteByIds([...names]);
    },
  };
};
