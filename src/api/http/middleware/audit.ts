import type { MiddlewareHandler } from "hono";
import { writeEntry } from "#services/audit/audit-log";
import { auditEntry } from "../audit-entry";
import type { AppEnv } from "../context";

/** Records in the audit log the changes that the key has no right to. A change is recorded by the transaction that makes it (`RequestCompletion`). */
export const auditRefusals: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.res.status !== 403 || ["GET", "HEAD"].includes(c.req.method)) return;
  const written = writeEntry(c.var.services, auditEntry(c, "refused", null));
  c.executionCtx.waitUntil(written); // the caller may have disconnected
  await written;
};
