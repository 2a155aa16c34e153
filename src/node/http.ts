import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "#core/errors";

/** Headers that the proxy in front of this server adds to a request, if there is one. */
export interface RequestOptions {
  /** The address and the scheme of the client are those that the nearest proxy names. */
  behind_proxy: boolean;
  /** Aborted when the answer has been sent, or the client has disconnected. */
  signal: AbortSignal;
}

/**
 * A request as the Worker takes it. `CF-Connecting-IP` is the client's address.
 * @throws TypeError when the request's URL or header fields cannot be read, or Host is not a name and a port
 */
export function requestOf(incoming: IncomingMessage, { behind_proxy, signal }: RequestOptions): Request {
  const { method = "GET", rawHeaders, socket, headers: given } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  const forwarded = (name: string) => (behind_proxy ? lastOf(given[name]) : undefined);
  const client = forwarded("x-forwarded-for");
  headers.set("CF-Connecting-IP", (client && withoutPort(client)) ?? socket.remoteAddress ?? "");
  const { host = "localhost" } = given;
  if (!HOST.test(host)) throw new TypeError("Host is not a name and a port.");
  if (!incoming.url?.startsWith("/")) throw new TypeError("The target is not a path.");
  const scheme = forwarded("x-forwarded-proto") === "https" ? "https" : "http";
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`${scheme}://${host}${incoming.url}`, {
    method,
    headers,
    signal,
    ...(hasBody && { body: bodyOf(incoming, signal), duplex: "half" }),
  } as RequestInit);
}

/** Anything else, such as a slash, would become another part of the URL. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** Some proxies add the port of the client to its address; IPv6 addresses with one are in brackets. */
const withoutPort = (address: string) =>
  /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([^:]+):\d+$/, "$1");

/** The body as it is read. What nobody reads is read and dropped once the request is answered, because others follow on its connection. */
function bodyOf(incoming: IncomingMessage, answered: AbortSignal): ReadableStream<Uint8Array> {
  const chunks = incoming.iterator({ destroyOnReturn: false });
  const drop = async () => {
    await chunks.return?.();
    incoming.resume();
  };
  answered.addEventListener("abort", () => void drop());
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await chunks.next().catch(() => {
        throw new Problem("malformed_json", "The client disconnected before the body was complete.");
      });
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array);
    },
    cancel: drop,
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** The entry that the nearest proxy has added. */
const lastOf = (field: string | string[] | undefined) => [field].flat().join().split(",").at(-1)?.trim() || undefined;

/** Sends a response, its body as it comes. A client that disconnects, or has before, ends the body. */
export async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, [...response.headers].flat());
  if (!response.body) return void outgoing.end();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const gone = new AbortController();
  gone.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
  if (outgoing.closed) return gone.abort();
  outgoing.once("close", () => gone.abort());
  outgoing.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.closed) break;
    if (!outgoing.write(value)) await once(outgoing, "drain", gone).catch(() => {}); // aborted: the next read is the last
  }
  outgoing.end();
}
