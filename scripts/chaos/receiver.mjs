import { createServer } from "node:http";
import { text } from "node:stream/consumers";
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

/**
 * A receiver of webhooks that fails half the time, until it recovers.
 * @param {{seed: string}} options
 */
export async function startFaultyReceiver({ seed }) {
  /** @type {Received[]} */
  const received = [];
  const counts = new Map();
  let recovered = false;

  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    const body = await text(request).catch(() => null);
    if (body === null) return; // a kill cut the request off
    const outcome = recovered ? "taken" : chooseFault(FAULTS, "taken", seed, "webhook", path, count);
    const headers = /** @type {Record<string, string>} */ (request.headers);
    const webhook = { path, headers, body, at: Date.now(), ended_at: Infinity, outcome };
    received.push(webhook);
    response.once("close", () => (webhook.ended_at = Date.now()));
    if (outcome === "silent") return;
    if (outcome === "reset") return void request.socket.destroy();
    response.writeHead(outcome === "taken" ? 200 : 500, { "content-type": "text/plain", "content-length": 6 });
    if (outcome === "cut") return void response.write("no", () => request.socket.destroy());
    response.end(outcome === "taken" ? "thanks" : "broken");
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

  return {
    url: `http://127.0.0.1:${port}`,
    received,
    /** Ends all faults: every later webhook is taken. */
    recover: () => (recovered = true),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
