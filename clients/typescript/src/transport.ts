import { ApiError, apiError, ConnectionError, TimeoutError } from "./errors.ts";

/** What one request may set differently from its client. */
export interface RequestOptions {
  /** Ends the request, its retries and its stream. */
  signal?: AbortSignal;
  /** How often a failed request is repeated. */
  maxRetries?: number;
  /** For one attempt, in milliseconds; of a stream, until it begins. */
  timeout?: number;
  /** Of a POST; by default a random one. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

export interface Transport {
  maxRetries: number;
  timeout: number;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Pauses between attempts, unless the answer names one. Milliseconds. */
const INITIAL_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8000;
/** A longer `Retry-After` is left to the caller, as an error. Seconds. */
const MAX_RETRY_AFTER_SECONDS = 120;
const WITHOUT_BODY = [204, 205, 304];

/**
 * A `fetch` that repeats what may be repeated: connection errors, 408, 409 `idempotency_key_in_flight`, 429 and 5xx. The attempts of a POST have the
 * same `Idempotency-Key`, so that they have one effect.
 * @param streams the body is handed on as it arrives; otherwise it is read whole, and a body that is cut off counts as a connection error
 * @throws ApiError, ConnectionError, or the reason of the signal
 */
export const retrying =
  (transport: Transport, streams: boolean) =>
  async (request: Request): Promise<Response> => {
    const { method, url, signal } = request;
    const headers = new Headers(request.headers);
    if (method === "POST" && !headers.has("Idempotency-Key")) headers.set("Idempotency-Key", crypto.randomUUID());
    const body = method === "GET" ? undefined : await request.arrayBuffer();
    let unanswered = false;
    for (let retries = 0; ; retries++) {
      try {
        return await attempt(
          transport,
          url,
          { method, headers, body: body?.byteLength ? body : undefined, signal },
          streams,
        );
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (method === "DELETE" && unanswered && error instanceof ApiError && error.status === 404)
          return new Response(null, { status: 204 }); // the attempt without an answer has deleted it
        unanswered ||= error instanceof ConnectionError;
        if (retries >= transport.maxRetries || !isTemporary(error)) throw error;
        await sleep(pauseAfter(error, retries), signal);
      }
    }
  };

type Init = RequestInit & { signal: AbortSignal };

async function attempt({ fetch, timeout }: Transport, url: string, init: Init, streams: boolean): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeout);
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.any([init.signal, late.signal]) });
    if (streams && response.ok) return response;
    const body = await response.arrayBuffer();
    const { status, headers } = response;
    if (!response.ok && status !== 304) throw apiError(status, headers, new TextDecoder().decode(body));
    return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, headers });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (late.signal.aborted)
      throw new TimeoutError(`${init.method} ${url} got no answer in ${timeout} ms.`, { cause: error });
    throw new ConnectionError(`${init.method} ${url} got no answer: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as { cause?: { message?: string; code?: string }; message?: string };
  return cause?.message || cause?.code || message || String(error);
};

function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError;
  const { status, code, retryAfter = 0 } = error;
  if (retryAfter > MAX_RETRY_AFTER_SECONDS) return false;
  return status === 408 || status === 429 || status >= 500 || code === "idempotency_key_in_flight";
}

function pauseAfter(error: unknown, retries: number): number {
  if (error instanceof ApiError && error.retryAfter !== undefined) return error.retryAfter * 1000;
  return backoff(retries);
}

/** Twice as long after each failure, with jitter. Milliseconds. */
export const backoff = (failures: number): number =>
  Math.min(INITIAL_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS) * (0.75 + Math.random() / 4);

/** @throws the reason of the signal, at once */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
