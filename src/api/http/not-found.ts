import type { Hono, MiddlewareHandler } from "hono";
import { Problem } from "#core/errors";
import { methodNotAllowed } from "hono/method-not-allowed";
import { type AppContext, type AppEnv } from "./context";
import { errorResponse } from "./problem";

export const notFound = (c: AppContext): Response =>
  errorResponse(new Problem("not_found", `There is nothing at ${c.req.path}. The reference is at /docs.`), c);

/** Answers 405 when the path exists but does not take the method. */
export const wrongMethod = (app: Hono<AppEnv>): MiddlewareHandler<AppEnv> =>
  methodNotAllowed({
    app,
    onMethodNotAllowed(c, methods) {
      const allowed = methods.toSorted().join(", ");
      c.header("Allow", allowed);
      return errorResponse(new Problem("method_not_allowed", `This path takes ${allowed}, not ${c.req.method}.`), c);
    },
  });
