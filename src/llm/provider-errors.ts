import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import type { Target } from "./target";
import { retryAfterMs } from "#core/retry";
import { LlmError } from "./types";
import { unreportedUsage } from "./usage";

const QUOTE_LENGTH = 500;
/** A shorter key (`none`, `ollama`) is a local server's formality, and taking it out would garble the words around it. */
const SECRET_LENGTH = 8;

/** How OpenAI, vLLM, Ollama, Anthropic, Mistral and Groq say that a prompt does not fit into the context. */
const TOO_LONG =
  /context[_ ](length|window|size)|maximum (context|prompt|input) length|(prompt|input|request|messages?) (is|are|was)? ?too (long|large)|exceeds? the (available )?context|too many (input )?tokens/i;

/** A request that the provider would not serve, with all it said, for `lessonOf` to read. */
export class RequestRefused extends LlmError {
  constructor(
    message: string,
    readonly status: number,
    /** The provider's words, uncut, its error code and the parameter it names. */
    readonly evidence: string,
    options: LlmError["options"],
  ) {
    super(
      status === 413 || TOO_LONG.test(evidence) ? "provider_input_too_long" : "provider_refused_request",
      message,
      options,
    );
  }
}

/**
 * The typed error for whatever the SDK threw at one request: 429, 408, 409, 5xx, broken connections and bodies, and timeouts
 * are worth another try, any other 4xx is not.
 */
export function providerError(error: unknown, target: Target, timeout_ms: number): LlmError {
  const usage = unreportedUsage(1, target.price);
  if (error instanceof APIConnectionTimeoutError) {
    return new LlmError("provider_timeout", `${target.label} did not answer within ${timeout_ms / 1000} s.`, {
      retryable: true,
      usage,
    });
  }
  if (!(error instanceof APIError) || error instanceof APIConnectionError) {
    const broken = error instanceof SyntaxError;
    return new LlmError(
      broken ? "provider_unavailable" : "provider_unreachable",
      broken
        ? `${target.label} answered with a body that is not JSON.`
        : `${target.label} could not be reached: ${rootCause(error, target)}.`,
      { retryable: true, usage },
    );
  }
  const status = error.status ?? 0;
  const said = words(error);
  const message = `${target.label} answered ${status}: ${quote(said, target)}`;
  if (status === 429)
    return new LlmError("provider_rate_limited", message, { retryable: true, usage, ...retryAfter(error) });
  if (status === 408 || status === 409 || status < 400 || status >= 500) {
    return new LlmError("provider_unavailable", message, { retryable: true, usage, ...retryAfter(error) });
  }
  const evidence = [said, error.code, error.param].filter(Boolean).join(" ");
  return new RequestRefused(message, status, evidence, { retryable: false, usage });
}

/** A provider's words, fit to be shown: on one line, cut, and without the key. */
export function quote(said: string, target: Target): string {
  const { api_key } = target;
  const safe = api_key !== null && api_key.length >= SECRET_LENGTH ? said.replaceAll(api_key, "[key]") : said;
  const line = safe.replace(/\s+/g, " ").trim();
  if (line === "") return "(nothing)";
  return line.length > QUOTE_LENGTH ? `${line.slice(0, QUOTE_LENGTH - 1)}…` : line;
}

/** The SDK's message without the status before it; servers differ in where they put their words. */
function words(error: APIError): string {
  if (typeof error.error === "string") return error.error;
  return error.message.replace(/^\d{3} /, "").replace("status code (no body)", "");
}

function rootCause(error: unknown, target: Target): string {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return quote((cause instanceof Error && cause.message) || code || String(cause), target).replace(/\.$/, "");
}

function retryAfter(error: APIError): { retry_after_ms?: number } {
  const retry_after_ms = retryAfterMs(error.headers);
  return retry_after_ms === null ? {} : { retry_after_ms };
}
