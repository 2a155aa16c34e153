import type { ArtifactRow, EndpointRow, InteractionRow, RunRow } from "./rows";

/** A delivery with its attempts, as JSON. */
export interface DeliveryRecord {
  id: string;
  event_id: string;
  endpoint_id: string;
  run_id: string | null;
  status: string;
  created_at: number;
  settled_at: number | null;
  attempts: string;
}

/** Everything of a tenant, read in pages that follow their ids. */
export class ExportStore {
  constructor(private readonly db: D1Database) {}

  /** Webhook endpoints, those of single runs too, without their secrets. */
  async endpoints(tenant: string, after: string, limit: number): Promise<Omit<EndpointRow, "secret">[]> {
    return this.page(
      "SELECT id, tenant_id, run_id, url, events, status, disabled_because, created_at FROM webhook_endpoints WHERE tenant_id",
      tenant,
      after,
      limit,
    );
  }

  async runs(tenant: string, after: string, limit: number): Promise<RunRow[]> {
    return this.page("SELECT * FROM runs WHERE tenant_id", tenant, after, limit);
  }

  async artifacts(run: string, after: string, limit: number): Promise<ArtifactRow[]> {
    return this.page("SELECT * FROM artifacts WHERE run_id", run, after, limit);
  }

  async interactions(run: string, after: string, limit: number): Promise<InteractionRow[]> {
    return this.page("SELECT * FROM interactions WHERE run_id", run, after, limit);
  }

  async deliveries(run: string, after: string, limit: number): Promise<DeliveryRecord[]> {
    return this.page(
      `SELECT id, event_id, endpoint_id, run_id, status, created_at, settled_at, (
         SELECT json_group_array(json_object('attempt', attempt, 'started_at', strftime('%FT%R:%fZ', started_at / 1000.0, 'unixepoch'),
           'duration_ms', duration_ms, 'response_status', response_status, 'response_body', response_body, 'error', error))
         FROM (SELECT * FROM delivery_attempts WHERE delivery_id = deliveries.id ORDER BY attempt)) AS attempts
       FROM deliveries WHERE run_id`,
      run,
      after,
      limit,
    );
  }

  /** Rows whose id comes after `after`; `""` is the beginning. */
  private async page<Row>(select: string, of: string, after: string, limit: number): Promise<Row[]> {
    const { results } = await this.db
      .prepare(`${select} = ? AND id > ? ORDER BY id LIMIT ?`)
      .bind(of, after, limit)
      .all<Row>();
    return results;
  }
}
