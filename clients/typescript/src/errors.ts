import type { Problem } from "./generated/types.gen.ts";

/** A code of the table at `/docs/errors`. */
export type ErrorCode = Problem["code"];

/** Everything that the client throws by itself. */
export class ParleyError extends Error {
  override name = "ParleyError";
}

/** No answer arrived: the connection failed, or was cut off. `cause` is the error of `fetch`. */
export class ConnectionError extends ParleyError {
  override name = "ConnectionError";
}

/** No answer arrived within `timeout`. */
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
}

/** The signature of a webhook is missing, wrong or too old. */
export class WebhookVerificationError extends ParleyError {
  override name = "WebhookVerificationError";
}

/** The API answered with an error. */
export class ApiError extends ParleyError {
  override name = "ApiError";
  readonly status: number;
  /** undefined when something before the API answered, such as a proxy. */
  readonly code: ErrorCode | undefined;
  readonly detail: string;
  /** Every error of the request, with its path in the body. */
  readonly errors: NonNullable<Problem["errors"]>;
  readonly quota: Problem["quota"];
  readonly requestId: string | undefined;
  /** Seconds after which a repetition may succeed. */
  readonly retryAfter: number | undefined;

  constructor(status: number, headers: Headers, problem: Partial<Problem>, text: string) {
    const { code, detail = text.slice(0, 500), errors = [], quota } = problem;
    const list = errors.map(({ path, message }) => `\n  ${path}: ${message}`).join("");
    super(`${status} ${code ?? "without a code"}: ${detail}${list}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.quota = quota;
    this.requestId = headers.get("X-Request-Id") ?? undefined;
    this.retryAfter = secondsOf(headers.get("Retry-After"));
  }
}

export class BadRequestError extends ApiError {
  override name = "BadRequestError";
}
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}
export class PermissionError extends ApiError {
  override name = "PermissionError";
}
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}
export class ConflictError extends ApiError {
  override name = "ConflictError";
}
export class GoneError extends ApiError {
  override name = "GoneError";
}
export class ValidationError extends ApiError {
  override name = "ValidationError";
}
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}
export class ServerError extends ApiError {
  override name = "ServerError";
}

const BY_STATUS: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  422: ValidationError,
  429: RateLimitError,
};

/** The error for an answer, by its status. */
export function apiError(status: number, headers: Headers, text: string): ApiError {
  const Class = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Class(status, headers, problemOf(text), text);
}

/** @returns the problem in the text; an empty one when the text is not a JSON object */
function problemOf(text: string): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** `Retry-After` in seconds (RFC 9110, 10.2.3): a number, or a date. */
function secondsOf(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
