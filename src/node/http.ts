import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** What the proxy before this server adds to a request, if the server stands behind one. */
export interface RequestOptions {
  /** The address and the scheme of the client are those that the nearest proxy names. */
  behind_proxy: boolean;
  /** Aborted when the client has disconnected, or when the server stops. */
  signal: AbortSignal;
}

/**
 * A request as the Worker takes it. `CF-Connecting-IP` is the client's address.
 * @throws TypeError when the request's URL or header fields cannot be read
 */
export function requestOf(incoming: IncomingMessage, { behind_proxy, signal }: RequestOptions): Request {
  const { method = "GET", rawHeaders, socket, headers: given } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  const forwarded = (name: string) => (behind_proxy ? lastOf(given[name]) : undefined);
  headers.set("CF-Connecting-IP", forwarded("x-forwarded-for") ?? socket.remoteAddress ?? "");
  const scheme = forwarded("x-forwarded-proto") === "https" ? "https" : "http";
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`${scheme}://${given.host ?? "localhost"}${incoming.url}`, {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as unknown as ReadableStream, duplex: "half" }),
  } as RequestInit);
}

/** The entry that the nearest proxy has added. */
const lastOf = (field: string | string[] | undefined) => [field].flat().join().split(",").at(-1)?.trim() || undefined;

/** Sends a response, its body as it comes. A client that disconnects ends the body. */
export async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, [...response.headers].flat());
  if (!response.body) return void outgoing.end();
  outgoing.flushHeaders();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  outgoing.once("close", () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.closed) break;
    if (!outgoing.write(value)) await Promise.race([once(outgoing, "drain"), once(outgoing, "close")]);
  }
  outgoing.end();
}
