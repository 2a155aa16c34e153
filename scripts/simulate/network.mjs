import { responseTo } from "../chaos/faulty-receiver.mjs";

/** Addresses of a world. Ports tell its servers apart. */
export const URLS = {
  worker: "http://127.0.0.1:8787",
  model: "http://127.0.0.1:9001/v1",
  hooks: "http://127.0.0.1:9002",
};

const refused = () =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }) });
const reset = () =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });

/**
 * One request under way. `close` ends it without an answer, and is called when either of its ends dies or the caller gives up.
 * @typedef {{caller: Life | null, server: Life | null, close: (error: Error) => void}} Connection
 * @typedef {import("../../src/node/host.ts").Life} Life
 */

/** The network of a world: between clients and the Worker, and from the Worker to the model and the receiver of webhooks. */
export class Network {
  /** @type {Set<Connection>} */
  #open = new Set();

  /** @param {import("./world.mjs").World} world */
  constructor(world) {
    this.world = world;
  }

  /** Ends the connections of lives that have ended. */
  cut() {
    for (const { caller, server, close } of this.#open) if (caller?.hasEnded || server?.hasEnded) close(reset());
  }

  /** Replaces `fetch` in the whole world. @returns {Promise<Response>} */
  async fetch(input, init = {}) {
    const { scheduler } = this.world;
    const caller = scheduler.current;
    const request = await read(input, init);
    const server = { 8787: this.#worker, 9001: this.#model, 9002: this.#hooks }[new URL(request.url).port];
    if (!server) throw refused();
    return new Promise((resolve, reject) => {
      const end = (settle) => {
        this.#open.delete(connection);
        request.signal?.removeEventListener("abort", giveUp);
        settle();
      };
      const answer = (settle) => {
        if (this.#open.has(connection))
          scheduler.at(
            scheduler.time + this.#latency(),
            caller,
            () => this.#open.has(connection) && end(settle),
            `answer to ${what}`,
          );
      };
      /** @type {Connection & {onClose: () => void, respond: (response: () => Response) => void, fail: (error: Error) => void}} */
      const connection = {
        caller,
        server: null,
        onClose: () => {},
        close(error) {
          connection.onClose();
          scheduler.at(scheduler.time, caller, () => reject(error), `cut ${what}`);
          end(() => {});
        },
        respond: (response) => answer(() => resolve(response())),
        fail: (error) => answer(() => reject(error)),
      };
      const giveUp = () => {
        if (!this.#open.has(connection)) return;
        connection.onClose();
        end(() => reject(request.signal?.reason));
      };
      const what = `${request.method} ${request.url.slice(0, 120)}`;
      this.#open.add(connection);
      if (request.signal?.aborted) return giveUp();
      request.signal?.addEventListener("abort", giveUp);
      const arrive = () => this.#open.has(connection) && server.call(this, request, connection);
      scheduler.at(scheduler.time + this.#latency(), null, arrive, what);
    });
  }

  #latency() {
    return this.world.network_chance.between(0.1, 3);
  }

  #worker(request, connection) {
    const { process } = this.world;
    if (!process) return connection.fail(refused());
    const life = process.begin(`${request.method} ${new URL(request.url).pathname}`);
    connection.server = life;
    this.world.scheduler.current = life;
    process.handle(request, life).then(
      ({ status, headers, body }) => connection.respond(() => new Response(body, { status, headers })),
      () => connection.fail(reset()),
    );
  }

  #model({ headers, body }, connection) {
    const { scheduler, model } = this.world;
    const [run, act] = ["x-parley-run", "x-parley-act"].map((name) => String(headers.get(name)));
    const { call, latency, response } = model.take({ run, act, body: JSON.parse(body) });
    connection.onClose = () => void (call.ended_at = Math.min(call.ended_at, Date.now()));
    if (!response) return;
    const send = () => {
      Object.assign(call, { ended_at: Date.now(), delivered: true });
      connection.respond(() => new Response(response.body, response));
    };
    scheduler.at(
      scheduler.time + latency,
      null,
      () => this.#open.has(connection) && send(),
      `the model answers ${act}`,
    );
  }

  #hooks({ url, headers, body }, connection) {
    const { receiver } = this.world;
    const webhook = receiver.take({ path: new URL(url).pathname, headers: Object.fromEntries(headers), body });
    const end = () => void (webhook.ended_at = Math.min(webhook.ended_at, Date.now()));
    connection.onClose = end;
    if (webhook.outcome === "silent") return;
    end();
    if (webhook.outcome === "reset") return connection.fail(reset());
    const { status, headers: given, body: text } = responseTo(webhook);
    connection.respond(() => new Response(webhook.outcome === "cut" ? cutBody() : text, { status, headers: given }));
  }
}

const cutBody = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("no"));
      controller.error(new TypeError("terminated"));
    },
  });

/** A request with its body as text. */
async function read(input, init) {
  if (!(input instanceof Request) && (init.body === undefined || init.body === null || typeof init.body === "string"))
    return {
      url: String(input),
      method: init.method ?? "GET",
      headers: new Headers(init.headers),
      body: init.body ?? "",
      signal: init.signal,
    };
  const { signal = input.signal, ...rest } = init;
  const request = new Request(input, { ...rest, ...(rest.body && { duplex: "half" }) });
  const { url, method, headers } = request;
  return { url, method, headers, body: await request.text(), signal };
}
