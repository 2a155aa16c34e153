import { z } from "@hono/zod-openapi";
import { AUDIT_OUTCOMES } from "#core/vocabulary";
import { listEntries } from "#services/audit/audit-log";
import { auditEntrySchema } from "#services/audit/schema";
import { Router } from "../context";
import { EXAMPLE_AUDIT_ENTRY } from "../examples";
import { listRoute } from "../keyed-routes";
import { between, jsonPage, moment, pageQuery } from "../pages";
import { pathId } from "../schemas/common";

export const auditLog = new Router("Audit");

const name = z.string().min(1).max(100).optional();

listRoute(
  auditLog,
  {
    path: "/v1/audit",
    operationId: "listAuditEntries",
    summary: "List changes, and by which key they were made",
    description:
      "Newest first. A change and its entry are stored in one transaction: there is neither without the other. A request that was refused, failed or changed nothing is never recorded as `done`; one that the key had no right " +
      "to (403) is recorded as `refused`, once a minute for a key and an operation, 50 an hour for a key. Of requests that only read, exports alone are recorded, before they begin. Entries hold no bodies and no secrets, and outlive what they are " +
      "about; a tenant keeps its newest 100,000. A key sees the entries of its mode; what a live key does to a test key is recorded in live mode.",
    scope: "admin",
    query: z.strictObject({
      ...pageQuery,
      key_id: pathId("key").optional(),
      action: name.openapi({ example: "createRun" }),
      object_type: name.openapi({ example: "run" }),
      object_id: name,
      outcome: z.enum(AUDIT_OUTCOMES).optional(),
      created_after: moment,
      created_before: moment,
    }),
    cursor: ["audit", /^\d{1,15}$/],
    answer: jsonPage("AuditPage", auditEntrySchema, "entries", EXAMPLE_AUDIT_ENTRY),
  },
  ({ services, page, filter }) => listEntries(services, { ...page, filter: { ...filter, ...between(filter) } }),
);
