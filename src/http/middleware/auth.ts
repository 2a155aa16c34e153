import type { MiddlewareHandler } from "hono";
import { authenticate, requireScope } from "../../keys/authenticate";
import type { Scope } from "../../vocabulary";
import type { AppEnv } from "../context";
import { countRequest } from "./rate-limit";

/** Lets a request in whose key exists, was not revoked, has the scope, and has requests left. */
export const authorize = (scope: Scope): MiddlewareHandler<AppEnv> => {
  return async (c, next) => {
    const { services } = c.var;
    const key = await authenticate(services, c.req.header("Authorization"));
    await countRequest(c, "key", key.id, services.settings.requests_per_minute);
    requireScope(key, scope);
    c.set("key", key);
    const touched = services.store.keys.touch(key).catch((error: unknown) => {
      console.error(JSON.stringify({ message: "last_used_at was not written", key_id: key.id, error: String(error) }));
    });
    c.executionCtx.waitUntil(touched);
    await next();
  };
};
