import { withRetry } from "#core/retry";
import type { DeliveryRow, EndpointRow } from "#store/rows";
import type { DeliveryUpdate, LoadedDelivery } from "#store/deliveries";
import type { Services } from "../../services";
import { processMetrics } from "../../telemetry/metrics";
import { countDelivery } from "../destination-rate";
import { attempt, type AttemptOutcome } from "./attempt";
import { failUnacknowledged } from "./fail-unacknowledged";
import { requestOf } from "./request";
import { nextAttemptAt } from "./schedule";

type DeliveryServices = Pick<Services, "store" | "platform" | "secrets" | "settings">;

/**
 * Outcomes of attempts that D1 did not take, by delivery and number of the attempt: they are recorded before the receiver is called again.
 * While writes are held for a backup, deliveries can be read and outcomes not recorded.
 */
export type Unrecorded = Map<string, AttemptOutcome>;

/** Deliveries read from D1 at once, and how many of them are sent concurrently. */
const BATCH = 20;
const CONCURRENCY = 5;

/**
 * Attempts the due deliveries of an endpoint, by event id. Order is not guaranteed: several are sent concurrently, and a failed one is
 * repeated later. Those of an endpoint that is gone are deleted. While the host takes no more webhooks, all that are due wait.
 * @returns when the next one is due, in milliseconds since the epoch; null when none is pending
 */
export async function deliverDue(
  services: DeliveryServices,
  endpoint_id: string,
  unrecorded: Unrecorded,
): Promise<number | null> {
  const { endpoints, deliveries } = services.store;
  const endpoint = await endpoints.get(endpoint_id);
  if (!endpoint) await endpoints.removeStrays(endpoint_id);
  if (endpoint?.status !== "enabled") return null;
  if (endpoint.delivery === "poll") return failUnacknowledged(services, endpoint);
  const due = (await deliveries.due(endpoint.id, Date.now(), BATCH)).values();
  const seen: { receiverGone: boolean; wait: number | null } = { receiverGone: false, wait: null };
  const worker = async () => {
    for (const delivery of due) {
      if (seen.receiverGone || seen.wait !== null) return;
      const wait = await countDelivery(services, endpoint);
      if (wait !== null) {
        seen.wait = wait;
        return;
      }
      const { disables, retry_after_ms } = await deliver(services, endpoint, delivery, unrecorded);
      seen.receiverGone ||= disables === "receiver_gone";
      if (retry_after_ms !== null) seen.wait = Math.max(seen.wait ?? 0, retry_after_ms);
    }
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  // Thrown only when nothing is in flight any more: the platform then repeats the alarm.
  for (const result of results) if (result.status === "rejected") throw result.reason;
  const { wait } = seen;
  if (wait !== null) await withRetry(() => deliveries.postponeDue(endpoint.id, Date.now() + wait));
  return deliveries.nextDue(endpoint.id);
}

async function deliver(
  services: DeliveryServices,
  endpoint: EndpointRow,
  loaded: LoadedDelivery,
  unrecorded: Unrecorded,
): Promise<DeliveryUpdate & Pick<AttemptOutcome, "retry_after_ms">> {
  const { store, settings } = services;
  const { delivery } = loaded;
  const compose = requestOf(services, endpoint, loaded);
  const name = `${delivery.id} ${delivery.attempts + 1}`;
  const made = unrecorded.get(name) ?? (await attempt(compose, settings.url_policy));
  unrecorded.set(name, made);
  const { request_headers, retry_after_ms, ...outcome } = made;
  const verdict = await stillValid(services, endpoint, deliveryUpdateOf(made, delivery));
  processMetrics()?.deliveryAttempt({ kind: endpoint.kind, outcome: verdict.status }, made.duration_ms);
  // The maintenance worker wakes the senders of the endpoints that are notified of the disabled one.
  if (verdict.disables) await withRetry(() => services.platform.armMaintenance());
  const row = { ...outcome, request_headers: request_headers && JSON.stringify(request_headers) };
  // Made and not recorded, the attempt would be missing in the log, and be made again.
  await withRetry(() => store.deliveries.recordAttempt(delivery, { attempt: delivery.attempts + 1, ...row }, verdict));
  unrecorded.delete(name);
  return { ...verdict, retry_after_ms };
}

/** A verdict against the endpoint, unless it has got another URL during the attempt: then the delivery goes there at once. */
async function stillValid(
  { store }: DeliveryServices,
  endpoint: EndpointRow,
  verdict: DeliveryUpdate,
): Promise<DeliveryUpdate> {
  if (!verdict.disables) return verdict;
  const now = await withRetry(() => store.endpoints.get(endpoint.id));
  const target = ({ kind, url, secret }: EndpointRow) => (kind === "slack" ? secret : url);
  return !now || target(now) === target(endpoint)
    ? verdict
    : { status: "pending", next_attempt_at: Date.now(), disables: null };
}

/** Any 2xx delivers; 410 ends all attempts; everything else is retried while retries are left, not before a 429 allows it. */
function deliveryUpdateOf(
  outcome: Pick<AttemptOutcome, "error" | "response_status" | "retry_after_ms">,
  delivery: DeliveryRow,
): DeliveryUpdate {
  if (outcome.error === null) return { status: "delivered", next_attempt_at: null, disables: null };
  if (outcome.response_status === 410) return { status: "failed", next_attempt_at: null, disables: "receiver_gone" };
  const next_attempt_at = nextAttemptAt(delivery.round_attempts + 1, Date.now());
  if (next_attempt_at === null) return { status: "failed", next_attempt_at, disables: "retries_failed" };
  const asked = Date.now() + (outcome.retry_after_ms ?? 0);
  return { status: "pending", next_attempt_at: Math.max(next_attempt_at, asked), disables: null };
}
