import type { MiddlewareHandler } from "hono";
import { authenticate, requireScope } from "#services/keys/authenticate";
import { log } from "#core/log";
import type { Scope } from "#core/vocabulary";
import type { AppEnv } from "../context";

/** Refuses a request whose key does not exist or was revoked. */
export const authenticated: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { services } = c.var;
  c.set("key", await authenticate(services, c.req.header("Authorization")));
  await next();
};

/** Refuses a request whose key lacks the scope; else records the key as used. */
export const authorize = (scope: Scope): MiddlewareHandler<AppEnv> => {
  return async (c, next) => {
    const { services, key } = c.var;
    requireScope(key, scope);
    const touched = services.store.keys.touch(key).catch((error: unknown) => {
      log.warn("last_used_at was not written", { key_id: key.id, error });
    });
    c.executionCtx.waitUntil(touched);
    await next();
  };
};
