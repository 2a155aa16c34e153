import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Json } from "../../scripts/lib/json.ts";
import type { Client, Outages } from "../lib/client.ts";
import type { Received } from "./faulty-receiver.ts";
import { clock } from "./laws.ts";

/** An attempt that is due within this time is waited for; a later one is replaced by a redelivery. Milliseconds. */
const SOON = 8000;
/** Enough for an attempt to a silent receiver (15 s) and its retry. Milliseconds. */
const DRAIN_TIMEOUT_MS = 120_000;
/** An attempt that ends so long before storage is away may still be unrecorded. Milliseconds. */
const BEFORE_OUTAGE = 5000;

/** A webhook endpoint with the events that it must receive. */
export interface Listener {
  id: string;
  /** at the receiver */
  path: string;
  secret: string;
  events: { id: string; type: string; run_id: string }[];
}

/**
 * Waits until no delivery is pending. The receiver has no faults by now: attempts that the schedule would make in minutes or hours are
 * requested by redelivery, as an integrator would.
 * @param every how often the lists are read, in milliseconds
 */
export async function drain(
  api: Client,
  listeners: Listener[],
  every = 1000,
): Promise<{ redelivered: number; late: string[] }> {
  const redelivered = new Set<string>();
  let open = listeners;
  for (const end = Date.now() + DRAIN_TIMEOUT_MS; ; await sleep(every)) {
    const pending = await Promise.all(
      open.map(async (listener) => {
        const deliveries = await api.all(`/v1/webhook-endpoints/${listener.id}/deliveries?status=pending`);
        const distant = deliveries.filter(
          (delivery) => Date.parse(delivery.next_attempt_at) > Date.now() + SOON && !redelivered.has(delivery.id),
        );
        for (const { id } of distant) {
          redelivered.add(id);
          await api.send("POST", `/v1/deliveries/${id}/redeliver`);
        }
        return deliveries;
      }),
    );
    open = open.filter((_, index) => pending[index]?.length);
    if (open.length === 0) return { redelivered: redelivered.size, late: [] };
    if (Date.now() > end)
      return {
        redelivered: redelivered.size,
        late: pending.flat().map(({ id, type }) => `${type} ${id} is still pending`),
      };
  }
}

/**
 * Checks that every event of an endpoint is in its log once and delivered, under its own id and with a valid signature, and that the log
 * lists the attempts that the receiver saw, except those that a kill cut off.
 * @param log deliveries of the endpoint
 * @param received at its path
 * @returns violations
 */
export function judgeDeliveries(
  { path, secret, events }: Listener,
  log: Json[],
  received: Received[],
  outages: Pick<Outages, "overlap" | "storageAway" | "recorded_within">,
): string[] {
  const violations: string[] = [];
  const webhook = new Webhook(secret);
  const byEvent = Map.groupBy(received, ({ headers }) => headers["webhook-id"] ?? "");
  for (const { id, type } of events) {
    const deliveries = log.filter((delivery) => delivery.event_id === id);
    const seen = byEvent.get(id) ?? [];
    const report = (violation: string) => violations.push(`${path}: ${type} ${id} ${violation}`);
    if (deliveries.length !== 1) report(`is ${deliveries.length} times in the log`);
    if (!seen.some(({ outcome }) => outcome === "taken")) report(`was never taken; it arrived ${seen.length} times`);
    const bodies = [...new Set(seen.map(({ body }) => body))];
    if (bodies.length > 1) report(`arrived with different bodies: ${differenceOf(bodies).join(" and ")}`);
    for (const { headers, body } of seen) {
      try {
        webhook.verify(body, headers);
      } catch (error) {
        // The library compares the timestamp with its own clock; the runs may have lasted longer than its tolerance.
        if (!/timestamp/i.test((error as Error).message)) report(`has a bad signature: ${(error as Error).message}`);
        else if (!isSigned(webhook, headers, body)) report("has a bad signature");
      }
      const content = JSON.parse(body);
      if (content.type !== type || content.data.event.id !== id)
        report(`has the body of ${content.type} ${content.data.event.id}`);
    }
    const [delivery] = deliveries;
    if (!delivery) continue;
    if (delivery.status !== "delivered") report(`is ${delivery.status}`);
    const complete = seen.filter(({ at, ended_at }) => isUndisturbed(at, Math.min(ended_at, Date.now()), outages));
    if (complete.length > delivery.attempts.length)
      report(
        `arrived ${complete.length} times (${complete.map(timesOf).join("; ")}), and the log lists ${delivery.attempts.length} attempts`,
      );
    if (delivery.attempts.some(({ request }: Json) => request && request.headers["webhook-id"] !== id))
      report("was listed under another id");
    const cut = seen.some(({ at, ended_at }) => outages.overlap(at, Math.min(ended_at, Date.now()) + 1000));
    if (!cut && !delivery.attempts.some(({ response }: Json) => response?.status === 200))
      report("is delivered without an attempt that was taken");
  }
  const known = new Set(events.map(({ id }) => id));
  const unknown = [...byEvent.keys()].filter((id) => !known.has(id));
  if (unknown.length) violations.push(`${path}: webhooks arrived for unknown events: ${unknown}`);
  return violations;
}

/** The parts of two texts from their first difference on. */
function differenceOf([one = "", other = ""]: string[]) {
  let at = 0;
  while (one[at] === other[at]) at++;
  return [one, other].map((text) => text.slice(Math.max(0, at - 20), at + 40));
}

const timesOf = ({ at, ended_at, outcome }: Received) => `${outcome} ${clock(at)} to ${clock(ended_at)}`;

function isSigned(webhook: Webhook, headers: Record<string, string>, body: string) {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  return headers["webhook-signature"]?.split(" ").includes(webhook.sign(headers["webhook-id"] ?? "", at, body));
}

/** Whether the attempt could be recorded: neither was the server killed, nor was storage away. */
const isUndisturbed = (
  from: number,
  to: number,
  outages: Pick<Outages, "overlap" | "storageAway" | "recorded_within">,
) => !outages.overlap(from, to + outages.recorded_within) && !outages.storageAway(from, to + BEFORE_OUTAGE);
