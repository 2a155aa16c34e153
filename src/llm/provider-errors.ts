import { z } from "zod";
import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai/error";
import type { Target } from "./target";
import { ResponseTooLargeError } from "#core/outbound/bounded-body";
import { retryAfterMs } from "#core/retry";
import { ANSWER_OF } from "./request";
import { type Api, LlmError, type Usage } from "./types";
import { unreportedUsage } from "./usage";

const QUOTE_LENGTH = 500;
/** Shorter keys (`none`, `ollama`) are placeholders of local servers; redacting them would garble other words. */
const SECRET_LENGTH = 8;

/** Messages of OpenAI, vLLM, Ollama, Anthropic, Mistral and Groq for a prompt that exceeds the context. */
const TOO_LONG =
  /context[_ ](length|window|size)|maximum (context|prompt|input) length|(prompt|input|request|messages?) (is|are|was)? ?too (long|large)|exceeds? the (available )?context|too many (input )?tokens/i;

const OWN_KEY = "The API key is the one that the tenant has brought for this provider.";

/** Statuses that refuse not this request, but the key, its account, or the model. */
const OF_KEY_OR_MODEL = new Set([401, 402, 403, 404]);

/** Messages for a model that the provider does not have, where these come with another status than 404. */
export const UNKNOWN_MODEL = /model_not_found|\bmodel\b.{0,100}\b(does not exist|not found)/i;

