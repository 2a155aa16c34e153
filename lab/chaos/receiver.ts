import { text } from "node:stream/consumers";
import { serveLocally } from "../../scripts/lib/serve-locally.ts";
import { FaultyReceiver, responseTo } from "./faulty-receiver.ts";

/** Serves a faulty receiver of webhooks. */
export async function startFaultyReceiver({ seed }: { seed: string }) {
  const receiver = new FaultyReceiver({ seed });
  const { url, close } = await serveLocally(async (request, response) => {
    const body = await text(request).catch(() => null);
    if (body === null) return; // a kill cut the request off
    const headers = request.headers as Record<string, string>;
    const webhook = receiver.take({ path: request.url ?? "/", headers, body });
    response.once("close", () => (webhook.ended_at = Date.now()));
    if (webhook.outcome === "silent") return;
    if (webhook.outcome === "reset") return void request.socket.destroy();
    const answer = responseTo(webhook);
    response.writeHead(answer.status, answer.headers);
    if (webhook.outcome === "cut") return void response.write("no", () => request.socket.destroy());
    response.end(answer.body);
  });
  return { url, receiver, close };
}
