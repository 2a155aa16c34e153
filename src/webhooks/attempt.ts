import { refuseUrl } from "../url-policy";

/** A receiver that has not begun to answer by then has failed. Milliseconds. */
export const ATTEMPT_TIMEOUT = 15_000;

/** So much of an answer is kept, for whoever looks into a failed delivery. Bytes. */
const ANSWER_LIMIT = 1024;

/** How one attempt went: a status, or why there is none. */
export interface Outcome {
  started_at: number;
  duration_ms: number;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
}

export interface Request {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Posts once. Never throws: whatever went wrong is the outcome.
 * @param compose makes the request of an attempt that begins at this time
 */
export async function attempt(
  compose: (at: Date) => Request,
  options: { allow_private: boolean; timeout_ms?: number },
): Promise<Outcome> {
  const started_at = Date.now();
  const outcome = (rest: Partial<Outcome>): Outcome => ({
    started_at,
    duration_ms: Date.now() - started_at,
    response_status: null,
    response_body: null,
    error: null,
    ...rest,
  });
  const timeout_ms = options.timeout_ms ?? ATTEMPT_TIMEOUT;
  const signal = AbortSignal.timeout(timeout_ms);
  try {
    const { url, ...init } = compose(new Date(started_at));
    const refused = refuseUrl(url, options);
    if (refused) return outcome({ error: `The URL was not called. ${refused}` });
    const response = await fetch(url, { method: "POST", ...init, redirect: "manual", signal });
    const response_body = await beginning(response);
    return outcome({ response_status: response.status, response_body, error: complaint(response.status) });
  } catch (error) {
    return outcome({
      error: signal.aborted ? `No answer within ${timeout_ms / 1000} s.` : `Not delivered: ${(error as Error).message}`,
    });
  }
}

function complaint(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `Answered ${status}; redirects are not followed.`;
  return `Answered ${status}.`;
}

/** The first kilobyte of an answer. One that breaks off has been an answer all the same: the status alone decides. */
async function beginning(response: Response): Promise<string> {
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
    // What came until then is kept.
  }
  return text;
}
