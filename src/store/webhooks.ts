import { type Listener, listenersOf } from "./runs";
import type { DeliveryRow, EndpointRow, EventRow, RunRow } from "./rows";

export interface Attempt {
  attempt: number;
  started_at: number;
  duration_ms: number;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
}

/** An event, and the stage its run was in when it happened. */
export interface EventToDeliver extends EventRow {
  stage: string | null;
}

/** A delivery with what its body is made from. */
export interface DueDelivery {
  delivery: DeliveryRow;
  event: EventToDeliver;
  run: RunRow;
}

export class WebhookStore {
  constructor(private readonly db: D1Database) {}

  async endpoint(id: string): Promise<EndpointRow | null> {
    return this.db.prepare("SELECT * FROM webhook_endpoints WHERE id = ?").bind(id).first<EndpointRow>();
  }

  /** Endpoints that take events of this run. */
  async listeners(run: { id: string; tenant_id: string }): Promise<Listener[]> {
    return (await listenersOf(this.db, run).all<Listener>()).results;
  }

  /** The own webhooks of runs. */
  async ownOf(tenant: string, runs: readonly string[]): Promise<{ run_id: string; url: string; events: string }[]> {
    const { results } = await this.db
      .prepare(
        "SELECT run_id, url, events FROM webhook_endpoints WHERE tenant_id = ? AND run_id IN (SELECT value FROM json_each(?))",
      )
      .bind(tenant, JSON.stringify(runs))
      .all<{ run_id: string; url: string; events: string }>();
    return results;
  }

  /** Deliveries of an endpoint that are due, oldest event first; one whose run is just being deleted is left out. */
  async due(endpoint: string, now: number, limit: number): Promise<DueDelivery[]> {
    const due =
      "SELECT * FROM deliveries WHERE endpoint_id = ?1 AND status = 'pending' AND next_attempt_at <= ?2 ORDER BY event_id LIMIT ?3";
    const of = (query: string) => this.db.prepare(`WITH due AS (${due}) ${query}`).bind(endpoint, now, limit);
    const [deliveries, events, runs] = await this.db.batch<any>([
      of("SELECT * FROM due"),
      of(`SELECT e.*, (SELECT s.data ->> '$.stage' FROM events s WHERE s.run_id = e.run_id AND s.seq <= e.seq
            AND s.type = 'run.stage_started' ORDER BY s.seq DESC LIMIT 1) AS stage
          FROM events e WHERE e.id IN (SELECT event_id FROM due)`),
      of("SELECT * FROM runs WHERE id IN (SELECT run_id FROM due)"),
    ]);
    const eventOf = new Map((events!.results as EventToDeliver[]).map((row) => [row.id, row]));
    const runOf = new Map((runs!.results as RunRow[]).map((row) => [row.id, row]));
    return (deliveries!.results as DeliveryRow[]).flatMap((delivery) => {
      const event = eventOf.get(delivery.event_id);
      const run = runOf.get(delivery.run_id);
      return event && run ? [{ delivery, event, run }] : [];
    });
  }

  /** When the endpoint's next delivery is due; null when none is pending. */
  async nextDue(endpoint: string): Promise<number | null> {
    const row = await this.db
      .prepare("SELECT MIN(next_attempt_at) AS at FROM deliveries WHERE endpoint_id = ? AND status = 'pending'")
      .bind(endpoint)
      .first<{ at: number | null }>();
    return row?.at ?? null;
  }

  /** Lists an attempt and says what follows from it, together. */
  async record(
    delivery: DeliveryRow,
    attempt: Attempt,
    next: { status: DeliveryRow["status"]; next_attempt_at: number | null },
  ): Promise<void> {
    await this.db.batch([
      this.db
        .prepare(
          `INSERT OR REPLACE INTO delivery_attempts (delivery_id, attempt, started_at, duration_ms, response_status, response_body, error)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS (SELECT 1 FROM deliveries WHERE id = ?1)`,
        )
        .bind(
          delivery.id,
          attempt.attempt,
          attempt.started_at,
          attempt.duration_ms,
          attempt.response_status,
          attempt.response_body,
          attempt.error,
        ),
      this.db
        .prepare(
          "UPDATE deliveries SET status = ?2, attempts = ?3, next_attempt_at = ?4, settled_at = iif(?2 = 'pending', NULL, ?5) WHERE id = ?1",
        )
        .bind(delivery.id, next.status, attempt.attempt, next.next_attempt_at, Date.now()),
    ]);
  }

  /** Takes an endpoint out of service; what was pending for it fails. */
  async disable(endpoint: string, because: string): Promise<void> {
    await this.db.batch([
      this.db
        .prepare(
          "UPDATE webhook_endpoints SET status = 'disabled', disabled_because = ?2 WHERE id = ?1 AND status = 'enabled'",
        )
        .bind(endpoint, because),
      this.db
        .prepare(
          "UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, settled_at = ?2 WHERE endpoint_id = ?1 AND status = 'pending'",
        )
        .bind(endpoint, Date.now()),
    ]);
  }

  /** Endpoints with something due, for the keeper: whoever should have called them may have crashed. */
  async endpointsDue(now: number, limit: number): Promise<string[]> {
    const { results } = await this.db
      .prepare("SELECT DISTINCT endpoint_id FROM deliveries WHERE status = 'pending' AND next_attempt_at <= ? LIMIT ?")
      .bind(now, limit)
      .all<{ endpoint_id: string }>();
    return results.map((row) => row.endpoint_id);
  }

  async anyPending(): Promise<boolean> {
    return (await this.db.prepare("SELECT 1 FROM deliveries WHERE status = 'pending' LIMIT 1").first()) !== null;
  }
}
