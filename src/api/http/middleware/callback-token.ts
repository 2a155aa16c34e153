import type { MiddlewareHandler } from "hono";
import { interactionOfToken } from "#services/interactions/find-interaction";
import type { AppEnv } from "../context";

/** Resolves the token of a callback URL, once; a token that is not valid resolves to null. */
export const callbackToken: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.set("interaction_id", interactionOfToken(c.var.services, c.req.param("token") ?? ""));
  await next();
};
