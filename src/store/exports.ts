import type { ArtifactRow, DeliveryRow, DocumentRow, EndpointRow, InteractionRow, RunRow } from "./rows";

/** All data of a tenant, in pages ordered by id: rows after `after`; `""` is the beginning. */
export class ExportStore {
  constructor(private readonly db: D1Database) {}

  /** Webhook endpoints, including those of single runs. */
  async endpoints(tenant: string, after: string, limit: number): Promise<EndpointRow[]> {
    return this.page("SELECT * FROM webhook_endpoints WHERE tenant_id", tenant, after, limit);
  }

  /** Deliveries that belong to no run. */
  async messages(tenant: string, after: string, limit: number): Promise<DeliveryRow[]> {
    return this.page("SELECT * FROM deliveries WHERE run_id IS NULL AND tenant_id", tenant, after, limit);
  }

  async corpora(tenant: string, after: string, limit: number): Promise<{ id: string }[]> {
    return this.page("SELECT id FROM corpora WHERE tenant_id", tenant, after, limit);
  }

  async documents(pool: number, after: string, limit: number): Promise<DocumentRow[]> {
    return this.page("SELECT * FROM documents WHERE pool", pool, after, limit);
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

  async deliveries(run: string, after: string, limit: number): Promise<DeliveryRow[]> {
    return this.page("SELECT * FROM deliveries WHERE run_id", run, after, limit);
  }

  private async page<Row>(select: string, of: string | number, after: string, limit: number): Promise<Row[]> {
    const { results } = await this.db
      .prepare(`${select} = ? AND id > ? ORDER BY id LIMIT ?`)
      .bind(of, after, limit)
      .all<Row>();
    return results;
  }
}
