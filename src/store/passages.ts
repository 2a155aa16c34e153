import { batch, returning } from "./batch";
import { notHeld } from "./held-tenants";
import type { Owner } from "#core/owner";
import { inParameters } from "./parameters";
import { bytesOf, type QuotaStore } from "./quotas";
import { type DocumentFilter, matchesFilter, inPool, type PoolRow, type RankedPassage, rankingOf } from "./bm25";

export interface NewPassage {
  ordinal: number;
  begins: number;
  ends: number;
  heading: string;
  text: string;
  /** Terms of its headings and of its text; terms contain no blanks. */
  head: readonly string[];
  body: readonly string[];
}

/** A passage with the fields of its document. */
export interface PassageRow {
  /** Internal; the public name is `<document_id>.<ordinal>`. */
  id: number;
  pool: number;
  document_id: string;
  ordinal: number;
  begins: number;
  ends: number;
  heading: string;
  text: string;
  external_id: string | null;
  title: string | null;
  source: string;
  jurisdiction: string | null;
  language: string | null;
  date: string | null;
  url: string | null;
}

/** Columns of `PassageRow`. */
const PASSAGE = `p.id, p.pool, p.document_id, p.ordinal, p.begins, p.ends, p.heading, p.text,
  d.external_id, d.title, d.source, d.jurisdiction, d.language, d.date, d.url`;

/** Bytes that a passage counts in the quota: its text is in its row and in the index. */
const bytesOfPassage = ({ text }: NewPassage): number => 500 + 2 * bytesOf(text);

/** Passages and their index. Indexed terms are prefixed with the number of their pool, so that pools do not affect each other's ranking. */
export class PassageStore {
  constructor(
    private readonly db: D1Database,
    private readonly quotas: QuotaStore,
  ) {}

  /** Inserts the pool of a run's evidence if it is missing; returns its number, or null when the run does not exist. */
  async ensureRunPool(run: string, tenant: string): Promise<number | null> {
    const { pool } = await batch(this.db, {
      insert: this.db
        .prepare(
          "INSERT INTO pools (id, tenant_id) SELECT id, tenant_id FROM runs WHERE id = ? AND tenant_id = ? ON CONFLICT DO NOTHING",
        )
        .bind(run, tenant),
      pool: returning<{ number: number }>(
        this.db
          .prepare("SELECT number FROM pools WHERE id = ? AND tenant_id = ? AND removed_at IS NULL")
          .bind(run, tenant),
      ),
    });
    return pool.rows[0]?.number ?? null;
  }

  /** The owner's pools among those with these ids, which are ids of corpora and runs. */
  async pools({ tenant_id, mode }: Owner, ids: readonly string[]): Promise<PoolRow[]> {
    const { results } = await this.db
      .prepare(
        `SELECT p.number, p.id, p.passages, p.terms, p.embedded, c.mode, c.embedding_model,
           (SELECT json_group_array(json_object('language', language, 'jurisdiction', jurisdiction))
            FROM (SELECT DISTINCT language, jurisdiction FROM documents WHERE pool = p.number)) AS locales
         FROM pools p LEFT JOIN corpora c ON c.id = p.id
         WHERE p.tenant_id = ?1 AND COALESCE(c.mode, (SELECT mode FROM runs WHERE id = p.id)) = ?2 AND p.removed_at IS NULL
           AND p.id IN (SELECT value FROM json_each(?3))`,
      )
      .bind(tenant_id, mode, JSON.stringify(ids))
      .all<PoolRow>();
    return results;
  }

