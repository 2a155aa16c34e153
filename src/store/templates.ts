import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import { boundedPage } from "./bounded-page";
import type { TemplateRow } from "./rows";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

const OWN = "id = ?1 AND tenant_id = ?2 AND mode = ?3";

/** Saved requests. */
export class TemplateStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /** @throws QuotaExceededError */
  async create(row: TemplateRow, completion?: RequestCompletion): Promise<void> {
    const names = Object.keys(row);
    const insert = this.db
      .prepare(`INSERT INTO templates (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
      .bind(...Object.values(row));
    await this.idempotency.write(insert, completion, { tenant: row.tenant_id, needs: { templates: 1 } });
  }

  async get({ tenant_id, mode }: Owner, id: string): Promise<TemplateRow | null> {
    return this.db.prepare(`SELECT * FROM templates WHERE ${OWN}`).bind(id, tenant_id, mode).first<TemplateRow>();
  }

  /** Newest first. */
  async list({ tenant_id, mode }: Owner, limit: number, after: string | null): Promise<Page<TemplateRow>> {
    const where = "tenant_id = ? AND mode = ? AND (? IS NULL OR id < ?)";
    const values = [tenant_id, mode, after, after];
    return boundedPage(this.db, { table: "templates", long: ["request", "fields"], where, values }, limit);
  }

  /** Replaces what callers change, if the version is still the one that was read; false: it is not, or the template is gone. */
  async update(row: TemplateRow, version: number, completion?: RequestCompletion): Promise<boolean> {
    const { id, tenant_id, mode, name, description, workflow, request, fields, updated_at } = row;
    const update = this.db
      .prepare(
        `UPDATE templates SET name = ?5, description = ?6, version = ?7, workflow = ?8, request = ?9, fields = ?10, updated_at = ?11
         WHERE ${OWN} AND version = ?4`,
      )
      .bind(id, tenant_id, mode, version, name, description, row.version, workflow, request, fields, updated_at);
    return (await this.idempotency.write(update, completion)).changes > 0;
  }

  /** Deletes a template that no schedule uses; false: one does, or it is gone. */
  async remove({ tenant_id, mode }: Owner, id: string, completion?: RequestCompletion): Promise<boolean> {
    const remove = this.db
      .prepare(`DELETE FROM templates WHERE ${OWN} AND NOT EXISTS (SELECT 1 FROM schedules WHERE template_id = ?1)`)
      .bind(id, tenant_id, mode);
    return (await this.idempotency.write(remove, completion)).changes > 0;
  }
}
