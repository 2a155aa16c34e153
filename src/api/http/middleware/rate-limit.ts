import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import ipaddr from "ipaddr.js";
import { Problem } from "#core/errors";
import { WINDOW } from "#services/platform";
import type { AppContext, AppEnv } from "../context";

/** Name of the one policy that the header fields tell of. */
const POLICY = '"per-minute"';

/** Callback URLs that open nothing, from one address within a window. */
const GUESSES = 60;

/** Whose requests are counted together, and how many a window may have. */
interface Count {
  name: string;
  limit: number;
}

/** Bounds the requests of an API key. */
export const limitKey = (): MiddlewareHandler<AppEnv> =>
  limited((c) => ({ name: c.var.key.id, limit: c.var.services.settings.rate_limit_per_minute }));

/**
 * Bounds the requests to a callback URL, and those to URLs that open nothing by the address they come from: whoever has a right one is
 * not held up by others who guess behind the same address. Where the platform tells no address (local development), guesses are not counted.
 */
export const limitCallback = (): MiddlewareHandler<AppEnv> =>
  limited((c) => {
    const { secrets, settings } = c.var.services;
    const limit = settings.rate_limit_per_minute;
    const interaction = secrets.interactionOf(c.req.param("token") ?? "");
    if (interaction !== null) return { name: interaction, limit };
    const address = callerOf(c.req.header("CF-Connecting-IP"));
    return address === null ? null : { name: address, limit: Math.min(limit, GUESSES) };
  });

/** A name for the network that an address belongs to: who has an IPv6 address has its whole /64. Hashed, for names stand in logs. */
function callerOf(address: string | undefined): string | null {
  if (address === undefined || !ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  const network = parsed.kind() === "ipv6" ? parsed.toByteArray().slice(0, 8) : parsed.toByteArray();
  return `guesses_${createHash("sha256").update(Uint8Array.from(network)).digest("hex").slice(0, 32)}`;
}

/**
 * Refuses what is over the rate, and tells every caller where it stands in the fields of draft-ietf-httpapi-ratelimit-headers.
 * @param countOf null for a request that is not counted; a limit of 0 is none
 */
function limited(countOf: (c: AppContext) => Count | null): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const count = countOf(c);
    const admission = count?.limit ? await c.var.services.platform.admit(count.name, count.limit) : null;
    if (!count || !admission) return next();
    const { limit } = count;
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