  /**
   * Writes the next passages of documents of a pool in one transaction. A document that has advanced or was deleted meanwhile is skipped,
   * so that nothing is written twice.
   * @param work per document: passages from index `from` on; `last` when no more follow
   * @param tenant whose quotas they need; absent for the evidence of a run, which the run's limits bound
   * @throws QuotaExceededError
   */
  async add(
    pool: number,
    work: readonly { document_id: string; from: number; passages: readonly NewPassage[]; last: boolean }[],
    tenant?: string,
  ) {
    const bytes = (passages: readonly NewPassage[]) => passages.reduce((sum, it) => sum + bytesOfPassage(it), 0);
    const steps = JSON.stringify(
      work.map(({ document_id, from, passages, last }) => [
        document_id,
        from,
        from + passages.length,
        last ? 1 : 0,
        bytes(passages),
      ]),
    );
    const rows = work.flatMap(({ document_id, from, passages }) =>
      passages.map((it) => [
        document_id,
        from,
        it.ordinal,
        it.begins,
        it.ends,
        it.heading,
        it.text,
        it.head.length + it.body.length,
      ]),
    );
    const insert = this.db.prepare(
      `INSERT INTO passages (pool, document_id, ordinal, begins, ends, heading, text, terms)
       SELECT d.pool, d.id, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7
       FROM json_each(?1) CROSS JOIN documents d ON d.id = value ->> 0
       WHERE d.status = 'indexing' AND d.passages = value ->> 1 AND EXISTS (SELECT 1 FROM pools WHERE number = d.pool AND removed_at IS NULL)
       ON CONFLICT DO NOTHING`,
    );
    const index = this.db.prepare(
      `INSERT INTO passages_index (rowid, head, body)
       SELECT p.id, prefixed.head, prefixed.body FROM (
         SELECT value ->> 0 AS document_id, value ->> 1 AS begun, value ->> 2 AS ordinal, value ->> 3 AS head, value ->> 4 AS body FROM json_each(?1)) prefixed
       CROSS JOIN documents d ON d.id = prefixed.document_id AND d.status = 'indexing' AND d.passages = prefixed.begun
       CROSS JOIN passages p ON p.document_id = d.id AND p.ordinal = prefixed.ordinal`,
    );
    const terms = work.flatMap(({ document_id, from, passages }) =>
      passages.map((it) => [document_id, from, it.ordinal, inPool(pool, it.head), inPool(pool, it.body)]),
    );
    const statements = {
      passages: inParameters(rows).map((json) => insert.bind(json)),
      terms: inParameters(terms).map((json) => index.bind(json)),
      documents: this.db
        .prepare(
          `UPDATE documents SET passages = step.upto, stored_bytes = stored_bytes + step.bytes,
             status = CASE WHEN NOT step.last THEN status
               WHEN step.upto > 0 AND EXISTS (SELECT 1 FROM corpora c JOIN pools p ON p.id = c.id WHERE p.number = documents.pool AND c.embedding_model IS NOT NULL)
               THEN 'embedding' ELSE 'ready' END
           FROM (SELECT value ->> 0 AS id, value ->> 1 AS begun, value ->> 2 AS upto, value ->> 3 AS last, value ->> 4 AS bytes FROM json_each(?1)) step
           WHERE documents.id = step.id AND documents.status = 'indexing' AND documents.passages = step.begun`,
        )
        .bind(steps),
    };
    const all = work.flatMap(({ passages }) => passages);
    const needs = { passages: all.length, stored_bytes: bytes(all) };
    if (tenant) await this.quotas.batch(tenant, needs, statements);
    else await batch(this.db, statements);
  }

  /**
   * Passages that contain some of these terms, best first, by BM25 over all pools as if they were one.
   * @param pools their `passages` and `terms` are the statistics
   */
  async ranked(
    pools: readonly PoolRow[],
    terms: readonly string[],
    filter: DocumentFilter,
    limit: number,
  ): Promise<RankedPassage[]> {
    const ranking = rankingOf(pools, terms, filter, limit);
    if (ranking === null) return [];
    return (
      await this.db
        .prepare(ranking.sql)
        .bind(...ranking.values)
        .all<RankedPassage>()
    ).results;
  }

  /** Like `ranked`, but with the passages and their documents. */
  async best(
    pools: readonly PoolRow[],
    terms: readonly string[],
    filter: DocumentFilter,
    limit: number,
  ): Promise<(PassageRow & { score: number })[]> {
    const ranking = rankingOf(pools, terms, filter, limit);
    if (ranking === null) return [];
    const { results } = await this.db
      .prepare(
        `SELECT ${PASSAGE}, ranking.score FROM (${ranking.sql}) ranking CROSS JOIN passages p ON p.id = ranking.id
         JOIN documents d ON d.id = p.document_id ORDER BY ranking.score DESC, p.id`,
      )
      .bind(...ranking.values)
      .all<PassageRow & { score: number }>();
    return results;
  }

