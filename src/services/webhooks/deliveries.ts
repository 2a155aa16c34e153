import { toTime, toTimeOrNull } from "../fields/time";
import type { Viewer } from "../interactions/interactions";
import type { Services } from "../services";
import type { AttemptRow, DeliveryRow } from "#store/rows";
import type { LoadedDelivery } from "#store/deliveries";
import { bodyOf } from "./delivery/payload";
import type { PresentedAttempt, PresentedDelivery } from "./schema";
import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import type { DeliveryStatus } from "#core/vocabulary";
import { PAGE_BYTES } from "#store/bounded-page";
import { findEndpoint, notEnabled } from "./endpoints";
import type { RequestCompletion } from "../idempotency/complete-key";
import { withRetry } from "#core/retry";
import { withRestoredRun } from "../while-restored";
import { wakeSender } from "../wake";
import { RETRY_WINDOW_MS } from "./delivery/schedule";
import { assertMaySend } from "./destination-rate";

/** Deliveries with their bodies, which are not stored but built again, with the same bytes. */
export async function presentDeliveries(
  { store, secrets }: Services,
  rows: readonly LoadedDelivery[],
  viewer: Viewer,
): Promise<PresentedDelivery[]> {
  const attempts = await store.deliveries.attempts(rows.map(({ delivery }) => delivery));
  const byDelivery = Map.groupBy(attempts, (row) => row.delivery_id);
  return rows.map((loaded) => {
    const { id } = loaded.delivery;
    const body = bodyOf(loaded, secrets);
    return {
      ...presentLogEntry(loaded.delivery, byDelivery.get(id) ?? []),
      body: viewer.may_answer ? body : withoutCallbackUrl(loaded, body),
    };
  });
}

/** A delivery without its body. */
export const presentLogEntry = (
  delivery: DeliveryRow,
  attempts: readonly AttemptRow[],
): Omit<PresentedDelivery, "body"> => ({
  object: "delivery",
  id: delivery.id,
  endpoint_id: delivery.endpoint_id,
  event_id: delivery.event_id,
  run_id: delivery.run_id,
  type: delivery.type,
  status: delivery.status,
  attempts: attempts.map(presentAttempt),
  next_attempt_at: toTimeOrNull(delivery.next_attempt_at),
  leased_until: (delivery.leased_until ?? 0) > Date.now() ? toTimeOrNull(delivery.leased_until) : null,
  created_at: toTime(delivery.created_at),
  settled_at: toTimeOrNull(delivery.settled_at),
});

export async function presentDelivery(
  services: Services,
  row: LoadedDelivery,
  viewer: Viewer,
): Promise<PresentedDelivery> {
  const [delivery] = await presentDeliveries(services, [row], viewer);
  return delivery!;
}

const presentAttempt = (row: AttemptRow): PresentedAttempt => ({
  attempt: row.attempt,
  started_at: toTime(row.started_at),
  duration_ms: row.duration_ms,
  request: row.url === null ? null : { url: row.url, headers: JSON.parse(row.request_headers ?? "{}") },
  response: row.response_status === null ? null : { status: row.response_status, body: row.response_body ?? "" },
  error: row.error,
});

function withoutCallbackUrl({ format }: LoadedDelivery, body: string): string {
  if (format === "a2a")
    return JSON.stringify(JSON.parse(body, (name, value) => (name === "callback_url" ? null : value)));
  const { data, ...rest } = JSON.parse(body) as { data: { interaction?: object } };
  if (!data.interaction) return body;
  return JSON.stringify({ ...rest, data: { ...data, interaction: { ...data.interaction, callback_url: null } } });
}

/** The owner's delivery with this id. @throws Problem `not_found` */
export async function findDelivery({ store }: Services, owner: Owner, id: string): Promise<LoadedDelivery> {
  const found = await store.deliveries.get(owner, id);
  if (!found) throw new Problem("not_found", `There is no delivery ${id}.`);
  return found;
}

/** @throws Problem `not_found` */
export const getDelivery = async (
  services: Services,
  { owner, id, viewer }: { owner: Owner; id: string; viewer: Viewer },
): Promise<PresentedDelivery> => presentDelivery(services, await findDelivery(services, owner, id), viewer);

/** Deliveries that are read at once: each with its run, its question and its attempts. */
const BATCH = 20;

/** The deliveries of an endpoint, newest first; a page ends early instead of exceeding `PAGE_BYTES`. @throws Problem `not_found` */
export async function listDeliveries(
  services: Services,
  request: PageRequest & {
    endpoint: string;
    filter: { status?: DeliveryStatus; run_id?: string };
    viewer: Viewer;
  },
): Promise<Page<PresentedDelivery>> {
  const { owner, endpoint, filter, limit, viewer } = request;
  await findEndpoint(services, owner, endpoint);
  const rows: PresentedDelivery[] = [];
  let bytes = 0;
  for (let { after } = request; ;) {
    const size = Math.min(BATCH, limit - rows.length);
    const batch = await services.store.deliveries.list(endpoint, filter, size, after);
    for (const delivery of await presentDeliveries(services, batch.rows, viewer)) {
      bytes += Buffer.byteLength(JSON.stringify(delivery));
      if (bytes > PAGE_BYTES && rows.length > 0) return { rows, next: rows.at(-1)!.id };
      rows.push(delivery);
    }
    if (batch.next === null || rows.length === limit) return { rows, next: batch.next };
    after = batch.next;
  }
}

/**
 * Sends a delivery again, whatever its status: the same id and body, a new signature, and all retries available again.
 * @throws Problem `not_found`, `webhook_endpoint_disabled`, `rate_limited`
 */
export async function redeliver(
  services: Services,
  { owner, id }: { owner: Owner; id: string },
  completion?: RequestCompletion,
): Promise<PresentedDelivery> {
  const { delivery } = await findDelivery(services, owner, id);
  const endpoint = await findEndpoint(services, owner, delivery.endpoint_id);
  if (endpoint.delivery === "push") await assertMaySend(services, endpoint);
  await services.platform.armMaintenance();
  const write = async () =>
    (await services.store.deliveries.redeliver(owner, { id, kept_for: RETRY_WINDOW_MS }, completion)) || null;
  const { run_id } = delivery;
  const isDue = run_id === null ? await write() : await withRestoredRun(services, owner, run_id, write);
  if (!isDue) throw notEnabled(delivery.endpoint_id);
  if (endpoint.delivery === "push") await wakeSender(services, endpoint.id);
  return withRetry(() => getDelivery(services, { owner, id, viewer: { may_answer: true } }));
}
