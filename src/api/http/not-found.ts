import type { Hono } from "hono";
import { Problem } from "#core/errors";
import { type AppContext, type AppEnv } from "./context";
import { answerError } from "./problem";

/** Answers 404 for an unknown path, and 405 for a path that does not take the method. */
export function notFound(app: Hono<AppEnv>): (c: AppContext) => Response {
  const known = Map.groupBy(
    app.routes.filter((route) => route.method !== "ALL"),
    (route) => route.path,
  );
  const paths = [...known].map(([path, routes]) => ({
    pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+")}$`),
    methods: new Set(routes.map((route) => route.method)),
  }));
  return (c) => {
    const methods = new Set(
      paths.filter(({ pattern }) => pattern.test(c.req.path)).flatMap((path) => [...path.methods]),
    );
    if (!methods.size) return answerError(new Problem("not_found", `There is nothing at ${c.req.path}.`), c);
    if (methods.has("GET")) methods.add("HEAD");
    const allowed = [...methods].sort().join(", ");
    c.header("Allow", allowed);
    return answerError(new Problem("method_not_allowed", `This path takes ${allowed}, not ${c.req.method}.`), c);
  };
}
