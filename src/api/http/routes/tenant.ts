import { createRoute, z } from "@hono/zod-openapi";
import { stream } from "hono/streaming";
import { log } from "#core/log";
import { deleteTenant } from "#services/tenants/delete-tenant";
import { EXPORT_LINES, EXPORT_POSITION, exportTenant } from "#services/tenants/export-tenant";
import { getTenant } from "#services/tenants/get-tenant";
import { tenantSchema } from "#services/tenants/schema";
import { newRouter } from "../context";
import { EXAMPLE_RUN, EXAMPLE_TENANT } from "../examples";
import { aboutRequest } from "../middleware/log";
import { writeEntry } from "#services/audit/write-entry";
import { auditEntry } from "../audit-entry";
import { errors, json, KEYED, needs, QUERY, requestIdHeader, scopeNote } from "../operation";
import { NO_QUERY } from "../pages";
import { exampleId } from "#services/fields/schema";

export const tenant = newRouter();

const tags = ["Tenant"];

tenant.openapi(
  createRoute({
    method: "get",
    path: "/v1/tenant",
    operationId: "getTenant",
    tags,
    summary: "Read the tenant of the key",
    description: scopeNote("runs:read"),
    ...needs("runs:read"),
    request: { query: NO_QUERY },
    responses: { 200: json(tenantSchema, "The tenant.", EXAMPLE_TENANT), ...errors(...KEYED, ...QUERY) },
  }),
  async (c) => c.json(await getTenant(c.var.services, c.var.key.tenant_id), 200),
);

tenant.openapi(
  createRoute({
    method: "delete",
    path: "/v1/tenant",
    operationId: "deleteTenant",
    tags,
    summary: "Delete the tenant and all its data",
    description:
      "Permanently. Once this has answered, its keys are invalid, this one included, and its webhooks are deleted. The rest is deleted soon after, even " +
      "if the service stops in between: live runs are canceled, every run is deleted with its artifacts, interactions, events, deliveries, stored " +
      `objects and Workflow instances, then corpora, data sets, agents and keys. To keep the data, call GET /v1/export with a live and with a test key first. Needs a live key. ${scopeNote("admin")}`,
    ...needs("admin"),
    request: {
      query: z.strictObject({
        confirm: z.string().openapi({
          description: "The tenant's id, from GET /v1/tenant, as a protection against accidents.",
          example: exampleId("ten"),
        }),
      }),
    },
    responses: {
      202: { description: "The deletion has started.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "wrong_mode"),
    },
  }),
  async (c) => {
    await deleteTenant(c.var.services, c.var.key, c.req.valid("query").confirm);
    return c.body(null, 202);
  },
);

/** Typed as string: from a literal type that ends in `json` the framework would infer a JSON body. */
const NDJSON: string = "application/x-ndjson";

const exportExample = [
  { type: "tenant", data: EXAMPLE_TENANT },
  { type: "run", data: EXAMPLE_RUN },
  { type: "end", data: {} },
];

tenant.openapi(
  createRoute({
    method: "get",
    path: "/v1/export",
    operationId: "exportTenant",
    tags,
    summary: "Export all data of the key's mode",
    description: `A stream of lines, each a JSON object \`{type, data}\`: ${Object.entries(EXPORT_LINES)
      .map(([type, meaning]) => `\`${type}\` (${meaning})`)
      .join(
        ", ",
      )}. Resources look as in the answers of their own paths. Corpora, data sets and runs come oldest first. ${scopeNote("admin")}`,
    ...needs("admin"),
    request: {
      query: z.strictObject({
        after: z
          .string()
          .regex(EXPORT_POSITION, "It must be `data.after` of a `continue` line.")
          .optional()
          .openapi({ description: "`data.after` of a `continue` line, to continue there.", example: exampleId("run") }),
      }),
    },
    responses: {
      200: {
        description: "The lines.",
        headers: requestIdHeader,
        content: {
          [NDJSON]: {
            schema: { type: "string" as const },
            example: exportExample.map((line) => `${JSON.stringify(line)}\n`).join(""),
          },
        },
      },
      ...errors(...KEYED, ...QUERY),
    },
  }),
  async (c) => {
    c.header("Content-Type", NDJSON);
    // Before the data leaves: the entry stands even if the export is cut off.
    await writeEntry(c.var.services, auditEntry(c, "done", null));
    const lines = exportTenant(c.var.services, c.var.key, c.req.valid("query").after ?? null);
    return stream(c, async (body) => {
      try {
        for await (const line of lines) {
          if (body.aborted) return;
          await body.write(`${JSON.stringify(line)}\n`);
        }
      } catch (error) {
        log.error("an export was cut off", { ...aboutRequest(c), error }); // the reader misses the last line
      }
    });
  },
);