/** A request that the provider refused, with its full message for `capabilityChangeFrom`. */
export class ProviderRequestError extends LlmError {
  constructor(
    message: string,
    readonly status: number,
    /** The provider's uncut message, its error code and the parameter that it names. */
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
 * Converts an error of the SDK. 429, 408, 409, 5xx, broken connections and bodies, and timeouts are retryable; any other 4xx is not.
 */
export function providerError(error: unknown, target: Target, timeout_ms: number): LlmError {
  const usage = unreportedUsage(1, target.price);
  if (error instanceof APIConnectionTimeoutError) {
    return new LlmError("provider_timeout", `${target.label} did not answer within ${timeout_ms / 1000} s.`, {
      retryable: true,
      usage,
    });
  }
  if (error instanceof APIConnectionError && isTooLarge(error)) {
    const message = `${target.label} answered, but ${new ResponseTooLargeError().message}.`;
    return new LlmError("provider_unavailable", message, { retryable: false, usage });
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
  const reason = messageOf(error);
  const isOfKey = target.own_key && (status === 401 || status === 403);
  const message = `${target.label} answered ${status}: ${quote(reason, target)}${isOfKey ? ` ${OWN_KEY}` : ""}`;
  if (status === 429)
    return new LlmError("provider_rate_limited", message, { retryable: true, usage, status, ...retryAfter(error) });
  if (status >= 300 && status < 400) {
    const to = error.headers?.get("location");
    const where = to ? `; set base_url to where it points, ${quote(to, target)}` : "";
    const redirected = `${target.label} answered ${status}. Redirects are not followed${where}.`;
    return new ProviderRequestError(redirected, status, reason, {
      retryable: false,
      usage,
      status,
      model_refused: true,
    });
  }
  if (status === 408 || status === 409 || status < 400 || status >= 500) {
    return new LlmError("provider_unavailable", message, { retryable: true, usage, status, ...retryAfter(error) });
  }
  const evidence = [reason, error.code, error.param].filter(Boolean).join(" ");
  const refused = OF_KEY_OR_MODEL.has(status) || UNKNOWN_MODEL.test(evidence) ? { model_refused: true } : {};
  return new ProviderRequestError(message, status, evidence, { retryable: false, usage, status, ...refused });
}

/** An error in the body of an answer with status 200, as proxies send it. */
const errorBodySchema = z.object({
  error: z.object({ message: z.string(), code: z.union([z.string(), z.number()]).nullish() }),
});

/**
 * The error of an answer that is not of the API's form. One that states an error is treated as if its status did; text that is no JSON comes
 * from another kind of server, and asking again would not help.
 */
export function unreadableAnswer(api: Api, body: unknown, target: Target, timeout_ms: number): LlmError {
  const stated = errorBodySchema.safeParse(body);
  if (stated.success) return statedError(stated.data.error, target, timeout_ms);
  const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  return new LlmError(
    "provider_unavailable",
    `${target.label} answered, but not with ${ANSWER_OF[api]}: ${quote(text, target)}`,
    { retryable: typeof body === "object" && body !== null, usage: unreportedUsage(1, target.price) },
  );
}

/** Codes of errors that may pass, by the status that other servers send with them. */
const PASSING = new Map([
  ["rate_limit_exceeded", 429],
  ["server_error", 500],
  ["vector_store_timeout", 500],
  ["overloaded", 503],
]);
/** Codes of errors of the key or the model. */
const FINAL = new Map([
  ["insufficient_quota", 402],
  ["invalid_api_key", 401],
  ["model_not_found", 404],
]);

interface StatedError {
  message?: string | null | undefined;
  code?: string | number | null | undefined;
}

/**
 * The error that a body states although its status is 200, as if it had come with the status of its code. Without a code it may pass; any other code
 * says that the request itself is refused.
 * @param usage that the response reports; by default none
 */
export function statedError(
  { message, code }: StatedError,
  target: Target,
  timeout_ms: number,
  usage?: Usage,
): LlmError {
  const name = String(code ?? "");
  const status =
    typeof code === "number" && code >= 400 && code < 600
      ? code
      : (PASSING.get(name) ?? FINAL.get(name) ?? (name === "" ? 500 : 400));
  const error = { code: name || undefined, message: message ?? `an error without a message${name && ` (${name})`}` };
  const stated = APIError.generate(status, { error }, undefined, new Headers());
  const made = providerError(stated, target, timeout_ms);
  return usage === undefined ? made : withUsage(made, usage);
}

function withUsage(error: LlmError, usage: Usage): LlmError {
  error.options.usage = usage;
  return error;
}

/** The error of an answer that declines to answer. @param refusal the model's words; none: a filter stopped it */
export function refusedAnswer(refusal: string | null | undefined, usage: Usage, target: Target): LlmError {
  const why = refusal ? `: ${quote(refusal, target)}` : "; the provider's content filter stopped it.";
  return new LlmError("output_refused", `${target.label} refused to answer${why}`, { retryable: false, usage });
}

/** A provider's message for display: on one line, cut to `QUOTE_LENGTH`, with the key redacted. */
export function quote(message: string, target: Target): string {
  const { api_key } = target;
  const safe = api_key !== null && api_key.length >= SECRET_LENGTH ? message.replaceAll(api_key, "[key]") : message;
  const line = safe.replace(/\s+/g, " ").trim();
  if (line === "") return "(nothing)";
  return line.length > QUOTE_LENGTH ? `${line.slice(0, QUOTE_LENGTH - 1)}…` : line;
}

/** The SDK's message without its status; servers differ in where they put the text. */
function messageOf(error: APIError): string {
  if (typeof error.error === "string") return error.error;
  return error.message.replace(/^\d{3} /, "").replace("status code (no body)", "");
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && (error instanceof ResponseTooLargeError || isTooLarge(error.cause));

function causeOf(error: Error): Error {
  return error.cause instanceof Error ? causeOf(error.cause) : error;
}

function rootCause(error: unknown, target: Target): string {
  const cause = error instanceof Error ? causeOf(error) : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return quote((cause instanceof Error && cause.message) || code || String(cause), target).replace(/\.$/, "");
}

function retryAfter(error: APIError): { retry_after_ms?: number } {
  const retry_after_ms = retryAfterMs(error.headers);
  return retry_after_ms === null ? {} : { retry_after_ms };
}
