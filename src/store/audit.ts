import { notHeld } from "./held-tenants";
import { newId } from "#core/ids";
import type { AuditActor, AuditOutcome, Mode } from "#core/vocabulary";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";
import { toPage } from "./page";
import type { AuditRow } from "./rows";

/** A change that somebody made, or was refused. */
export interface AuditEntry {
  actor: AuditActor;
  actor_id: string | null;
  /** null: those of the interaction `actor_id`. */
  tenant_id: string | null;
  mode: Mode | null;
  /** Operation of the API. */
  action: string;
  object_type: string | null;
  object_id: string | null;
  request_id: string | null;
  outcome: AuditOutcome;
}

export interface AuditFilter {
  key_id?: string | undefined;
  action?: string | undefined;
  object_type?: string | undefined;
  object_id?: string | undefined;
  outcome?: AuditOutcome | undefined;
  created_after?: number | undefined;
  created_before?: number | undefined;
}

/**
 * The statement that writes an entry.
 * @param condition of SQL; `changes() > 0` directly after another statement: only if that has changed a row
 */
export function auditStatement(db: D1Database, entry: AuditEntry, condition = "TRUE"): D1PreparedStatement {
  const of = (column: string) => `(SELECT ${column} FROM interactions WHERE id = ?6)`;
  return db
    .prepare(
      `INSERT INTO audit_log (tenant_id, seq, id, created_at, mode, actor, actor_id, action, object_type, object_id, request_id, outcome)
       SELECT t.id, COALESCE((SELECT MAX(seq) FROM audit_log WHERE tenant_id = t.id), 0) + 1, ?2, ?3, COALESCE(?4, ${of("mode")}),
         ?5, ?6, ?7, ?8, ?9, ?10, ?11
       FROM tenants t WHERE t.id = COALESCE(?1, ${of("tenant_id")}) AND ${condition}`,
    )
    .bind(
      entry.tenant_id,
      newId("aud"),
      Date.now(),
      entry.mode,
      entry.actor,
      entry.actor_id,
      entry.action,
      entry.object_type,
      entry.object_id,
      entry.request_id,
      entry.outcome,
    );
}

/** Refusals of one key that are entered within an hour. */
const MAX_REFUSALS = 50;
/** SQL of the key's refusals after a time, among the tenant's last entries. */
const refusals = (since: string) =>
  `FROM audit_log WHERE tenant_id = t.id AND seq > (SELECT MAX(seq) FROM audit_log WHERE tenant_id = t.id) - 200
   AND outcome = 'refused' AND actor_id = ?6 AND created_at > ${since}`;
/** Condition that a refusal is recorded: not the same one within a minute, nor more than `MAX_REFUSALS`. */
const NOT_TOO_OFTEN = `NOT EXISTS (SELECT 1 ${refusals("?3 - 60000")} AND action = ?7)
  AND (SELECT COUNT(*) ${refusals("?3 - 3600000")}) < ${MAX_REFUSALS}`;

/** The log of changes with their authors. Entries of POST requests are written by the transactions of their changes (`RequestCompletion`). */
export class AuditStore {
  constructor(private readonly db: D1Database) {}

  /**
   * Writes an entry. Of equal refusals one within a minute is written, and `MAX_REFUSALS` of a key within an hour, so that nobody without
   * rights can crowd the changes out.
   */
  async write(entry: AuditEntry): Promise<void> {
    await auditStatement(this.db, entry, entry.outcome === "refused" ? NOT_TOO_OFTEN : "TRUE").run();
  }

  /** Newest first; `after` is the `seq` of the last entry of the previous page. */
  async list(
    { tenant_id, mode }: Owner,
    filter: AuditFilter,
    limit: number,
    after: number | null,
  ): Promise<Page<AuditRow>> {
    const where = ["tenant_id = ?", "mode = ?"];
    const values: unknown[] = [tenant_id, mode];
    const add = (condition: string, value: unknown) => {
      if (value === undefined || value === null) return;
      where.push(condition);
      values.push(value);
    };
    add("seq < ?", after);
    add("actor = 'key' AND actor_id = ?", filter.key_id);
    for (const column of ["action", "object_type", "object_id", "outcome"] as const)
      add(`${column} = ?`, filter[column]);
    add("created_at > ?", filter.created_after);
    add("created_at < ?", filter.created_before);
    const { results } = await this.db
      .prepare(`SELECT * FROM audit_log WHERE ${where.join(" AND ")} ORDER BY seq DESC LIMIT ?`)
      .bind(...values, limit + 1)
      .all<AuditRow>();
    return toPage(results, limit, (row) => String(row.seq));
  }

  // For the maintenance worker

  async removeBefore(before: number, limit: number): Promise<void> {
    await this.db
      .prepare(
        `DELETE FROM audit_log WHERE (tenant_id, seq) IN
           (SELECT tenant_id, seq FROM audit_log WHERE created_at < ? AND ${notHeld()} ORDER BY created_at LIMIT ?)`,
      )
      .bind(before, limit)
      .run();
  }

  /** When the oldest entry was written; null when there is none. */
  async oldest(): Promise<number | null> {
    return this.db.prepare("SELECT MIN(created_at) AS at FROM audit_log").first<number>("at");
  }
}
