import type { MiddlewareHandler } from "hono";
import { Problem } from "#core/errors";
import type { AppContext, AppEnv } from "../context";

/** The base of our own addresses: PUBLIC_URL, else the origin of the request. */
export const ownBase = (c: AppContext): string => c.var.services.settings.public_url ?? new URL(c.req.url).origin;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The request's own origin is evidence of the same site with TLS or on loopback only: by DNS rebinding, a page can reach a server on plain HTTP
 * under any other name.
 */
function isOwn(origin: string, c: AppContext): boolean {
  const { settings } = c.var.services;
  if (settings.public_url && origin === new URL(settings.public_url).origin) return true;
  const own = new URL(c.req.url);
  return origin === own.origin && (own.protocol === "https:" || LOOPBACK.test(own.hostname));
}

/** Refuses requests that a page of another origin makes in a browser (streamable HTTP, "Security"). Other clients send no `Origin`. */
export const ownOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = c.req.header("Origin");
  if (origin !== undefined && !isOwn(origin, c))
    throw new Problem("foreign_origin", `The request comes from a page of ${origin.slice(0, 200)}.`);
  await next();
};
