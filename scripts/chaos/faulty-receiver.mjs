import { chooseFault } from "./roll.mjs";

/**
 * Faults of half of all webhooks, with their shares: refused with 500; `reset` before the response; `cut` in the middle of the response;
 * `silent` without a response.
 * @type {[name: string, share: number][]}
 */
const FAULTS = [
  ["refused", 0.3],
  ["reset", 0.1],
  ["cut", 0.06],
  ["silent", 0.04],
];

/**
 * One received webhook.
 * @typedef {object} Received
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string} body
 * @property {number} at
 * @property {number} ended_at Infinity while it is not answered
 * @property {string} outcome `taken`, or the name of its fault
 */

/** A receiver of webhooks that fails half the time, until it recovers. */
export class FaultyReceiver {
  /** @type {Received[]} */
  received = [];
  #counts = new Map();
  #recovered = false;

  /** @param {{seed: string}} options */
  constructor({ seed }) {
    this.seed = seed;
  }

  /** Ends all faults: every later webhook is taken. */
  recover() {
    this.#recovered = true;
  }

  /**
   * Takes a webhook, and decides the answer to it. The caller sets `ended_at` when the answer has been sent.
   * @param {{path: string, headers: Record<string, string>, body: string}} request
   * @returns {Received}
   */
  take({ path, headers, body }) {
    const count = (this.#counts.get(path) ?? 0) + 1;
    this.#counts.set(path, count);
    const outcome = this.#recovered ? "taken" : chooseFault(FAULTS, "taken", this.seed, "webhook", path, count);
    const webhook = { path, headers, body, at: Date.now(), ended_at: Infinity, outcome };
    this.received.push(webhook);
    return webhook;
  }
}

/** The response to a webhook that is neither `silent` nor `reset`; `cut` breaks off within its body. */
export const responseTo = ({ outcome }) => ({
  status: outcome === "taken" ? 200 : 500,
  headers: { "content-type": "text/plain", "content-length": "6" },
  body: outcome === "taken" ? "thanks" : "broken",
});
