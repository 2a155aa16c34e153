import { notHeld } from "./held-tenants";
import { ASKING_EVENTS, type DeliveryStatus, type DisabledBecause, type EndpointFormat } from "#core/vocabulary";
import { attemptsInArchives, eventsInArchives, openedBy } from "./archive/archived-deliveries";
import type { RunArchives } from "./archive/archives";
import type { MessageData, MessageType } from "#core/events";
import { batch, type Returning } from "./batch";
import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import { toPage } from "./page";
import type { AttemptRow, DeliveryRow, EndpointRow, EventRow, InteractionRow, MessageRow } from "./rows";
import { ENTRY_COLUMNS, type RunEntryRow } from "./run-lists";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

/** An event and the run's stage at that time. */
export interface EventToDeliver extends EventRow {
  stage: string | null;
}

/** The data of a delivery's body; `interaction` is set for events that ask for an answer. */
export type DeliveryContent =
  | { is: "event"; event: EventToDeliver; run: RunEntryRow; interaction: InteractionRow | null }
  | { is: "message"; message: MessageRow };

export interface LoadedDelivery {
  delivery: DeliveryRow;
  /** Of its endpoint. */
  format: EndpointFormat;
  content: DeliveryContent;
}

/** The state of a delivery after an attempt. `disables`: why the endpoint is disabled, unless another delivery has succeeded. */
export interface DeliveryUpdate {
  status: DeliveryStatus;
  next_attempt_at: number | null;
  disables: Exclude<DisabledBecause, "by_request"> | null;
}

/** Condition that the endpoint of a delivery has mode ?3. */
const OF_MODE = "EXISTS (SELECT 1 FROM webhook_endpoints e WHERE e.id = endpoint_id AND e.mode = ?3)";

/** Bytes that an attempt, and a message with its first attempt, count in the quota. */
const ATTEMPT_BYTES = 2000;
const MESSAGE_BYTES = 1000 + ATTEMPT_BYTES;

/** Attempts of a delivery that are read: each redelivery adds up to ten. */
const MAX_ATTEMPTS = 50;

