import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { promisify } from "node:util";
import { MAX_PROVIDER_RESPONSE, ResponseTooLargeError } from "#core/outbound/bounded-body";
import { brotliDecompress, unzip } from "node:zlib";

const BOUND = { maxOutputLength: MAX_PROVIDER_RESPONSE };
/** Encodings that a server may choose although it is asked for none. */
const DECODERS: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  gzip: (bytes) => promisify(unzip)(bytes, BOUND),
  deflate: (bytes) => promisify(unzip)(bytes, BOUND),
  br: (bytes) => promisify(brotliDecompress)(bytes, BOUND),
};

/** @throws ResponseTooLargeError */
async function decoded(bytes: Buffer, encoding: string): Promise<Buffer> {
  try {
    return (await DECODERS[encoding]?.(bytes)) ?? bytes;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE"
      ? new ResponseTooLargeError({ cause: error })
      : error;
  }
}

const EMPTY = new Set([204, 205, 304]);

/** Requests that this file makes: those of a client that posts text to a URL, as the client of model providers does. */
function isText(input: unknown, init: RequestInit | undefined): input is string {
  if (typeof input !== "string" || !/^https?:/.test(input) || !init) return false;
  return (
    init.method === "POST" &&
    typeof init.body === "string" &&
    init.redirect === "manual" &&
    init.headers instanceof Headers
  );
}

/**
 * A `fetch` that posts text with `node:http`, which takes half of the CPU of Node's own `fetch`, and passes every other request on to it. It
 * resolves when the whole answer has arrived, of `MAX_PROVIDER_RESPONSE` bytes at most, so that the signal, and with it the time limit of a model call, holds for all of it. Node's own
 * gives up after five minutes.
 */
export function fetchText(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    return isText(input, init) ? post(input, init!) : fetch(input, init);
  };
}

/** @throws like `fetch` */
async function post(url: string, { headers, body, signal }: RequestInit): Promise<Response> {
  try {
    const answer = await send(url, headers as Headers, body as string, signal ?? undefined);
    const status = answer.statusCode!;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.byteLength;
      if (size > MAX_PROVIDER_RESPONSE) throw new ResponseTooLargeError();
      chunks.push(chunk);
    }
    const fields = new Headers();
    for (let at = 0; at < answer.rawHeaders.length; at += 2)
      fields.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
    const bytes = await decoded(Buffer.concat(chunks), fields.get("content-encoding")?.toLowerCase() ?? "");
    return new Response(EMPTY.has(status) ? null : bytes, {
      status,
      statusText: answer.statusMessage,
      headers: fields,
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new TypeError("fetch failed", { cause: error });
  }
}

/** Resolves when the headers have arrived. Connections are kept for the next request, and closed after five idle seconds. */
function send(url: string, headers: Headers, body: string, signal?: AbortSignal): Promise<IncomingMessage> {
  const request = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const fields = { "accept-encoding": "identity", ...Object.fromEntries(headers) };
    request(url, { method: "POST", headers: fields, signal }, resolve).once("error", reject).end(Buffer.from(body)); // as a string, Node would encode it together with the headers, which takes longer
  });
}
