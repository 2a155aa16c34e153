import { createRoute, z } from "@hono/zod-openapi";
import { stream } from "hono/streaming";
import { log } from "#core/log";
import { deleteTenant } from "#services/tenants/delete-tenant";
import { EXPORT_LINES, EXPORT_PLACE, exportTenant } from "#services/tenants/export-tenant";
import { getTenant } from "#services/tenants/get-tenant";
import { newRouter } from "../context";
import { EXAMPLE_RUN, EXAMPLE_TENANT } from "../examples";
import { aboutRequest } from "../middleware/log";
import { errors, json, KEYED, needs, QUERY, requestIdHeader, scopeNote } from "../operation";
import { NO_QUERY } from "../pages";
import { exampleId, id, time } from "#services/fields/schema";

export const tenant = newRouter();

const tags = ["Tenant"];

const tenantSchema = z
  .strictObject({ object: z.literal("tenant"), id: id("ten"), name: z.string(), created_at: time })
  .openapi("Tenant");

tenant.openapi(
  createRoute({
    method: "get",
    path: "/v1/tenant",
    operationId: "getTenant",
    tags,
    summary: "Read whom the key belongs to",
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
    summary: "Delete the tenant and everything it has",
    description:
      "For good. Its keys open nothing from the answer on, this one included, and its webhooks are gone. The rest follows soon after, and is finished " +
      "even if the service stops in between: live runs are canceled, and every run goes with its artifacts, interactions, events, deliveries, stored " +
      `objects and Workflow instances, then corpora, agents and keys. GET /v1/export first, if you want to keep something. ${scopeNote("admin")}`,
    ...needs("admin"),
    request: {
      query: z.strictObject({
        confirm: z.string().openapi({
          description: "The tenant's id, from GET /v1/tenant: so that nobody does this by accident.",
          example: exampleId("ten"),
        }),
      }),
    },
    responses: {
      202: { description: "It is on its way out.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY),
    },
  }),
  async (c) => {
    await deleteTenant(c.var.services, c.var.key.tenant_id, c.req.valid("query").confirm);
    return c.body(null, 202);
  },
);

/** Of no narrower type: the framework would take the end of the word for JSON. */
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
    summary: "Export everything the tenant has",
    description: `A stream of lines, each a JSON object \`{type, data}\`: ${Object.entries(EXPORT_LINES)
      .map(([type, meaning]) => `\`${type}\` (${meaning})`)
      .join(
        ", ",
      )}. Resources look as their own paths show them. Corpora and runs come oldest first. ${scopeNote("admin")}`,
    ...needs("admin"),
    request: {
      query: z.strictObject({
        after: z
          .string()
          .regex(EXPORT_PLACE, "It must be `data.after` of a `continue` line.")
          .optional()
          .openapi({ description: "`data.after` of a `continue` line: where to go on.", example: exampleId("run") }),
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
    const lines = exportTenant(c.var.services, c.var.key.tenant_id, c.req.valid("query").after ?? null);
    return stream(c, async (body) => {
      try {
        for await (const line of lines) {
          if (body.aborted) return;
          await body.write(`${JSON.stringify(line)}\n`);
        }
      } catch (error) {
        log.error("an export was cut off", { ...aboutRequest(c), error }); // its reader misses the line that ends it
      }
    });
  },
);
