import { batch } from "./batch";
import { deleteEndpoints } from "./endpoint-removal";
import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import { type Listener, listenersOf } from "./listeners";
import { toPage } from "./page";
import type { EndpointRow } from "./rows";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

/** Fields of an endpoint that its owner sets. */
export type EndpointFields = Pick<EndpointRow, "url" | "secret" | "events" | "description">;

export type NewEndpoint = EndpointFields &
  Pick<EndpointRow, "id" | "tenant_id" | "mode" | "run_id" | "delivery" | "kind" | "format" | "headers" | "created_at">;

const FIELDS = ["url", "secret", "events", "description"] as const satisfies readonly (keyof EndpointFields)[];

/** Endpoints: where deliveries go, or where consumers lease them. */
export class EndpointStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
  ) {}

  async get(id: string): Promise<EndpointRow | null> {
    return this.db.prepare("SELECT * FROM webhook_endpoints WHERE id = ?").bind(id).first<EndpointRow>();
  }

  /** @throws QuotaExceededError */
  async create(row: NewEndpoint, completion?: RequestCompletion): Promise<void> {
    const insert = this.db
      .prepare(
        `INSERT INTO webhook_endpoints (id, tenant_id, mode, delivery, url, events, description, secret, created_at, updated_at, run_id, format, headers, kind)
         VALUES (?1, ?2, ?3, ?9, ?4, ?5, ?6, ?7, ?8, ?8, ?10, ?11, ?12, ?13)`,
      )
      .bind(
        row.id,
        row.tenant_id,
        row.mode,
        row.url,
        row.events,
        row.description,
        row.secret,
        row.created_at,
        row.delivery,
        row.run_id,
        row.format,
        row.headers,
        row.kind,
      );
    const needs = row.run_id === null ? { webhook_endpoints: 1 } : {};
    await this.idempotency.write(insert, completion, { tenant: row.tenant_id, needs });
  }

  /** Newest first: the owner's endpoints, or the own endpoint of a run. */
  async list(
    { tenant_id, mode }: Owner,
    filter: { run_id?: string; status?: EndpointRow["status"] },
    limit: number,
    after: string | null,
  ): Promise<Page<EndpointRow>> {
    const { results } = await this.db
      .prepare(
        `SELECT * FROM webhook_endpoints WHERE tenant_id = ?1 AND mode = ?2 AND run_id IS ?3 AND (?4 IS NULL OR status = ?4)
         AND (?5 IS NULL OR id < ?5) ORDER BY id DESC LIMIT ?6`,
      )
      .bind(tenant_id, mode, filter.run_id ?? null, filter.status ?? null, after, limit + 1)
      .all<EndpointRow>();
    return toPage(results, limit, (row) => row.id);
  }

  /** Updates the given fields; disabling counts as by request of the owner. Null when the owner has no such endpoint. */
  async update(
    { tenant_id, mode }: Owner,
    id: string,
    change: Partial<EndpointFields> & { status?: EndpointRow["status"] },
    completion?: RequestCompletion,
  ): Promise<EndpointRow | null> {
    const given = FIELDS.filter((field) => change[field] !== undefined);
    const status = {
      enabled: ["status = 'enabled'", "disabled_because = NULL", "disabled_at = NULL"],
      disabled: [
        "status = 'disabled'",
        "disabled_because = COALESCE(disabled_because, 'by_request')",
        "disabled_at = COALESCE(disabled_at, ?1)",
      ],
    };
    const set = [...given.map((field, at) => `${field} = ?${at + 5}`), ...(change.status ? status[change.status] : [])];
    const update = this.db
      .prepare(
        `UPDATE webhook_endpoints SET ${["updated_at = ?1", ...set].join(", ")} WHERE id = ?2 AND tenant_id = ?3 AND mode = ?4 RETURNING *`,
      )
      .bind(Date.now(), id, tenant_id, mode, ...given.map((field) => change[field]));
    return (await this.idempotency.write<EndpointRow>(update, completion)).rows[0] ?? null;
  }

  /** Sets a new secret; the previous one also signs until `until`. */
  async rotateSecret(
    { tenant_id, mode }: Owner,
    id: string,
    { secret, until }: { secret: string; until: number },
    completion?: RequestCompletion,
  ): Promise<EndpointRow | null> {
    const update = this.db
      .prepare(
        `UPDATE webhook_endpoints SET previous_secret = secret, previous_secret_until = ?5, secret = ?4, updated_at = ?6
         WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 RETURNING *`,
      )
      .bind(id, tenant_id, mode, secret, until, Date.now());
    return (await this.idempotency.write<EndpointRow>(update, completion)).rows[0] ?? null;
  }

  /** Deletes an endpoint with its log. False when the owner has no such endpoint. */
  async remove({ tenant_id, mode }: Owner, id: string, completion?: RequestCompletion): Promise<boolean> {
    const own = "(SELECT id FROM webhook_endpoints WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3)";
    const { endpoints, ...rest } = deleteEndpoints(this.db, own, id, tenant_id, mode);
    const removed = await this.idempotency.withCompletion(endpoints, completion);
    return (await batch(this.db, { ...rest, removed })).removed.changes > 0;
  }

  /** Deletes the deliveries and messages of an endpoint that does not exist any more. */
  async removeStrays(endpoint: string): Promise<void> {
    const gone = "(SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = ?1))";
    await batch(this.db, deleteEndpoints(this.db, gone, endpoint));
  }

  /** Endpoints that receive events of this run. */
  async listeners(run: Owner & { id: string }): Promise<Listener[]> {
    return (await listenersOf(this.db, run).all<Listener>()).results;
  }
}
