import type { MiddlewareHandler } from "hono";
import { writeEntry } from "#services/audit/write-entry";
import { auditEntry } from "../audit-entry";
import type { AppContext, AppEnv } from "../context";

/**
 * Writes to the audit log what no transaction of a change writes: PATCH, PUT and DELETE requests that succeeded, before they are answered, and
 * changes that the key has no right to.
 */
export const audit: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const outcome = outcomeOf(c);
  if (!outcome) return;
  const written = writeEntry(c.var.services, auditEntry(c, outcome, null));
  c.executionCtx.waitUntil(written); // the caller may have disconnected
  await written;
};

function outcomeOf({ req: { method }, res, var: { is_audited } }: AppContext): "done" | "refused" | null {
  if (method === "GET" || method === "HEAD") return null;
  if (res.status === 403) return "refused";
  return ["PATCH", "PUT", "DELETE"].includes(method) && res.ok && !is_audited ? "done" : null;
}