/** Deliveries of webhooks and notices: the queue, its attempts and the log. */
export class DeliveryStore {
  constructor(
    private readonly db: D1Database,
    private readonly archives: RunArchives,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /** Writes a message for one endpoint; a trigger makes its delivery. False when the endpoint is disabled or deleted; then nothing is written. */
  async enqueueMessage<T extends MessageType>(
    { id, tenant_id }: EndpointRow,
    message: { id: string; type: T; data: MessageData<T> },
    completion?: RequestCompletion,
  ): Promise<boolean> {
    const insert = this.db
      .prepare(
        `INSERT INTO webhook_messages (id, tenant_id, mode, endpoint_id, type, data)
         SELECT ?1, tenant_id, mode, id, ?3, ?4 FROM webhook_endpoints WHERE id = ?2 AND status = 'enabled'`,
      )
      .bind(message.id, id, message.type, JSON.stringify(message.data));
    const quota = { tenant: tenant_id, needs: { stored_bytes: MESSAGE_BYTES } };
    return (await this.idempotency.write(insert, completion, quota)).changes > 0;
  }

  /** The delivery of a message to one endpoint; null when the endpoint was disabled. */
  async ofMessage(id: string): Promise<LoadedDelivery | null> {
    const [delivery] = await this.load("SELECT * FROM deliveries WHERE event_id = ?1", [id]);
    return delivery ?? null;
  }

  /** The owner's delivery with this id; null when it does not exist. */
  async get({ tenant_id, mode }: Owner, id: string): Promise<LoadedDelivery | null> {
    const [found] = await this.load(`SELECT * FROM deliveries WHERE id = ?1 AND tenant_id = ?2 AND ${OF_MODE}`, [
      id,
      tenant_id,
      mode,
    ]);
    return found ?? null;
  }

  /** The log of an endpoint, newest first. */
  async list(
    endpoint: string,
    filter: { status?: DeliveryStatus; run_id?: string },
    limit: number,
    after: string | null,
  ): Promise<Page<LoadedDelivery>> {
    const found = await this.load(
      `SELECT * FROM deliveries WHERE endpoint_id = ?1 AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR run_id = ?3)
       AND (?4 IS NULL OR id < ?4) ORDER BY id DESC LIMIT ?5`,
      [endpoint, filter.status ?? null, filter.run_id ?? null, after, limit + 1],
    );
    return toPage(found, limit, ({ delivery }) => delivery.id);
  }

  /** The last attempts of several deliveries, at most `MAX_ATTEMPTS` of each, in order. */
  async attempts(deliveries: readonly Pick<DeliveryRow, "id" | "run_id">[]): Promise<AttemptRow[]> {
    const ids = deliveries.map(({ id }) => id);
    const stored: Returning<AttemptRow> = this.db
      .prepare(
        `SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY delivery_id ORDER BY attempt DESC) AS place FROM delivery_attempts
           WHERE delivery_id IN (SELECT value FROM json_each(?1))) WHERE place <= ?2 ORDER BY delivery_id, attempt`,
      )
      .bind(JSON.stringify(ids), MAX_ATTEMPTS);
    const runs = deliveries.flatMap(({ run_id }) => run_id ?? []);
    const { attempts, archived } = await batch(this.db, {
      attempts: stored,
      archived: this.archives.archivedStatement(runs),
    });
    return [...attempts.rows, ...(await attemptsInArchives(this.archives, archived.rows, ids, MAX_ATTEMPTS))];
  }

  /**
   * Makes a delivery due at once, with a new round of retries; false when its endpoint is disabled, or its run is archived.
   * @param kept_for milliseconds for which a polled one can be leased
   */
  async redeliver(
    { tenant_id, mode }: Owner,
    { id, kept_for }: { id: string; kept_for: number },
    completion?: RequestCompletion,
  ): Promise<boolean> {
    const now = Date.now();
    const update = this.db
      .prepare(
        `UPDATE deliveries SET status = 'pending', round_attempts = 0, round_began_at = ?4, next_attempt_at = ?4 + polled * ?5,
           settled_at = NULL, leased_until = NULL
         WHERE id = ?1 AND tenant_id = ?2 AND ${OF_MODE}
           AND EXISTS (SELECT 1 FROM webhook_endpoints e WHERE e.id = endpoint_id AND e.status = 'enabled')
           AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = run_id AND r.archive_key IS NOT NULL)`,
      )
      .bind(id, tenant_id, mode, now, kept_for);
    const quota = { tenant: tenant_id, needs: { stored_bytes: ATTEMPT_BYTES } };
    return (await this.idempotency.write(update, completion, quota)).changes > 0;
  }

  /** Due deliveries of an endpoint, oldest event first. */
  due(endpoint: string, now: number, limit: number): Promise<LoadedDelivery[]> {
    return this.load(
      `SELECT * FROM deliveries WHERE endpoint_id = ?1 AND status = 'pending' AND next_attempt_at <= ?2 ORDER BY event_id LIMIT ?3`,
      [endpoint, now, limit],
    );
  }

  /** Pending deliveries of a lease, oldest event first. */
  leased(lease: string): Promise<LoadedDelivery[]> {
    return this.load("SELECT * FROM deliveries WHERE lease = ?1 AND status = 'pending' ORDER BY event_id", [lease]);
  }

  /** The deliveries of a query with their contents, in one round trip. A delivery whose run is being deleted is left out. */
  private async load(query: string, values: readonly unknown[]): Promise<LoadedDelivery[]> {
    const select = <Row>(rest: string): Returning<Row> =>
      this.db.prepare(`WITH chosen AS (${query}) ${rest}`).bind(...values);
    const { deliveries, events, runs, interactions, messages, endpoints } = await batch(this.db, {
      deliveries: select<DeliveryRow>("SELECT * FROM chosen"),
      events:
        select<EventToDeliver>(`SELECT e.*, (SELECT s.data ->> '$.stage' FROM events s WHERE s.run_id = e.run_id AND s.seq <= e.seq
            AND s.type = 'run.stage_started' ORDER BY s.seq DESC LIMIT 1) AS stage
          FROM events e WHERE e.id IN (SELECT event_id FROM chosen)`),
      runs: select<RunEntryRow>(`SELECT ${ENTRY_COLUMNS} FROM runs t WHERE t.id IN (SELECT run_id FROM chosen)`),
      interactions:
        select<InteractionRow>(`SELECT i.* FROM events e JOIN interactions i ON i.id = e.data ->> '$.interaction_id'
          WHERE e.type IN ('${ASKING_EVENTS.join("', '")}') AND e.id IN (SELECT event_id FROM chosen)`),
      messages: select<MessageRow>("SELECT * FROM webhook_messages WHERE id IN (SELECT event_id FROM chosen)"),
      endpoints: select<Pick<EndpointRow, "id" | "format">>(
        "SELECT id, format FROM webhook_endpoints WHERE id IN (SELECT endpoint_id FROM chosen)",
      ),
    });
    const eventOf = new Map(events.rows.map((row) => [row.id, row]));
    const runOf = new Map(runs.rows.map((row) => [row.id, row]));
    const archived = await eventsInArchives(this.archives, runOf.values(), deliveries.rows);
    for (const event of archived) eventOf.set(event.id, event);
    const asked = await this.archives.interactions(archived.flatMap((event) => openedBy(event) ?? []));
    const interactionOf = new Map(
      [...(await this.archives.withTexts(interactions.rows)), ...asked].map((row) => [row.id, row]),
    );
    const messageOf = new Map(messages.rows.map((row) => [row.id, row]));
    const formatOf = new Map(endpoints.rows.map(({ id, format }) => [id, format]));
    return deliveries.rows.flatMap((delivery): LoadedDelivery[] => {
      const format = formatOf.get(delivery.endpoint_id);
      if (!format) return []; // the endpoint was deleted meanwhile
      const message = messageOf.get(delivery.event_id);
      if (message) return [{ delivery, format, content: { is: "message", message } }];
      const event = eventOf.get(delivery.event_id);
      const run = event && runOf.get(event.run_id);
      if (!run) return [];
      return [
        {
          delivery,
          format,
          content: { is: "event", event, run, interaction: interactionOf.get(openedBy(event) ?? "") ?? null },
        },
      ];
    });
  }

  /** When the endpoint's next delivery is due; null when none is pending. */
  async nextDue(endpoint: string): Promise<number | null> {
    return this.db
      .prepare("SELECT MIN(next_attempt_at) AS at FROM deliveries WHERE endpoint_id = ? AND status = 'pending'")
      .bind(endpoint)
      .first<number>("at");
  }

  /** Makes the due deliveries of an endpoint wait; their retries stay. */
  async postponeDue(endpoint: string, until: number): Promise<void> {
    await this.db
      .prepare(
        "UPDATE deliveries SET next_attempt_at = ?2 WHERE endpoint_id = ?1 AND status = 'pending' AND next_attempt_at <= ?3",
      )
      .bind(endpoint, until, Date.now())
      .run();
  }

  /**
   * Records an attempt and the resulting state of its delivery in one transaction. If the delivery was redelivered or its endpoint disabled
   * during the attempt, that state is kept, unless the attempt succeeded.
   */
  async recordAttempt(
    delivery: DeliveryRow,
    attempt: Omit<AttemptRow, "delivery_id">,
    update: DeliveryUpdate,
  ): Promise<void> {
    const now = Date.now();
    const unchanged = "(next_attempt_at IS ?5 OR (?2 = 'delivered' AND next_attempt_at IS NULL))";
    await batch(this.db, {
      attempt: this.db
        .prepare(
          `INSERT INTO delivery_attempts (delivery_id, attempt, started_at, duration_ms, url, request_headers, response_status,
             response_body, error)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE EXISTS (SELECT 1 FROM deliveries WHERE id = ?1)
           ON CONFLICT (delivery_id, attempt) DO UPDATE SET started_at = excluded.started_at, duration_ms = excluded.duration_ms,
             url = excluded.url, request_headers = excluded.request_headers, response_status = excluded.response_status,
             response_body = excluded.response_body, error = excluded.error`,
        )
        .bind(
          delivery.id,
          attempt.attempt,
          attempt.started_at,
          attempt.duration_ms,
          attempt.url,
          attempt.request_headers,
          attempt.response_status,
          attempt.response_body,
          attempt.error,
        ),
      delivery: this.db
        .prepare(
          `UPDATE deliveries SET attempts = ?3, round_attempts = iif(${unchanged}, round_attempts + 1, round_attempts),
             settled_at = iif(${unchanged}, iif(?2 = 'pending', NULL, ?6), settled_at), status = iif(${unchanged}, ?2, status),
             next_attempt_at = iif(${unchanged}, ?4, next_attempt_at)
           WHERE id = ?1`,
        )
        .bind(delivery.id, update.status, attempt.attempt, update.next_attempt_at, delivery.next_attempt_at, now),
      disable: update.disables ? this.disable(delivery, update.disables, attempt.url, now) : [],
    });
  }

  /**
   * Disables an endpoint; triggers fail its pending deliveries and notify the tenant's other endpoints.
   * @param url that was called; an endpoint with another one by now stays enabled. null: none was
   */
  private disable(
    delivery: DeliveryRow,
    because: DisabledBecause,
    url: string | null,
    now: number,
  ): D1PreparedStatement {
    return this.db
      .prepare(
        `UPDATE webhook_endpoints SET status = 'disabled', disabled_because = ?2, disabled_at = ?3, updated_at = ?3
         WHERE id = ?1 AND status = 'enabled' AND (?5 IS NULL OR url = ?5) AND (?2 <> 'retries_failed' OR NOT EXISTS (
           SELECT 1 FROM deliveries WHERE endpoint_id = ?1 AND status = 'delivered' AND settled_at >= ?4))`,
      )
      .bind(delivery.endpoint_id, because, now, delivery.round_began_at, url);
  }

  /** Endpoints with due deliveries, for the maintenance worker: their sender may have crashed. */
  async endpointsDue(now: number, limit: number): Promise<string[]> {
    const { results } = await this.db
      .prepare("SELECT DISTINCT endpoint_id FROM deliveries WHERE status = 'pending' AND next_attempt_at <= ? LIMIT ?")
      .bind(now, limit)
      .all<{ endpoint_id: string }>();
    return results.map((row) => row.endpoint_id);
  }

  /**
   * Deletes at most `limit` deliveries ended before `before`, with their attempts, and at most `limit` messages from before it without
   * a delivery. Pending deliveries stay.
   */
  async removeBefore(before: number, limit: number): Promise<void> {
    const { results } = await this.db
      .prepare(`SELECT id FROM deliveries WHERE settled_at < ? AND ${notHeld()} ORDER BY settled_at LIMIT ?`)
      .bind(before, limit)
      .all<{ id: string }>();
    const ids = JSON.stringify(results.map(({ id }) => id));
    // A delivery that is being redelivered now is pending; it keeps its attempts.
    const chosen = "SELECT id FROM deliveries WHERE id IN (SELECT value FROM json_each(?1)) AND settled_at < ?2";
    await batch(this.db, {
      attempts: this.db.prepare(`DELETE FROM delivery_attempts WHERE delivery_id IN (${chosen})`).bind(ids, before),
      deliveries: this.db.prepare(`DELETE FROM deliveries WHERE id IN (${chosen})`).bind(ids, before),
      messages: this.db
        .prepare(
          `DELETE FROM webhook_messages WHERE id IN (SELECT id FROM webhook_messages m WHERE created_at < ?1 AND ${notHeld()}
             AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = m.id) ORDER BY created_at LIMIT ?2)`,
        )
        .bind(before, limit),
    });
  }

  /** Time of the oldest row that `removeBefore` may delete; null when there is none. */
  async oldestRemovable(): Promise<number | null> {
    return this.db
      .prepare(
        `SELECT MIN(at) AS at FROM (SELECT MIN(settled_at) AS at FROM deliveries WHERE settled_at IS NOT NULL
           UNION ALL SELECT MIN(created_at) FROM webhook_messages m WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = m.id))`,
      )
      .first<number>("at");
  }
}