  /** Signs of the vectors of a pool, in hexadecimal, for documents that match the filter. */
  async signs(pool: number, filter: DocumentFilter): Promise<{ id: number; signs: string }[]> {
    const { results } = await this.db
      .prepare(
        `SELECT p.id, hex(p.signs) AS signs FROM passages p CROSS JOIN documents d ON d.id = p.document_id
         WHERE p.pool = ?1 AND p.embedded = 1 AND p.signs IS NOT NULL AND ${matchesFilter(2)}`,
      )
      .bind(pool, filter.jurisdiction, filter.language)
      .all<{ id: number; signs: string }>();
    return results;
  }

  /** Passages by id, in any order. */
  async getMany(ids: readonly number[]): Promise<PassageRow[]> {
    return this.read("p.id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
  }

  /** Passages by public name, limited to these pools and to documents that match the filter. */
  async getByVectorName(
    pools: readonly number[],
    names: readonly string[],
    filter: DocumentFilter,
  ): Promise<PassageRow[]> {
    return this.read(
      `(p.document_id, p.ordinal) IN (SELECT substr(value, 1, instr(value, '.') - 1), CAST(substr(value, instr(value, '.') + 1) AS INTEGER) FROM json_each(?1))
       AND p.pool IN (SELECT value FROM json_each(?2)) AND ${matchesFilter(3)}`,
      JSON.stringify(names),
      JSON.stringify(pools),
      filter.jurisdiction,
      filter.language,
    );
  }

  private async read(where: string, ...values: unknown[]): Promise<PassageRow[]> {
    const { results } = await this.db
      .prepare(`SELECT ${PASSAGE} FROM passages p JOIN documents d ON d.id = p.document_id WHERE ${where}`)
      .bind(...values)
      .all<PassageRow>();
    return results;
  }

  /** The first passages of a pool, as many as have at most this many characters together. */
  async first(pool: number, characters: number): Promise<PassageRow[]> {
    return this.read(
      `p.pool = ?1 AND p.id IN (SELECT id FROM (SELECT id, SUM(length(text)) OVER (ORDER BY id) AS upto FROM passages WHERE pool = ?1)
         WHERE upto <= ?2) ORDER BY p.id`,
      pool,
      characters,
    );
  }

  /** Sources of the documents of a pool that have passages besides these, in the order of the documents. */
  async otherSources(pool: number, ids: readonly number[]): Promise<string[]> {
    const { results } = await this.db
      .prepare(
        `SELECT d.source, MIN(p.id) AS at FROM passages p JOIN documents d ON d.id = p.document_id
         WHERE p.pool = ?1 AND p.id NOT IN (SELECT value FROM json_each(?2)) GROUP BY d.id ORDER BY at`,
      )
      .bind(pool, JSON.stringify(ids))
      .all<{ source: string }>();
    return [...new Set(results.map(({ source }) => source))];
  }

  /** The next passages of a pool that have no vector yet. */
  async unembedded(pool: number, limit: number): Promise<PassageRow[]> {
    return this.read("p.pool = ? AND p.embedded = 0 ORDER BY p.id LIMIT ?", pool, limit);
  }

  /** Deletes at most `limit` passages and documents of removed pools, then the empty pools. */
  async deleteStrayPools(limit: number): Promise<void> {
    const strays = `SELECT number FROM pools WHERE removed_at IS NOT NULL AND ${notHeld()}`;
    await batch(this.db, {
      passages: this.db
        .prepare(`DELETE FROM passages WHERE id IN (SELECT id FROM passages WHERE pool IN (${strays}) LIMIT ?1)`)
        .bind(limit),
      documents: this.db
        .prepare(
          `DELETE FROM documents WHERE id IN (SELECT id FROM documents d WHERE pool IN (${strays})
           AND NOT EXISTS (SELECT 1 FROM passages WHERE document_id = d.id) LIMIT ?1)`,
        )
        .bind(limit),
      pools: this.db.prepare(
        `DELETE FROM pools WHERE removed_at IS NOT NULL AND ${notHeld()} AND NOT EXISTS (SELECT 1 FROM passages WHERE pool = pools.number)
         AND NOT EXISTS (SELECT 1 FROM documents WHERE pool = pools.number)`,
      ),
    });
  }
}
