import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { isId } from "#core/ids";
import { log } from "#core/log";
import type { AppContext, AppEnv } from "../context";

/** Logs one line for each request. The path is logged as its pattern: a callback's real path holds a capability. */
export const logRequests: MiddlewareHandler<AppEnv> = async (c, next) => {
  const startedAt = Date.now();
  await next();
  log.info("request", {
    ...aboutRequest(c),
    status: c.res.status,
    ms: Date.now() - startedAt,
    ...(c.var.key && { key_id: c.var.key.id, tenant_id: c.var.key.tenant_id }),
    ...runOf(c),
  });
};

/** Log fields of every entry about a request. `route` is null when no route matches. */
export function aboutRequest(c: AppContext) {
  const route = routePath(c, -1);
  return { request_id: c.var.request_id, method: c.req.method, route: route.includes("*") ? null : route };
}

/** The run in the path, or the run that the request has created. */
function runOf(c: AppContext): { run_id?: string } {
  const named = c.req.param("id") ?? c.res.headers.get("Location")?.split("/").at(-1) ?? "";
  return isId("run", named) ? { run_id: named } : {};
}
