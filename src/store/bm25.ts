/** The properties of a pool that a search needs. */
export interface PoolRow {
  number: number;
  id: string;
  passages: number;
  terms: number;
  embedded: number;
  /** null: the pool of a run. */
  mode: "test" | "live" | null;
  embedding_model: string | null;
  /** JSON: the distinct pairs of `language` and `jurisdiction` of its documents. */
  locales: string;
}

/** Restricts a search to documents with these values; null: any. */
export interface DocumentFilter {
  jurisdiction: string | null;
  language: string | null;
}

/** Id and score of a passage. */
export interface RankedPassage {
  id: number;
  score: number;
}

/** Weight of a term in the head; in the body it is 1. */
const HEAD_WEIGHT = 1;
/** The usual parameters of BM25 (Robertson and Zaragoza, 2009), the same as in FTS5. */
const K1 = 1.2;
const B = 0.75;

/** Condition for documents `d` from parameter number `from` on; `pt` also matches `pt-BR`. */
export const matchesFilter = (from: number) =>
  ["jurisdiction", "language"]
    .map(
      (column, at) =>
        `(?${from + at} IS NULL OR d.${column} = ?${from + at} OR substr(d.${column}, 1, length(?${from + at}) + 1) = ?${from + at} || '-')`,
    )
    .join(" AND ");

/** Prefixes terms with their pool. FTS5's ASCII tokenizer treats `·`, like all non-ASCII characters, as part of the term. */
export const inPool = (pool: number, terms: readonly string[]) => terms.map((term) => `${pool}·${term}`).join(" ");

/** The statement that ranks passages by BM25; null when there is nothing to find. */
export function rankingOf(pools: readonly PoolRow[], terms: readonly string[], filter: DocumentFilter, limit: number) {
  const count = pools.reduce((sum, { passages }) => sum + passages, 0);
  if (count === 0 || terms.length === 0) return null;
  const mean = Math.max(1, pools.reduce((sum, pool) => sum + pool.terms, 0) / count);
  const wanted = terms.flatMap((term, key) => pools.map(({ number }) => [key, inPool(number, [term])]));
  const filtered = filter.jurisdiction !== null || filter.language !== null;
  const sql = `WITH wanted AS (SELECT value ->> 0 AS key, value ->> 1 AS term FROM json_each(?1)),
     found AS MATERIALIZED (
       SELECT w.key AS key, t.doc AS id, SUM(iif(t.col = 'head', ${HEAD_WEIGHT.toFixed(1)}, 1.0)) AS times
       FROM wanted w CROSS JOIN passages_terms t WHERE t.term = w.term GROUP BY w.key * 4294967296 + t.doc),
     rarity AS MATERIALIZED (
       SELECT key, ln(1 + (?2 - COUNT(*) + 0.5) / (COUNT(*) + 0.5)) AS weight FROM found GROUP BY key)
     SELECT p.id, SUM(r.weight * f.times * ${K1 + 1} / (f.times + ${K1} * (${1 - B} + ${B} * p.terms / ?3))) AS score
     FROM found f CROSS JOIN rarity r ON r.key = f.key CROSS JOIN passages p ON p.id = f.id
     ${filtered ? `CROSS JOIN documents d ON d.id = p.document_id AND ${matchesFilter(5)}` : ""}
     GROUP BY p.id ORDER BY score DESC, p.id LIMIT ?4`;
  const values = [JSON.stringify(wanted), count, mean, limit];
  return { sql, values: filtered ? [...values, filter.jurisdiction, filter.language] : values };
}
