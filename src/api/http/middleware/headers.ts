import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../context";

/** Forbids type sniffing and referrers, and caching by default: many answers hold a capability or a secret, some are at one. */
export const safeHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Referrer-Policy", "no-referrer");
  if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
};
