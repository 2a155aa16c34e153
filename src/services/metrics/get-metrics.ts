import type { Owner } from "#core/owner";
import { toTime, toTimeOrNull } from "../fields/time";
import type { Services } from "../services";
import type { DeliveryCounts, RunCounts } from "#store/metrics";
import type { Metrics } from "./schema";

export async function getMetrics({ store }: Services, owner: Owner): Promise<Metrics> {
  const { runs, deliveries, corpora, quotas } = await store.metrics.of(owner);
  return { object: "metrics", taken_at: toTime(Date.now()), ...countsOf(runs, deliveries), corpora, quotas };
}

/** Counts of runs and deliveries, as metrics show them. */
export function countsOf(runs: readonly RunCounts[], deliveries: readonly DeliveryCounts[]) {
  const sum = (of: (counts: RunCounts) => number) => runs.reduce((total, counts) => total + of(counts), 0);
  const queued = runs.flatMap(({ queued_since }) => queued_since ?? []);
  const countOf = (status: string) =>
    deliveries.reduce((total, row) => total + (row.status === status ? row.deliveries : 0), 0);
  return {
    runs: runs.map(({ open_interactions: _, stalled: _s, queued_since: _q, ...counts }) => counts),
    stalled_runs: sum(({ stalled }) => stalled),
    open_interactions: sum(({ open_interactions }) => open_interactions),
    oldest_queued_since: toTimeOrNull(queued.length ? Math.min(...queued) : null),
    webhook_deliveries: { pending: countOf("pending"), failed: countOf("failed") },
  };
}
