import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Json } from "../lib/json.ts";
import { serveLocally } from "../lib/serve-locally.ts";

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Receives signed webhooks on this machine, as an integrator's server does.
 * @param secret `whsec_…`
 */
export async function startReceiver(secret: string) {
  const webhook = new Webhook(secret);
  /** Verified bodies by event id, so that a repeated delivery changes nothing. */
  const received = new Map<string, Json>();
  let lastError = "";

  const { url, close } = await serveLocally(async (request, response) => {
    try {
      const body = webhook.verify(await text(request), request.headers as Record<string, string>) as Json;
      received.set(body.data.event.id, body);
      response.writeHead(204).end();
    } catch (error) {
      lastError = (error as Error).message;
      response.writeHead(400).end();
    }
  });

  return {
    url: `${url}/webhooks`,
    close,

    /**
     * Waits for the webhook of an event, whose signature is verified.
     * @param event id
     * @param options `within` milliseconds
     */
    async webhookOf(event: string, { signal, within = 30_000 }: { signal?: AbortSignal; within?: number } = {}) {
      for (const end = Date.now() + within; Date.now() < end; await sleep(20, undefined, { signal })) {
        if (received.has(event)) return received.get(event);
      }
      const why = lastError && ` Another webhook was refused: ${lastError}.`;
      throw new Error(`The webhook of ${event} did not arrive within ${within / 1000} s.${why}`);
    },
  };
}
