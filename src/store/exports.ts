import type { RunArchives } from "./archive/archives";
import type { Owner } from "#core/owner";
import type {
  ArtifactRow,
  DatasetRow,
  DeliveryRow,
  DocumentRow,
  EndpointRow,
  InteractionRow,
  RunRow,
  ScheduleRow,
  TemplateRow,
} from "./rows";

/** All data of an owner, in pages ordered by id: rows after `after`; `""` is the beginning. */
export class ExportStore {
  constructor(
    private readonly db: D1Database,
    private readonly archives: RunArchives,
  ) {}

  /** Webhook endpoints, including those of single runs. */
  async endpoints(owner: Owner, after: string, limit: number): Promise<EndpointRow[]> {
    return this.ownPage("SELECT * FROM webhook_endpoints", owner, after, limit);
  }

  /** Deliveries that belong to no run. */
  async messages(owner: Owner, after: string, limit: number): Promise<DeliveryRow[]> {
    const deliveries = `(SELECT d.*, e.mode FROM deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE d.run_id IS NULL)`;
    return this.ownPage(`SELECT * FROM ${deliveries}`, owner, after, limit);
  }

  async corpora(owner: Owner, after: string, limit: number): Promise<{ id: string }[]> {
    return this.ownPage("SELECT id FROM corpora", owner, after, limit);
  }

  async datasets(owner: Owner, after: string, limit: number): Promise<DatasetRow[]> {
    return this.ownPage("SELECT * FROM datasets", owner, after, limit);
  }

  async templates(owner: Owner, after: string, limit: number): Promise<TemplateRow[]> {
    return this.ownPage("SELECT * FROM templates", owner, after, limit);
  }

  async schedules(owner: Owner, after: string, limit: number): Promise<ScheduleRow[]> {
    return this.ownPage("SELECT * FROM schedules", owner, after, limit);
  }

  async documents(pool: number, after: string, limit: number): Promise<DocumentRow[]> {
    return this.page("SELECT * FROM documents WHERE pool", pool, after, limit);
  }

  async runs(owner: Owner, after: string, limit: number): Promise<RunRow[]> {
    return this.ownPage("SELECT * FROM runs", owner, after, limit);
  }

  async artifacts(run: string, after: string, limit: number): Promise<ArtifactRow[]> {
    const stored = this.pageStatement("SELECT * FROM artifacts WHERE run_id", run, after, limit);
    return this.archives.rows(run, "artifacts", stored, (artifacts) =>
      artifacts.filter(({ id }) => id > after).slice(0, limit),
    );
  }

  async interactions(run: string, after: string, limit: number): Promise<InteractionRow[]> {
    return this.archives.withTexts(
      await this.page<InteractionRow>("SELECT * FROM interactions WHERE run_id", run, after, limit),
    );
  }

  async deliveries(run: string, after: string, limit: number): Promise<DeliveryRow[]> {
    return this.page("SELECT * FROM deliveries WHERE run_id", run, after, limit);
  }

  private async ownPage<Row>(select: string, { tenant_id, mode }: Owner, after: string, limit: number): Promise<Row[]> {
    const { results } = await this.db
      .prepare(`${select} WHERE tenant_id = ? AND mode = ? AND id > ? ORDER BY id LIMIT ?`)
      .bind(tenant_id, mode, after, limit)
      .all<Row>();
    return results;
  }

  private async page<Row>(select: string, of: string | number, after: string, limit: number): Promise<Row[]> {
    return (await this.pageStatement(select, of, after, limit).all<Row>()).results;
  }

  private pageStatement(select: string, of: string | number, after: string, limit: number): D1PreparedStatement {
    return this.db.prepare(`${select} = ? AND id > ? ORDER BY id LIMIT ?`).bind(of, after, limit);
  }
}
