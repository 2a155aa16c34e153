import type { MiddlewareHandler } from "hono";
import { Problem } from "#core/errors";
import type { AppEnv } from "../context";

/** Refuses requests that a page of another origin makes in a browser (streamable HTTP, "Security"). Other clients send no `Origin`. */
export const ownOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = c.req.header("Origin");
  if (origin !== undefined && origin !== new URL(c.req.url).origin) {
    throw new Problem("foreign_origin", `The request comes from a page of ${origin.slice(0, 200)}.`);
  }
  await next();
};
