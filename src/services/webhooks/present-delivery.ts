import { toTime, toTimeOrNull } from "../fields/time";
import type { Viewer } from "../interactions/show-interaction";
import type { Services } from "../services";
import type { AttemptRow, DeliveryRow } from "#store/rows";
import type { LoadedDelivery } from "#store/deliveries";
import { bodyOf } from "./delivery/payload";
import type { PresentedAttempt, PresentedDelivery } from "./schema";

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
