import { chooseFault } from "./roll.ts";

/**
 * Faults of half of all webhooks, with their shares: refused with 500; `reset` before the response; `cut` in the middle of the response;
 * `silent` without a response.
 */
const FAULTS: [name: string, share: number][] = [
  ["refused", 0.3],
  ["reset", 0.1],
  ["cut", 0.06],
  ["silent", 0.04],
];

/** One received webhook. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
  /** Infinity while it is not answered */
  ended_at: number;
  /** `taken`, or the name of its fault */
  outcome: string;
}

/** A receiver of webhooks that fails half the time, until it recovers. */
export class FaultyReceiver {
  received: Received[] = [];
  #counts = new Map<string, number>();
  #recovered = false;
  readonly seed: string;

  constructor({ seed }: { seed: string }) {
    this.seed = seed;
  }

  /** Ends all faults: every later webhook is taken. */
  recover() {
    this.#recovered = true;
  }

  /** Takes a webhook, and decides the answer to it. The caller sets `ended_at` when the answer has been sent. */
  take({ path, headers, body }: { path: string; headers: Record<string, string>; body: string }): Received {
    const count = (this.#counts.get(path) ?? 0) + 1;
    this.#counts.set(path, count);
    const outcome = this.#recovered ? "taken" : chooseFault(FAULTS, "taken", this.seed, "webhook", path, count);
    const webhook = { path, headers, body, at: Date.now(), ended_at: Infinity, outcome };
    this.received.push(webhook);
    return webhook;
  }
}

/** The response to a webhook that is neither `silent` nor `reset`; `cut` breaks off within its body. */
export const responseTo = ({ outcome }: Pick<Received, "outcome">) => ({
  status: outcome === "taken" ? 200 : 500,
  headers: { "content-type": "text/plain", "content-length": "6" },
  body: outcome === "taken" ? "thanks" : "broken",
});
