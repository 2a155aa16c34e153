import type { Mode, RunStatus } from "#core/vocabulary";

/** Runs of one sort, counted. */
export interface RunCounts {
  workflow: string;
  mode: Mode;
  status: RunStatus;
  runs: number;
  llm_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  /** null while no price is known. */
  cost_usd: number | null;
  open_interactions: number;
  stalled: number;
  /** Milliseconds: since when the longest waiting of those that are queued waits. */
  queued_since: number | null;
}

/** Corpora of one mode, counted, with what their vectors have used. */
export interface CorpusCounts {
  mode: Mode;
  corpora: number;
  llm_calls: number;
  input_tokens: number;
  /** null while no price is known. */
  cost_usd: number | null;
}

/** Counts of what a tenant has stored. */
export class MetricsStore {
  constructor(private readonly db: D1Database) {}

  async of(
    tenant: string,
  ): Promise<{ runs: RunCounts[]; deliveries: { status: string; deliveries: number }[]; corpora: CorpusCounts[] }> {
    const [runs, deliveries, corpora] = await this.db.batch<any>([
      this.db
        .prepare(
          `SELECT workflow, mode, status, COUNT(*) AS runs, SUM(llm_calls) AS llm_calls, SUM(input_tokens) AS input_tokens,
             SUM(cached_input_tokens) AS cached_input_tokens, SUM(output_tokens) AS output_tokens, SUM(cost_usd) AS cost_usd,
             SUM(open_interactions) AS open_interactions, SUM(stalled_at IS NOT NULL AND finished_at IS NULL) AS stalled,
             MIN(iif(status = 'queued', heartbeat_at, NULL)) AS queued_since
           FROM runs WHERE tenant_id = ? GROUP BY workflow, mode, status ORDER BY workflow, mode, status`,
        )
        .bind(tenant),
      this.db
        .prepare(
          "SELECT status, COUNT(*) AS deliveries FROM deliveries WHERE tenant_id = ? AND status <> 'delivered' GROUP BY status",
        )
        .bind(tenant),
      this.db
        .prepare(
          `SELECT mode, COUNT(*) AS corpora, SUM(llm_calls) AS llm_calls, SUM(input_tokens) AS input_tokens, SUM(cost_usd) AS cost_usd
           FROM corpora WHERE tenant_id = ? GROUP BY mode ORDER BY mode`,
        )
        .bind(tenant),
    ]);
    return { runs: runs!.results, deliveries: deliveries!.results, corpora: corpora!.results };
  }
}
