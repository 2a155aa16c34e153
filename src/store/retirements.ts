import { batch } from "./batch";

/** What in live mode names a model, by ids. */
export interface ModelUses {
  tenant_id: string;
  templates: string[];
  schedules: string[];
  runs: string[];
  corpora: string[];
  agents: string[];
}

const KINDS = ["templates", "schedules", "runs", "corpora", "agents"] as const;

/** A warning that a model will be shut down. */
export interface RetirementWarning {
  tenant_id: string;
  model: string;
  shutdown_date: string;
  days: number;
  data: object;
}

/** Warnings of models that their providers will shut down. A trigger writes the message of each. */
export class RetirementStore {
  constructor(private readonly db: D1Database) {}

  /**
   * The tenants whose templates, schedules that are not paused, runs under way, corpora or agents name a model.
   * @param isDefault whether the deployment uses it where a template names none
   */
  async usesOf(model: string, isDefault: boolean): Promise<ModelUses[]> {
    // The name in quotation marks, as JSON has it: no longer name contains it.
    const isNamed = "(instr(t.request, ?1) > 0 OR (?2 = 1 AND t.request ->> '$.models.default' IS NULL))";
    const { results } = await this.db
      .prepare(
        `SELECT t.tenant_id, 'templates' AS kind, t.id FROM templates t WHERE t.mode = 'live' AND ${isNamed}
         UNION ALL SELECT s.tenant_id, 'schedules', s.id FROM schedules s JOIN templates t ON t.id = s.template_id
           WHERE s.mode = 'live' AND s.paused = 0 AND ${isNamed}
         UNION ALL SELECT r.tenant_id, 'runs', r.id FROM runs r
           WHERE r.mode = 'live' AND r.parent_id IS NULL AND r.phase IN ('queued', 'running') AND instr(r.models, ?1) > 0
         UNION ALL SELECT tenant_id, 'corpora', id FROM corpora WHERE mode = 'live' AND embedding_model = ?3
         UNION ALL SELECT tenant_id, 'agents', id FROM agents WHERE mode = 'live' AND model = ?3
         ORDER BY 1, 2, 3`,
      )
      .bind(JSON.stringify(model), isDefault ? 1 : 0, model)
      .all<{ tenant_id: string; kind: (typeof KINDS)[number]; id: string }>();
    const byTenant = Map.groupBy(results, ({ tenant_id }) => tenant_id);
    return [...byTenant].map(([tenant_id, rows]) => {
      const ids = (kind: string) => rows.flatMap((row) => (row.kind === kind ? [row.id] : []));
      const named = Object.fromEntries(KINDS.map((kind) => [kind, ids(kind)])) as Omit<ModelUses, "tenant_id">;
      return { tenant_id, ...named };
    });
  }

  /** Stores warnings that are not stored yet. */
  async warn(warnings: readonly RetirementWarning[]): Promise<void> {
    const inserts = warnings.map(({ tenant_id, model, shutdown_date, days, data }) =>
      this.db
        .prepare("INSERT INTO retirement_warnings VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
        .bind(tenant_id, model, shutdown_date, days, JSON.stringify(data)),
    );
    if (inserts.length > 0) await batch(this.db, { inserts });
  }
}
