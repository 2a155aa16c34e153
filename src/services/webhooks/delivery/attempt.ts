import { withoutSecrets } from "#core/log";
import { refuseCall, type UrlPolicy } from "#core/outbound/url-policy";

/** An attempt fails when the receiver has not answered by then. Milliseconds. */
export const ATTEMPT_TIMEOUT = 15_000;

/** The start of a response is stored, for debugging failed deliveries. Bytes. */
const ANSWER_LIMIT = 1024;

/** The outcome of one attempt: a status, or the reason why there is none. */
export interface AttemptOutcome {
  started_at: number;
  duration_ms: number;
  /** URL and headers of the request; null when it could not be composed. */
  url: string | null;
  request_headers: Record<string, string> | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
}

export interface DeliveryRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Headers that are secrets of the receiver are not stored. */
const shownHeaders = ({ authorization, "x-a2a-notification-token": token, ...shown }: Record<string, string>) => ({
  ...shown,
  ...(authorization !== undefined && { authorization: HIDDEN }),
  ...(token !== undefined && { "x-a2a-notification-token": HIDDEN }),
});
const HIDDEN = "(not shown)";

/**
 * Posts once. Never throws: a failure is an outcome too.
 * @param compose builds the request of an attempt that starts at this time
 */
export async function attempt(
  compose: (at: Date) => DeliveryRequest,
  url_policy: UrlPolicy,
  timeout_ms = ATTEMPT_TIMEOUT,
): Promise<AttemptOutcome> {
  const started_at = Date.now();
  let request: DeliveryRequest | null = null;
  const outcome = (rest: Partial<AttemptOutcome>): AttemptOutcome => ({
    started_at,
    duration_ms: Date.now() - started_at,
    url: request?.url ?? null,
    request_headers: request && shownHeaders(request.headers),
    response_status: null,
    response_body: null,
    error: null,
    ...rest,
  });
  const signal = AbortSignal.timeout(timeout_ms);
  try {
    request = compose(new Date(started_at));
    const { url, ...init } = request;
    const refused = await refuseCall(url, url_policy, signal);
    if (refused) return outcome({ error: `The URL was not called. ${refused}` });
    const response = await fetch(url, { method: "POST", ...init, redirect: "manual", signal });
    // A receiver may send back what it got: callback URLs are not stored.
    const response_body = withoutSecrets(await firstKilobyte(response));
    return outcome({ response_status: response.status, response_body, error: statusError(response.status) });
  } catch (error) {
    return outcome({
      error: signal.aborted ? `No answer within ${timeout_ms / 1000} s.` : `Not delivered: ${(error as Error).message}`,
    });
  }
}

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `Answered ${status}; redirects are not followed.`;
  return `Answered ${status}.`;
}

/** The first kilobyte of a response, or less when it breaks off: only the status decides about the delivery. */
async function firstKilobyte(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = ANSWER_LIMIT;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk.subarray(0, left), { stream: true });
      left -= chunk.length;
      if (left <= 0) break;
    }
  } catch {
    // The part that arrived is kept.
  }
  return text;
}
