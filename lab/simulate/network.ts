import type { Input } from "./globals.ts";
import type { Life } from "../../src/node/host.ts";
import type { World } from "./world.ts";
import { responseTo } from "../chaos/faulty-receiver.ts";

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

/** One request under way. */
export interface Connection {
  caller: Life | null;
  server: Life | null;
  /** ends it without an answer: when either of its ends dies, or the caller gives up */
  close: (error: Error) => void;
  onClose: () => void;
  respond: (response: () => Response) => void;
  fail: (error: Error) => void;
}

type TextRequest = Awaited<ReturnType<typeof read>>;
type Server = (this: Network, request: TextRequest, connection: Connection) => void;

/** The network of a world: between clients and the Worker, and from the Worker to the model and the receiver of webhooks. */
export class Network {
  #open: Set<Connection> = new Set();
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  /** Ends the connections of lives that have ended. */
  cut() {
    for (const { caller, server, close } of this.#open) if (caller?.hasEnded || server?.hasEnded) close(reset());
  }

  /** Replaces `fetch` in the whole world. */
  async fetch(input: Input, init: RequestInit = {}): Promise<Response> {
    const { scheduler } = this.world;
    const caller = scheduler.current;
    const request = await read(input, init);
    const servers: Record<string, Server> = { 8787: this.#worker, 9001: this.#model, 9002: this.#hooks };
    const server = servers[new URL(request.url).port];
    if (!server) throw refused();
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        this.#open.delete(connection);
        request.signal?.removeEventListener("abort", giveUp);
        settle();
      };
      const answer = (settle: () => void) => {
        if (this.#open.has(connection))
          scheduler.at(
            scheduler.time + this.#latency(),
            caller,
            () => void (this.#open.has(connection) && end(settle)),
            `answer to ${what}`,
          );
      };
      const connection: Connection = {
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
      const arrive = () => void (this.#open.has(connection) && server.call(this, request, connection));
      scheduler.at(scheduler.time + this.#latency(), null, arrive, what);
    });
  }

  #latency() {
    return this.world.network_chance.between(0.1, 3);
  }

  #worker(request: TextRequest, connection: Connection) {
    const { process } = this.world;
    if (!process) return connection.fail(refused());
    const life = process.begin(`${request.method} ${new URL(request.url).pathname}`);
    connection.server = life;
    this.world.scheduler.current = life;
    process.handle(request).then(
      ({ status, headers, body }) => connection.respond(() => new Response(body, { status, headers })),
      () => connection.fail(reset()),
    );
  }

  #model({ method, headers, body }: TextRequest, connection: Connection) {
    const { scheduler, model } = this.world;
    // The list of its models, which the maintenance worker reads.
    if (method === "GET") return connection.respond(() => Response.json({ object: "list", data: [] }));
    const header = (name: string) => String(headers.get(name));
    const [run, step] = [header("x-parley-run"), header("x-parley-step")];
    const { call, latency, response } = model.take({ run, step, body: JSON.parse(body) });
    connection.onClose = () => void (call.ended_at = Math.min(call.ended_at, Date.now()));
    if (!response) return;
    const send = () => {
      Object.assign(call, { ended_at: Date.now(), delivered: true });
      connection.respond(() => new Response(response.body, response));
    };
    scheduler.at(
      scheduler.time + latency,
      null,
      () => void (this.#open.has(connection) && send()),
      `the model answers ${step}`,
    );
  }

  #hooks({ url, headers, body }: TextRequest, connection: Connection) {
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
async function read(input: Input, init: RequestInit) {
  if (!(input instanceof Request) && (init.body === undefined || init.body === null || typeof init.body === "string"))
    return {
      url: String(input),
      method: init.method ?? "GET",
      headers: new Headers(init.headers),
      body: init.body ?? "",
      signal: init.signal ?? undefined,
    };
  const { signal = input instanceof Request ? input.signal : undefined, ...rest } = init;
  const request = new Request(input, { ...rest, ...(rest.body && { duplex: "half" }) });
  const { url, method, headers } = request;
  return { url, method, headers, body: await request.text(), signal: signal ?? undefined };
}
