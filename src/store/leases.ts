import type { IdempotencyStore, RequestCompletion } from "./idempotency";

/** A lease of deliveries of an endpoint that are polled. */
export interface NewLease {
  /** Id of the lease. */
  id: string;
  endpoint: string;
  /** How many deliveries at most. */
  limit: number;
  now: number;
  /** Milliseconds since the epoch, like `now`. */
  until: number;
}

/** Deliveries that consumers lease and acknowledge. */
export class LeaseStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /**
   * Leases pending deliveries that no other lease has, those of the oldest events first. Of each run only its first pending one: a later one is
   * leased once all earlier ones have ended. None of an endpoint that is disabled or deleted.
   * @returns how many are leased
   */
  async take({ id, endpoint, limit, now, until }: NewLease, completion?: RequestCompletion): Promise<number> {
    const update = this.db
      .prepare(
        `UPDATE deliveries SET lease = ?2, leased_until = ?4, attempts = attempts + 1, next_attempt_at = MAX(next_attempt_at, ?4)
         WHERE id IN (
           SELECT d.id FROM deliveries d WHERE d.endpoint_id = ?1 AND d.status = 'pending' AND d.polled = 1
             AND (d.leased_until IS NULL OR d.leased_until <= ?3)
             AND NOT EXISTS (SELECT 1 FROM deliveries earlier WHERE earlier.endpoint_id = ?1 AND earlier.run_id = d.run_id
               AND earlier.status = 'pending' AND earlier.polled = 1 AND earlier.seq < d.seq)
             AND EXISTS (SELECT 1 FROM webhook_endpoints e WHERE e.id = ?1 AND e.status = 'enabled')
           ORDER BY d.event_id LIMIT ?5)`,
      )
      .bind(endpoint, id, now, until, limit);
    return (await this.idempotency.write(update, completion)).changes;
  }

  /** Marks deliveries of an endpoint as delivered; those that are marked already stay. */
  async acknowledge(endpoint: string, deliveries: readonly string[], completion?: RequestCompletion): Promise<void> {
    const update = this.db
      .prepare(
        `UPDATE deliveries SET status = 'delivered', next_attempt_at = NULL, leased_until = NULL, settled_at = ?3
         WHERE endpoint_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND status <> 'delivered'`,
      )
      .bind(endpoint, JSON.stringify(deliveries), Date.now());
    await this.idempotency.write(update, completion);
  }

  /** Those of the deliveries that the endpoint has, and that are delivered. */
  async delivered(endpoint: string, deliveries: readonly string[]): Promise<string[]> {
    const { results } = await this.db
      .prepare(
        "SELECT id FROM deliveries WHERE endpoint_id = ? AND id IN (SELECT value FROM json_each(?)) AND status = 'delivered'",
      )
      .bind(endpoint, JSON.stringify(deliveries))
      .all<{ id: string }>();
    return results.map(({ id }) => id);
  }

  /** When the next polled delivery fails unless it is acknowledged; null when none is pending. */
  async nextExpiry(): Promise<number | null> {
    return this.db
      .prepare("SELECT MIN(next_attempt_at) AS at FROM deliveries WHERE status = 'pending' AND polled = 1")
      .first<number>("at");
  }
}
