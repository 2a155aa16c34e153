import ipaddr from "ipaddr.js";
import type { MiddlewareHandler } from "hono";
import { Problem } from "../../errors";
import type { AppContext, AppEnv } from "../context";

const WINDOW_MS = 60_000;

/**
 * Counts the request against a subject.
 * @param policy what `RateLimit-Policy` calls it
 * @param limit requests a minute
 * @throws Problem `rate_limited`
 */
export async function countRequest(c: AppContext, policy: string, subject: string, limit: number): Promise<void> {
  const standing = await c.var.services.platform.countRequest(subject, { limit, window_ms: WINDOW_MS });
  if (!standing) return;
  c.set("rate", { policy, limit, ...standing });
  if (standing.allowed) return;
  const seconds = inSeconds(standing.resets_in_ms);
  throw new Problem("rate_limited", `More than ${limit} requests in a minute; there are new ones in ${seconds} s.`);
}

/** Says on every response that was counted how many requests are left (draft-ietf-httpapi-ratelimit-headers). */
export const rateLimitHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { rate } = c.var;
  if (!rate) return;
  const reset = inSeconds(rate.resets_in_ms);
  c.header("RateLimit-Policy", `"${rate.policy}";q=${rate.limit};w=${WINDOW_MS / 1000}`);
  c.header("RateLimit", `"${rate.policy}";r=${rate.remaining};t=${reset}`);
  if (!rate.allowed) c.header("Retry-After", String(reset));
};

/**
 * For paths whose token is the capability: a token of ours counts for its interaction, so that people behind one address do not take
 * from each other; guesses count for the address that they come from.
 */
export const limitCallbacks: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { secrets, settings } = c.var.services;
  const interaction = secrets.interactionOf(c.req.param("token") ?? "");
  const subject = interaction ?? `from ${networkOf(c.req.header("CF-Connecting-IP") ?? "")}`;
  await countRequest(c, "callback", subject, settings.callback_requests_per_minute);
  await next();
};

/** Whoever has an IPv6 address has 2^64 of them. */
function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}

const inSeconds = (ms: number) => Math.ceil(ms / 1000);
