import { json } from "node:stream/consumers";
import { serveLocally } from "../../scripts/lib/serve-locally.ts";
import { FaultyModel } from "./faulty-model.ts";

/**
 * Serves a faulty model as an OpenAI-compatible endpoint.
 * @param options milliseconds
 */
export async function startFaultyModel(options: { seed: string; latency?: { from: number; to: number } }) {
  const model = new FaultyModel(options);
  const { url, close } = await serveLocally(async (request, response) => {
    if (request.method === "GET") return void response.writeHead(404).end(); // it lists no models
    const body = (await json(request).catch(() => null)) as any;
    if (body === null) return; // a kill cut the request off
    const run = String(request.headers["x-parley-run"]);
    const step = String(request.headers["x-parley-step"]);
    const { call, latency, response: answer } = model.take({ run, step, body });
    response.once("close", () => Object.assign(call, { ended_at: Date.now(), delivered: response.writableFinished }));
    if (answer) setTimeout(() => response.writeHead(answer.status, answer.headers).end(answer.body), latency);
  });
  return { url: `${url}/v1`, model, close };
}
