import type { RunCounts } from "#store/metrics";
import { toTime } from "../fields/time";
import type { Services } from "../services";
import { countsOf } from "./get-metrics";
import type { Metrics } from "./schema";

/** What all tenants of a deployment have stored, in both modes and in all databases. */
export interface DeploymentMetrics extends Pick<
  Metrics,
  "taken_at" | "runs" | "stalled_runs" | "open_interactions" | "oldest_queued_since" | "webhook_deliveries"
> {
  tenants: number;
  /** Providers that fail, with the runs that wait for them. */
  failing_providers: { provider: string; runs: number }[];
  /** Milliseconds since the next maintenance pass should have begun; 0: it is not overdue. */
  maintenance_overdue_ms: number;
}

export async function getDeploymentMetrics({
  ofAllDatabases,
}: Pick<Services, "ofAllDatabases">): Promise<DeploymentMetrics> {
  const now = Date.now();
  const stored = await Promise.all(ofAllDatabases().map(({ store }) => store.metrics.ofDeployment()));
  const runs = merge(
    stored.flatMap((of) => of.runs),
    ({ workflow, mode, status }) => `${workflow} ${mode} ${status}`,
    addCounts,
  );
  const overdue = stored.map(({ next_pass_at }) => (next_pass_at === null ? 0 : now - next_pass_at));
  return {
    taken_at: toTime(now),
    ...countsOf(
      runs,
      stored.flatMap((of) => of.deliveries),
    ),
    tenants: stored.reduce((total, { tenants }) => total + tenants, 0),
    failing_providers: merge(
      stored.flatMap((of) => of.failing_providers),
      ({ provider }) => provider,
      (one, other) => ({ ...one, runs: one.runs + other.runs }),
    ),
    maintenance_overdue_ms: Math.max(0, ...overdue),
  };
}

/** Rows of several databases: those with the same key become one. */
function merge<Row>(rows: readonly Row[], keyOf: (row: Row) => string, add: (one: Row, other: Row) => Row): Row[] {
  return [...Map.groupBy(rows, keyOf).values()].map((same) => same.reduce(add));
}

const addCounts = (one: RunCounts, other: RunCounts): RunCounts => ({
  ...one,
  runs: one.runs + other.runs,
  llm_calls: one.llm_calls + other.llm_calls,
  input_tokens: one.input_tokens + other.input_tokens,
  cached_input_tokens: one.cached_input_tokens + other.cached_input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  reasoning_tokens: one.reasoning_tokens + other.reasoning_tokens,
  cost_usd: one.cost_usd === null && other.cost_usd === null ? null : (one.cost_usd ?? 0) + (other.cost_usd ?? 0),
  open_interactions: one.open_interactions + other.open_interactions,
  stalled: one.stalled + other.stalled,
  queued_since: earlier(one.queued_since, other.queued_since),
});

const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);
