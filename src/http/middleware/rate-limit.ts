import type { MiddlewareHandler } from "hono";
import { Problem } from "../../errors";
import { WINDOW } from "../../rate-limits/admission";
import type { AppContext, AppEnv } from "../context";

/** Name of the one policy that the header fields tell of. */
const POLICY = '"per-minute"';

/** Bounds the requests of an API key. */
export const limitKey = (): MiddlewareHandler<AppEnv> => limited((c) => c.var.key.id);

/** Bounds the requests to a callback URL; one that opens nothing costs nothing. */
export const limitCallback = (): MiddlewareHandler<AppEnv> =>
  limited((c) => c.var.services.secrets.interactionOf(c.req.param("token") ?? ""));

/**
 * Refuses what is over the rate, and tells every caller where it stands in the fields of draft-ietf-httpapi-ratelimit-headers.
 * @param nameOf whose requests are counted together; null for a request that nobody's are
 */
function limited(nameOf: (c: AppContext) => string | null): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { platform, settings } = c.var.services;
    const limit = settings.rate_limit_per_minute;
    const name = limit === 0 ? null : nameOf(c);
    const admission = name === null ? null : await platform.admit(name, limit);
    if (!admission) return next();
    const seconds = Math.max(1, Math.ceil(admission.resets_in_ms / 1000));
    const tell = () => {
      c.header("RateLimit-Policy", `${POLICY};q=${limit};w=${WINDOW / 1000}`);
      c.header("RateLimit", `${POLICY};r=${admission.remaining};t=${seconds}`);
    };
    if (!admission.admitted) {
      tell();
      throw new Problem("rate_limited", `More than ${limit} requests came within a minute.`, [], seconds);
    }
    await next();
    tell(); // only now: an answer that is kept to be replayed is kept without it
  };
}
