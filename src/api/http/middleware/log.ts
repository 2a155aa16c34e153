import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { isId } from "#core/ids";
import { log } from "#core/log";
import { processMetrics } from "#services/telemetry/metrics";
import type { AppContext, AppEnv } from "../context";

/** Logs one line for each request. The path is logged as its pattern: a callback's real path holds a capability. */
export const logRequests: MiddlewareHandler<AppEnv> = async (c, next) => {
  const startedAt = Date.now();
  await next();
  const about = aboutRequest(c);
  const { status } = c.res;
  const ms = Date.now() - startedAt;
  processMetrics()?.request({ resource: resourceOf(about.route), method: about.method, status }, ms);
  log.info("request", {
    ...about,
    status,
    ms,
    ...(c.var.key && { key_id: c.var.key.id, tenant_id: c.var.key.tenant_id }),
    ...runOf(c),
  });
};

/** The class of a route that metrics count by, such as `runs`; `none`: no route matches. */
const resourceOf = (route: string | null): string =>
  route === null ? "none" : (/^(?:\/v1)?\/([\w.-]+)/.exec(route)?.[1] ?? "root");

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
