import type { MiddlewareHandler } from "hono";
import { authenticate, requireScope, recordKeyUse } from "#services/keys/authenticate";
import type { Scope } from "#core/vocabulary";
import type { AppEnv } from "../context";

/** Refuses a request whose key does not exist or was revoked. */
export const authenticated: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { key, services } = await authenticate(c.var.services, c.req.header("Authorization"));
  c.set("key", key);
  c.set("services", services);
  await next();
};

/** Refuses a request whose key lacks the scope; else records the key as used. */
export const authorize = (scope: Scope): MiddlewareHandler<AppEnv> => {
  return async (c, next) => {
    const { services, key } = c.var;
    requireScope(key, scope);
    c.executionCtx.waitUntil(recordKeyUse(services, key));
    await next();
  };
};
