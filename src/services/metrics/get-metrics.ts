import type { Owner } from "#core/owner";
import { toTime, toTimeOrNull } from "../fields/time";
import type { Services } from "../services";
import type { RunCounts } from "#store/metrics";
import type { Metrics } from "./schema";

export async function getMetrics({ store }: Services, owner: Owner): Promise<Metrics> {
  const { runs, deliveries, corpora, quotas } = await store.metrics.of(owner);
  const sum = (of: (counts: RunCounts) => number) => runs.reduce((total, counts) => total + of(counts), 0);
  const queued = runs.flatMap(({ queued_since }) => queued_since ?? []);
  const countOf = (status: string) => deliveries.find((row) => row.status === status)?.deliveries ?? 0;
  return {
    object: "metrics",
    taken_at: toTime(Date.now()),
    runs: runs.map(({ open_interactions: _, stalled: _s, queued_since: _q, ...counts }) => counts),
    corpora,
    stalled_runs: sum(({ stalled }) => stalled),
    open_interactions: sum(({ open_interactions }) => open_interactions),
    oldest_queued_since: toTimeOrNull(queued.length ? Math.min(...queued) : null),
    webhook_deliveries: { pending: countOf("pending"), failed: countOf("failed") },
    quotas,
  };
}
