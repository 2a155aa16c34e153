import type { MiddlewareHandler } from "hono";
import { authenticate, requireScope } from "../../keys/authenticate";
import { log } from "../../log";
import type { Scope } from "../../vocabulary";
import type { AppEnv } from "../context";

/** Lets a request in whose key exists, was not revoked and has the scope. */
export const authorize = (scope: Scope): MiddlewareHandler<AppEnv> => {
  return async (c, next) => {
    const { services } = c.var;
    const key = await authenticate(services, c.req.header("Authorization"));
    c.set("key", key);
    requireScope(key, scope);
    const touched = services.store.keys.touch(key).catch((error: unknown) => {
      log.warn("last_used_at was not written", { key_id: key.id, error });
    });
    c.executionCtx.waitUntil(touched);
    await next();
  };
};
