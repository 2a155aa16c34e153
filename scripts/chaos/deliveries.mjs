import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";

/** An attempt that is due within this time is waited for; a later one is asked for. Milliseconds. */
const SOON = 8000;
/** A receiver that stays silent is given up on after 15 s; then comes the retry. Milliseconds. */
const SETTLED_WITHIN = 120_000;

/**
 * A webhook endpoint and what it should have been told.
 * @typedef {object} Listener
 * @property {string} id
 * @property {string} path of the receiver
 * @property {string} secret
 * @property {{id: string, type: string, run_id: string}[]} events
 */

/**
 * Waits until every delivery is settled. The receiver is well by now: what the schedule would try in minutes or hours is asked for by
 * redelivery, as an integrator would.
 * @param {import("./client.mjs").Client} api
 * @param {Listener[]} listeners
 * @returns {Promise<{redelivered: number, late: string[]}>}
 */
export async function settle(api, listeners) {
  const asked = new Set();
  let open = listeners;
  for (const end = Date.now() + SETTLED_WITHIN; ; await sleep(1000)) {
    const pending = await Promise.all(
      open.map(async (listener) => {
        const deliveries = await api.all(`/v1/webhook-endpoints/${listener.id}/deliveries?status=pending`);
        const far = deliveries.filter(
          (one) => Date.parse(one.next_attempt_at) > Date.now() + SOON && !asked.has(one.id),
        );
        for (const { id } of far) {
          asked.add(id);
          await api.send("POST", `/v1/deliveries/${id}/redeliver`);
        }
        return deliveries;
      }),
    );
    open = open.filter((_, at) => pending[at]?.length);
    if (open.length === 0) return { redelivered: asked.size, late: [] };
    if (Date.now() > end)
      return { redelivered: asked.size, late: pending.flat().map(({ id, type }) => `${type} ${id} is still pending`) };
  }
}

/**
 * Every event that an endpoint asked for is in its log once and delivered, under its own id, with a good signature; and what the
 * receiver saw is what the log lists, but for attempts that a kill cut.
 * @param {Listener} listener
 * @param {any[]} log deliveries of the endpoint
 * @param {import("./receiver.mjs").Received[]} received at its path
 * @param {import("./client.mjs").Outages} outages
 * @returns {string[]} what is wrong
 */
export function judgeDeliveries({ path, secret, events }, log, received, outages) {
  const wrong = [];
  const webhook = new Webhook(secret);
  const byEvent = Map.groupBy(received, ({ headers }) => headers["webhook-id"]);
  for (const { id, type } of events) {
    const deliveries = log.filter((one) => one.event_id === id);
    const seen = byEvent.get(id) ?? [];
    const say = (what) => wrong.push(`${path}: ${type} ${id} ${what}`);
    if (deliveries.length !== 1) say(`is ${deliveries.length} times in the log`);
    if (!seen.some(({ outcome }) => outcome === "taken")) say(`was taken by nobody; it came ${seen.length} times`);
    if (new Set(seen.map(({ body }) => body)).size > 1) say("came with different bodies");
    for (const { headers, body } of seen) {
      try {
        webhook.verify(body, headers);
      } catch (error) {
        // A library checks against its own clock; the storm may have lasted longer than its tolerance.
        if (!/timestamp/i.test(error.message)) say(`has a bad signature: ${error.message}`);
        else if (!signed(webhook, headers, body)) say("has a bad signature");
      }
      const told = JSON.parse(body);
      if (told.type !== type || told.data.event.id !== id) say(`tells of ${told.type} ${told.data.event.id}`);
    }
    const [delivery] = deliveries;
    if (!delivery) continue;
    if (delivery.status !== "delivered") say(`is ${delivery.status}`);
    const whole = seen.filter(({ at, ended_at }) => !outages.touch(at, Math.min(ended_at, Date.now()) + 1000));
    if (whole.length > delivery.attempts.length)
      say(`came ${whole.length} times, and the log lists ${delivery.attempts.length}`);
    if (delivery.attempts.some(({ request }) => request && request.headers["webhook-id"] !== id))
      say("was listed under another id");
    if (!delivery.attempts.some(({ response }) => response?.status === 200))
      say("is delivered without an attempt that was taken");
  }
  const known = new Set(events.map(({ id }) => id));
  const strange = [...byEvent.keys()].filter((id) => !known.has(id));
  if (strange.length) wrong.push(`${path}: webhooks came of what is no event of its runs: ${strange}`);
  return wrong;
}

function signed(webhook, headers, body) {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  return headers["webhook-signature"].split(" ").includes(webhook.sign(headers["webhook-id"], at, body));
}
