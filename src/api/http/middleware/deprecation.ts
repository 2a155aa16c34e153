import type { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { operationKey } from "../audit-entry";

/** That an operation, or a field of its body, is deprecated: part of the route, so of the document too, under `x-deprecation`. */
export interface Deprecation {
  /** The day from which it is deprecated, as `2026-12-01`. */
  since: string;
  /** The day from which it may be gone; at least six months after `since`. */
  sunset?: string;
  /** The page that says what to use instead. */
  link: string;
  /** Dotted path of a field of the JSON body, which alone is deprecated; absent: the operation is. */
  field?: string;
}

/** Parts of a route that is deprecated. */
export const deprecated = (notice: Omit<Deprecation, "field">) => ({ deprecated: true, "x-deprecation": [notice] });

/** Parts of a route that takes deprecated fields. Their schemas have `deprecated: true` too. */
export const withDeprecatedFields = (...notices: (Deprecation & { field: string })[]) => ({ "x-deprecation": notices });

/**
 * Answers to requests of what is deprecated say so: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a `Link` to what to use instead. Driven by
 * the `x-deprecation` of the routes.
 */
export function announceDeprecations(app: Pick<OpenAPIHono<any>, "openAPIRegistry">): MiddlewareHandler {
  let notices: ReadonlyMap<string, readonly Deprecation[]> | undefined;
  return async (c, next) => {
    await next();
    notices ??= noticesOf(app);
    const all = notices.get(operationKey(c.req.method, routePath(c, -1))) ?? [];
    const body = all.some(({ field }) => field !== undefined) ? await c.req.json().catch(() => null) : null;
    const given = all.filter(({ field }) => field === undefined || isGiven(body, field.split(".")));
    if (given.length === 0) return;
    const since = given.map((notice) => notice.since).toSorted();
    const sunsets = given.flatMap(({ sunset }) => sunset ?? []).toSorted();
    c.header("Deprecation", `@${Date.parse(since[0]!) / 1000}`);
    if (sunsets.length) c.header("Sunset", new Date(sunsets[0]!).toUTCString());
    for (const { link } of given) c.header("Link", `<${link}>; rel="deprecation"; type="text/html"`, { append: true });
  };
}

const noticesOf = ({ openAPIRegistry }: Pick<OpenAPIHono<any>, "openAPIRegistry">) =>
  new Map(
    openAPIRegistry.definitions.flatMap((definition) => {
      if (definition.type !== "route") return [];
      const {
        method,
        path,
        "x-deprecation": notices,
      } = definition.route as typeof definition.route & {
        "x-deprecation"?: Deprecation[];
      };
      return notices ? [[operationKey(method, path), notices] as const] : [];
    }),
  );

/** Whether a value has a field, in any entry of a list on the way. */
function isGiven(value: unknown, [name, ...rest]: string[]): boolean {
  if (name === undefined) return true;
  if (Array.isArray(value)) return value.some((entry) => isGiven(entry, [name, ...rest]));
  return (
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, name) &&
    isGiven((value as Record<string, unknown>)[name], rest)
  );
}
