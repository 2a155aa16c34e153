import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";

/**
 * Receives signed webhooks on this machine, as an integrator's server does.
 * @param {string} secret `whsec_…`
 */
export async function startReceiver(secret) {
  const webhook = new Webhook(secret);
  /** Verified bodies by event id, so that a repeated delivery changes nothing. @type {Map<string, any>} */
  const received = new Map();
  let lastError = "";

  const server = createServer(async (request, response) => {
    try {
      const body = /** @type {any} */ (
        webhook.verify(await text(request), /** @type {Record<string, string>} */ (request.headers))
      );
      received.set(body.data.event.id, body);
      response.writeHead(204).end();
    } catch (error) {
      lastError = error.message;
      response.writeHead(400).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

  return {
    url: `http://127.0.0.1:${port}/webhooks`,

    /**
     * Waits for the webhook of an event, whose signature is verified.
     * @param {string} event id
     * @param {{signal?: AbortSignal, within?: number}} [options] `within` milliseconds
     */
    async webhookOf(event, { signal, within = 30_000 } = {}) {
      for (const end = Date.now() + within; Date.now() < end; await sleep(20, undefined, { signal })) {
        if (received.has(event)) return received.get(event);
      }
      const why = lastError && ` Another webhook was refused: ${lastError}.`;
      throw new Error(`The webhook of ${event} did not arrive within ${within / 1000} s.${why}`);
    },

    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
