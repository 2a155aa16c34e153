import { toTime, toTimeOrNull } from "../fields/time";
import type { Services } from "../services";
import type { CorpusCounts, RunCounts } from "#store/metrics";

/** Counts of what a tenant has stored; what was deleted counts no more. */
export interface Metrics {
  object: "metrics";
  taken_at: string;
  /** One entry for each workflow, mode and status of which there are runs. */
  runs: Omit<RunCounts, "open_interactions" | "stalled" | "queued_since">[];
  /** One entry for each mode of which there are corpora. */
  corpora: CorpusCounts[];
  stalled_runs: number;
  open_interactions: number;
  /** Since when the longest waiting run waits to begin. */
  oldest_queued_since: string | null;
  webhook_deliveries: { pending: number; failed: number };
}

export async function getMetrics({ store }: Services, tenant: string): Promise<Metrics> {
  const { runs, deliveries, corpora } = await store.metrics.of(tenant);
  const sum = (of: (counts: RunCounts) => number) => runs.reduce((total, counts) => total + of(counts), 0);
  const queued = runs.flatMap(({ queued_since }) => queued_since ?? []);
  const delivered = (status: string) => deliveries.find((row) => row.status === status)?.deliveries ?? 0;
  return {
    object: "metrics",
    taken_at: toTime(Date.now()),
    runs: runs.map(({ open_interactions: _, stalled: _s, queued_since: _q, ...counts }) => counts),
    corpora,
    stalled_runs: sum(({ stalled }) => stalled),
    open_interactions: sum(({ open_interactions }) => open_interactions),
    oldest_queued_since: toTimeOrNull(queued.length ? Math.min(...queued) : null),
    webhook_deliveries: { pending: delivered("pending"), failed: delivered("failed") },
  };
}
