import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../context";

const LOGGABLE = /^[A-Za-z0-9._:-]{1,128}$/;

/** Sets `X-Request-Id` on every response: the caller's own when it is safe to log. */
export const requestId: MiddlewareHandler<AppEnv> = async (c, next) => {
  const callerId = c.req.header("X-Request-Id");
  c.set("request_id", callerId && LOGGABLE.test(callerId) ? callerId : crypto.randomUUID());
  await next();
  c.header("X-Request-Id", c.var.request_id);
};
