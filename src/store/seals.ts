import { batch } from "./batch";
import { notHeld } from "./held-tenants";

/** Columns with sealed texts. Answers to `Idempotency-Key` are sealed too; they are not listed, because they are kept for a day only. */
const SEALED_COLUMNS = {
  webhook_endpoints: ["secret", "previous_secret", "headers"],
  agents: ["mcp_servers"],
  provider_keys: ["sealed"],
} as const;

export type SealedTable = keyof typeof SEALED_COLUMNS;
export const SEALED_TABLES = Object.keys(SEALED_COLUMNS) as SealedTable[];

export type SealedRow<T extends SealedTable = SealedTable> = { id: string; tenant_id: string } & {
  [column in (typeof SEALED_COLUMNS)[T][number]]: string | null;
};

/** A sealed text to store in place of another. */
export interface Replacement {
  id: string;
  column: string;
  before: string;
  after: string;
}

/** How far the maintenance worker has sealed stored texts again. */
export interface Resealing {
  /** JSON: the secrets that are set. */
  keys: string;
  /**
   * The rows of `table` up to the id `after` are done; null: the pass is complete. `incomplete`: some text before was not replaced, so another
   * pass follows at once.
   */
  position: { table: SealedTable; after: string; incomplete?: true } | null;
  /** By table, how many texts of the pass no secret opens. */
  unreadable: Partial<Record<SealedTable, number>>;
  completed_at: number | null;
}

/** Sealed texts of all tenants, for the maintenance worker. */
export class SealStore {
  constructor(private readonly db: D1Database) {}

  /** Rows with sealed columns, by id. */
  async page<T extends SealedTable>(table: T, after: string, limit: number): Promise<SealedRow<T>[]> {
    const { results } = await this.db
      .prepare(
        `SELECT id, tenant_id, ${SEALED_COLUMNS[table].join(", ")} FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`,
      )
      .bind(after, limit)
      .all<SealedRow<T>>();
    return results;
  }

  /**
   * Stores new sealed texts. One that was changed meanwhile stays, and one of a tenant that is moved.
   * @returns whether all were stored
   */
  async replace(table: SealedTable, replacements: readonly Replacement[]): Promise<boolean> {
    if (replacements.length === 0) return true;
    const updates = replacements.map(({ id, column, before, after }) =>
      this.db
        .prepare(`UPDATE ${table} SET ${column} = ?2 WHERE id = ?1 AND ${column} = ?3 AND ${notHeld()}`)
        .bind(id, after, before),
    );
    const done = await batch(this.db, { updates });
    return done.updates.every(({ changes }) => changes > 0);
  }

  /** null before the first pass. */
  async resealing(): Promise<Resealing | null> {
    const row = await this.db
      .prepare("SELECT keys, position, unreadable, completed_at FROM resealing")
      .first<{ keys: string; position: string | null; unreadable: string; completed_at: number | null }>();
    return (
      row && { ...row, position: row.position && JSON.parse(row.position), unreadable: JSON.parse(row.unreadable) }
    );
  }

  async recordResealing({ keys, position, unreadable, completed_at }: Resealing): Promise<void> {
    await this.db
      .prepare(
        `INSERT INTO resealing (id, keys, position, unreadable, completed_at) VALUES (1, ?1, ?2, ?3, ?4)
         ON CONFLICT (id) DO UPDATE SET keys = excluded.keys, position = excluded.position, unreadable = excluded.unreadable,
           completed_at = excluded.completed_at`,
      )
      .bind(keys, position && JSON.stringify(position), JSON.stringify(unreadable), completed_at)
      .run();
  }
}
