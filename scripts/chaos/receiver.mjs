import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { roll } from "./roll.mjs";

/**
 * What befalls a webhook, half the time: shares of all of them. It can be refused; cut off before it was answered; answered and cut off
 * in the middle; or never answered.
 */
const FAULTS = [
  ["refused", 0.3],
  ["reset", 0.1],
  ["cut", 0.06],
  ["silent", 0.04],
];

/**
 * One webhook that came in.
 * @typedef {object} Received
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string} body
 * @property {number} at
 * @property {number} ended_at Infinity while it is not answered
 * @property {string} outcome `taken`, or its fault
 */

/**
 * A receiver of webhooks that fails half the time, until it recovers.
 * @param {{seed: string}} options
 */
export async function startFaultyReceiver({ seed }) {
  /** @type {Received[]} */
  const received = [];
  const counts = new Map();
  let well = false;

  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    const body = await text(request).catch(() => null);
    if (body === null) return; // cut off by a kill
    const outcome = well ? "taken" : fault(roll(seed, "webhook", path, count));
    const headers = /** @type {Record<string, string>} */ (request.headers);
    const seen = { path, headers, body, at: Date.now(), ended_at: Infinity, outcome };
    received.push(seen);
    response.once("close", () => (seen.ended_at = Date.now()));
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
    /** From now on everything is taken. */
    recover: () => (well = true),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function fault(rolled) {
  let left = rolled;
  for (const [name, share] of FAULTS) if ((left -= share) < 0) return name;
  return "taken";
}
