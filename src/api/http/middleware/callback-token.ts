import type { MiddlewareHandler } from "hono";
import { linkOfToken } from "#services/interactions/interactions";
import type { AppEnv } from "../context";

/** Resolves the token of a callback URL, once; a token that is not valid resolves to null. */
export const callbackToken: MiddlewareHandler<AppEnv> = async (c, next) => {
  const link = linkOfToken(c.var.services, c.req.param("token") ?? "");
  c.set("callback_link", link);
  c.set("interaction_id", link && link.id);
  if (link) c.set("services", c.var.services.at({ kind: "interaction", id: link.id }));
  await next();
};
