import { withRetry } from "#core/retry";
import type { EndpointRow } from "#store/rows";
import type { Services } from "../../services";

/** Deliveries of an endpoint that one alarm ends; it continues at once when there are more. */
const BATCH = 20;

/**
 * Fails the polled deliveries of an endpoint that nobody has acknowledged in time. As after the last retry of a webhook, the endpoint is disabled
 * when no other delivery succeeded meanwhile.
 * @returns when the next one would fail, in milliseconds since the epoch; null when none is pending
 */
export async function failUnacknowledged(
  { store, platform }: Pick<Services, "store" | "platform">,
  { id }: EndpointRow,
): Promise<number | null> {
  const due = await store.deliveries.due(id, Date.now(), BATCH);
  // The maintenance worker wakes the senders of the endpoints that are notified of the disabled one.
  if (due.length) await withRetry(() => platform.armMaintenance());
  for (const { delivery } of due) {
    const attempt = {
      attempt: delivery.attempts + 1,
      started_at: Date.now(),
      duration_ms: 0,
      url: null,
      request_headers: null,
      response_status: null,
      response_body: null,
      error: delivery.attempts === 0 ? "It was not leased in time." : "It was leased, and not acknowledged in time.",
    };
    const failed = { status: "failed", next_attempt_at: null, disables: "retries_failed" } as const;
    await withRetry(() => store.deliveries.recordAttempt(delivery, attempt, failed));
  }
  return store.deliveries.nextDue(id);
}
