import { HTTPException } from "hono/http-exception";
import { Problem, problemObject } from "#core/errors";
import type { AppContext } from "./context";
import { log, withoutSecrets } from "#core/log";
import { StorageUnavailableError } from "#core/unavailable";
import { IN_FLIGHT_TTL_MS, inFlight, isClaimLost } from "#services/idempotency/claim-key";
import { malformed } from "./middleware/body";
import { aboutRequest } from "./middleware/log";

/** Seconds after which a request that storage failed is worth repeating. */
const STORAGE_RETRY_AFTER = 5;

/**
 * Answers with a problem (RFC 9457). Failures of storage pass, and say when to come back; any other error is a bug: it is logged, and the
 * answer shows only `request_id`. Credentials that a problem would quote, such as a path with a callback token, are masked.
 */
export function errorResponse(error: Error, c: AppContext): Response {
  const problem = error instanceof Problem ? error : (fromHono(error) ?? fromStorage(error, c) ?? unexpected(error, c));
  const body = {
    ...problemObject(problem.code, problem.detail, problem.errors, problem.quota),
    request_id: c.var.request_id,
  };
  if (body.status === 401) c.header("WWW-Authenticate", 'Bearer realm="parley"');
  if (problem.retry_after !== undefined) c.header("Retry-After", String(problem.retry_after));
  return c.body(withoutSecrets(JSON.stringify(body)), body.status as 400, {
    "Content-Type": "application/problem+json",
  });
}

/** Errors of the framework, before a handler runs. */
function fromHono(error: Error): Problem | null {
  if (!(error instanceof HTTPException)) return null;
  if (error.status === 400) return malformed();
  if (error.status === 415)
    return new Problem("unsupported_media_type", "The Content-Type header is not one that this path takes.");
  return null;
}

function fromStorage(error: unknown, c: AppContext): Problem | null {
  if (isClaimLost(error)) return inFlight(IN_FLIGHT_TTL_MS);
  if (!(error instanceof StorageUnavailableError)) return null;
  log.warn("storage failed a request", { ...aboutRequest(c), error });
  const detail = "The request was not answered, because the service's storage does not answer at the moment.";
  return new Problem("storage_unavailable", detail, [], STORAGE_RETRY_AFTER);
}

function unexpected(error: unknown, c: AppContext): Problem {
  log.error("request failed", { ...aboutRequest(c), error });
  return new Problem(
    "internal_error",
    "The request failed because of an error in the service. Its log has the error under `request_id`.",
  );
}
