import ipaddr from "ipaddr.js";
import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { Problem } from "#core/errors";
import { countRequest } from "#services/keys/authenticate";
import { WINDOW } from "#services/platform";
import type { AppContext, AppEnv } from "../context";

/** Name of the only policy in the header fields. */
const POLICY = '"per-minute"';

/** Requests with invalid callback tokens that one network may make within a window. */
const GUESSES = 60;

/** The name that requests are counted under, and how many of them a window may have. */
interface Count {
  name: string;
  limit: number;
}

/** Limits the requests of an API key. */
export const limitKey = (): MiddlewareHandler<AppEnv> =>
  limited((c) => ({ name: c.var.key.id, limit: c.var.services.settings.rate_limit_per_minute }));

/**
 * Limits the requests to a callback URL. Invalid URLs are counted by the caller's network instead, so that guesses from there do not block
 * a caller with a valid URL; without an address (local development) they are not counted.
 */
export const limitCallback = (): MiddlewareHandler<AppEnv> =>
  limited((c) => {
    const { services, interaction_id } = c.var;
    const limit = services.settings.rate_limit_per_minute;
    if (interaction_id !== null) return { name: interaction_id, limit };
    const network = networkOf(c.req.header("CF-Connecting-IP"));
    return network === null ? null : { name: network, limit: Math.min(limit, GUESSES) };
  });

/** A name for the network of an address: its /64 for IPv6. Hashed, because names are logged. */
function networkOf(address: string | undefined): string | null {
  if (address === undefined || !ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  const network = parsed.kind() === "ipv6" ? parsed.toByteArray().slice(0, 8) : parsed.toByteArray();
  return `guesses_${createHash("sha256").update(Uint8Array.from(network)).digest("hex").slice(0, 32)}`;
}

/**
 * Refuses requests over the limit; every answer has the header fields of draft-ietf-httpapi-ratelimit-headers.
 * @param countOf null for a request that is not counted; a limit of 0 means no limit
 */
function limited(countOf: (c: AppContext) => Count | null): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const count = countOf(c);
    const admission = count && (await countRequest(c.var.services, count.name, count.limit));
    if (!count || !admission) return next();
    const { limit } = count;
    const seconds = Math.max(1, Math.ceil(admission.resets_in_ms / 1000));
    const setHeaders = () => {
      c.header("RateLimit-Policy", `${POLICY};q=${limit};w=${WINDOW / 1000}`);
      c.header("RateLimit", `${POLICY};r=${admission.remaining};t=${seconds}`);
    };
    if (!admission.admitted) {
      setHeaders();
      throw new Problem("rate_limited", `More than ${limit} requests came within a minute.`, [], seconds);
    }
    await next();
    setHeaders(); // after the idempotency middleware, which must store the answer without them
  };
}
