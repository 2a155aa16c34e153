import type { Services } from "../services";

/**
 * When the next stored row expires: an ended run or an ended delivery past its retention, an entry of the audit
 * log, an idempotency key, or a polled delivery that nobody acknowledges; or when the next run is to be archived, or started by a schedule.
 * @returns milliseconds since the epoch; null when nothing expires
 */
export async function nextExpiry({ store, settings }: Pick<Services, "store" | "settings">): Promise<number | null> {
  const { retention_ms, archive_after_ms, audit_retention_ms } = settings;
  const entry = await store.audit.oldest();
  const retained =
    retention_ms === null ? [] : [await store.maintenance.firstEnd(), await store.deliveries.oldestRemovable()];
  const expiries = [
    ...retained.map((since) => since && since + retention_ms!),
    archive_after_ms === null ? null : await store.archive.nextDue(archive_after_ms),
    entry && entry + audit_retention_ms,
    await store.idempotency.nextExpiry(),
    await store.leases.nextExpiry(),
    await store.schedules.nextDue(),
  ];
  const next = Math.min(...expiries.map((at) => at ?? Infinity));
  return next === Infinity ? null : next;
}
