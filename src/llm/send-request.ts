import type { OpenAI } from "openai";
import { APIError, OpenAIError } from "openai/error";
import { providerError } from "./provider-errors";
import type { Target } from "./target";
import type { ModelCall } from "./types";

/**
 * Sends one request through the SDK, without retries, labelled for proxies and logs.
 * @throws LlmError `provider_*`; an error about misuse of the SDK is a bug of ours and thrown unchanged
 */
export async function sendRequest<T>(
  target: Target,
  { labels, timeout_ms }: Pick<ModelCall<unknown>, "labels" | "timeout_ms">,
  send: (options: OpenAI.RequestOptions) => Promise<T>,
): Promise<T> {
  const headers = { "x-parley-run": headerValue(labels.run), "x-parley-step": headerValue(labels.step) };
  try {
    return parsedBody(await send({ timeout: timeout_ms, headers }));
  } catch (error) {
    if (error instanceof OpenAIError && !(error instanceof APIError)) throw error;
    throw providerError(error, target, timeout_ms);
  }
}

/** Some servers send JSON as plain text, which the SDK returns as it is. */
function parsedBody<T>(body: T): T {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Headers are ASCII; names of steps may not be. */
const headerValue = (text: string) => text.toWellFormed().replace(/[^\x20-\x7e]+/g, encodeURIComponent);
