import { withoutSecrets } from "#core/log";
import { within } from "#core/retry";
import { callRefusal, type UrlPolicy } from "#core/outbound/url-policy";

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
  /** How long the receiver asks to wait; null: it does not. Milliseconds. */
  retry_after_ms: number | null;
}

export interface DeliveryRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Sent and not logged: the URL in place of `url`, and further headers. */
  hidden?: { url: string; headers: Record<string, string> };
  /** The URL is the operator's own, such as a mail relay's: it may be private. */
  is_configured?: boolean;
  /** Sends it in place of a request; throws when it fails. */
  send?: () => Promise<void>;
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
    retry_after_ms: null,
    ...rest,
  });
  const signal = AbortSignal.timeout(timeout_ms);
  try {
    request = compose(new Date(started_at));
    const { headers, body, hidden, is_configured, send } = request;
    if (send) {
      await within(timeout_ms, send());
      return outcome({});
    }
    const url = hidden?.url ?? request.url;
    const refused = is_configured ? null : await callRefusal(url, url_policy, signal);
    if (refused) return outcome({ error: `The URL was not called. ${refused}` });
    const init = { method: "POST", headers: { ...headers, ...hidden?.headers }, body };
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    // A receiver may send back what it got: callback URLs are not stored.
    const response_body = withoutSecrets(await firstKilobyte(response));
    const { status } = response;
    return outcome({
      response_status: status,
      response_body,
      error: statusError(status),
      retry_after_ms: waitOf(response),
    });
  } catch (error) {
    return outcome({
      error: signal.aborted ? `No answer within ${timeout_ms / 1000} s.` : `Not delivered: ${(error as Error).message}`,
    });
  }
}

/** Longest wait that a receiver is granted. */
const MAX_WAIT_MS = 86_400_000;

/** The `Retry-After` of a 429 in seconds, as Slack sends it. */
function waitOf({ status, headers }: Response): number | null {
  const seconds = Number(headers.get("retry-after") ?? NaN);
  return status === 429 && seconds > 0 ? Math.min(seconds * 1000, MAX_WAIT_MS) : null;
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
