import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../context";

/** Resolves the token of a callback URL, once; a token that is not valid resolves to null. */
export const callbackToken: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.set("interaction_id", c.var.services.secrets.interactionOf(c.req.param("token") ?? ""));
  await next();
};
