import type { Quota } from "#core/quotas";
import type { Owner } from "#core/owner";
import type { Mode, RunStatus } from "#core/vocabulary";

import { batch, returning } from "./batch";
import { NOT_ENDED } from "./run-state";
import type { QuotaStore, QuotaUsage } from "./quotas";

/** Counts of runs by workflow, mode and status. */
export interface RunCounts {
  workflow: string;
  mode: Mode;
  status: RunStatus;
  runs: number;
  llm_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  reasoning_tokens: number;
  output_tokens: number;
  /** null when no price is known. */
  cost_usd: number | null;
  open_interactions: number;
  stalled: number;
  /** Time in milliseconds at which the longest waiting queued run began to wait. */
  queued_since: number | null;
}

/** Counts of corpora by mode, with the usage of their vectors. */
export interface CorpusCounts {
  mode: Mode;
  corpora: number;
  llm_calls: number;
  input_tokens: number;
  /** null when no price is known. */
  cost_usd: number | null;
}

/** Deliveries that are not delivered, by status. */
export interface DeliveryCounts {
  status: string;
  deliveries: number;
}

/** Counts of an owner's data, or of all. */
export class MetricsStore {
  constructor(
    private readonly db: D1Database,
    private readonly quotas: QuotaStore,
  ) {}

  async of({ tenant_id, mode }: Owner): Promise<{
    runs: RunCounts[];
    deliveries: DeliveryCounts[];
    corpora: CorpusCounts[];
    quotas: Record<Quota, QuotaUsage>;
  }> {
    const { runs, deliveries, corpora, usage } = await batch(this.db, {
      runs: returning<RunCounts>(
        this.db
          .prepare(
            // Triggers count those that have ended (`ended_runs`): there may be any number of them.
            `SELECT workflow, mode, status, COUNT(*) AS runs, SUM(llm_calls) AS llm_calls, SUM(input_tokens) AS input_tokens,
             SUM(cached_input_tokens) AS cached_input_tokens, SUM(output_tokens) AS output_tokens, SUM(reasoning_tokens) AS reasoning_tokens, SUM(cost_usd) AS cost_usd,
             SUM(open_interactions) AS open_interactions, SUM(stalled_at IS NOT NULL) AS stalled,
             MIN(iif(status = 'queued', heartbeat_at, NULL)) AS queued_since
           FROM runs WHERE tenant_id = ?1 AND mode = ?2 AND ${NOT_ENDED} GROUP BY workflow, mode, status
           UNION ALL SELECT workflow, mode, phase, runs, llm_calls, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens,
             iif(priced, picodollars / 1e12, NULL), 0, 0, NULL
           FROM ended_runs WHERE tenant_id = ?1 AND mode = ?2 AND runs > 0 ORDER BY workflow, mode, status`,
          )
          .bind(tenant_id, mode),
      ),
      deliveries: returning<DeliveryCounts>(
        this.db
          .prepare(
            `SELECT d.status, COUNT(*) AS deliveries FROM deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
           WHERE d.tenant_id = ? AND e.mode = ? AND d.status <> 'delivered' GROUP BY d.status`,
          )
          .bind(tenant_id, mode),
      ),
      corpora: returning<CorpusCounts>(
        this.db
          .prepare(
            `SELECT mode, COUNT(*) AS corpora, SUM(llm_calls) AS llm_calls, SUM(input_tokens) AS input_tokens, SUM(cost_usd) AS cost_usd
           FROM corpora WHERE tenant_id = ? AND mode = ? GROUP BY mode ORDER BY mode`,
          )
          .bind(tenant_id, mode),
      ),
      usage: this.quotas.usageStatement(tenant_id),
    });
    return {
      runs: runs.rows,
      deliveries: deliveries.rows,
      corpora: corpora.rows,
      quotas: this.quotas.toUsage(usage.rows),
    };
  }

  /** Of all tenants in both modes; it reads what is under way, and sums of the rest. */
  async ofDeployment(): Promise<{
    runs: RunCounts[];
    deliveries: DeliveryCounts[];
    failing_providers: { provider: string; runs: number }[];
    tenants: number;
    /** Milliseconds since the epoch; null: when the maintenance worker is armed. */
    next_pass_at: number | null;
  }> {
    const { runs, deliveries, providers, rest } = await batch(this.db, {
      runs: returning<RunCounts>(
        this.db.prepare(
          `SELECT workflow, mode, status, COUNT(*) AS runs, SUM(llm_calls) AS llm_calls, SUM(input_tokens) AS input_tokens,
             SUM(cached_input_tokens) AS cached_input_tokens, SUM(output_tokens) AS output_tokens,
             SUM(reasoning_tokens) AS reasoning_tokens, SUM(cost_usd) AS cost_usd,
             SUM(open_interactions) AS open_interactions, SUM(stalled_at IS NOT NULL) AS stalled,
             MIN(iif(status = 'queued', heartbeat_at, NULL)) AS queued_since
           FROM runs WHERE ${NOT_ENDED} GROUP BY workflow, mode, status
           UNION ALL SELECT workflow, mode, phase, SUM(runs), SUM(llm_calls), SUM(input_tokens), SUM(cached_input_tokens),
             SUM(output_tokens), SUM(reasoning_tokens), iif(SUM(priced), SUM(picodollars) / 1e12, NULL), 0, 0, NULL
           FROM ended_runs WHERE runs > 0 GROUP BY workflow, mode, phase`,
        ),
      ),
      deliveries: returning<DeliveryCounts>(
        this.db.prepare(
          "SELECT status, COUNT(*) AS deliveries FROM deliveries WHERE status <> 'delivered' GROUP BY status",
        ),
      ),
      providers: returning<{ provider: string; runs: number }>(
        this.db.prepare(
          `SELECT o.value ->> 'provider' AS provider, COUNT(DISTINCT r.id) AS runs FROM runs r, json_each(r.outages) o
           WHERE r.${NOT_ENDED} AND r.outages <> '{}' GROUP BY 1 ORDER BY 1`,
        ),
      ),
      rest: returning<{ tenants: number; next_pass_at: number | null }>(
        this.db.prepare(
          `SELECT (SELECT COUNT(*) FROM tenants WHERE moving_to IS NULL) AS tenants,
             (SELECT next_at FROM maintenance_pass) AS next_pass_at`,
        ),
      ),
    });
    return { runs: runs.rows, deliveries: deliveries.rows, failing_providers: providers.rows, ...rest.rows[0]! };
  }
}
