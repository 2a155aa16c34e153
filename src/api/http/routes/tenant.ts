import { z } from "@hono/zod-openapi";
import { exampleId } from "#services/fields/schema";
import { deleteTenant, getTenant } from "#services/tenants/tenants";
import { EXPORT_LINES, EXPORT_POSITION, exportTenant } from "#services/tenants/export-tenant";
import { tenantSchema } from "#services/tenants/schema";
import { Router } from "../context";
import { EXAMPLE_RUN, EXAMPLE_TENANT } from "../examples";
import { NDJSON, streamExport } from "../export";
import { keyedRoute, readRoute } from "../keyed-routes";
import { json, requestIdHeader } from "../operation";
import { writtenUnderKey } from "../under-key";

export const tenant = new Router("Tenant");

readRoute(
  tenant,
  {
    path: "/v1/tenant",
    operationId: "getTenant",
    summary: "Read the tenant of the key",
    scope: "runs:read",
    answer: json(tenantSchema, "The tenant.", EXAMPLE_TENANT),
  },
  ({ services, owner }) => getTenant(services, owner.tenant_id),
);

keyedRoute(
  tenant,
  {
    method: "delete",
    path: "/v1/tenant",
    operationId: "deleteTenant",
    summary: "Delete the tenant and all its data",
    description:
      "Permanently. Once this has answered, its keys are invalid, this one included, and its webhooks are deleted. The rest is deleted soon after, even " +
      "if the service stops in between: live runs are canceled, every run is deleted with its artifacts, interactions, events, deliveries, stored " +
      "objects and Workflow instances, then corpora, data sets, agents and keys. To keep the data, call GET /v1/export with a live and with a test key first. Needs a live key.",
    scope: "admin",
    query: z.strictObject({
      confirm: z.string().openapi({
        description: "The tenant's id, from GET /v1/tenant, as a protection against accidents.",
        example: exampleId("ten"),
      }),
    }),
    responses: { 202: { description: "The deletion has started.", headers: requestIdHeader } },
    errors: ["wrong_mode"],
  },
  async ({ c, services, owner, query: { confirm } }) => {
    await deleteTenant(services, owner, confirm, writtenUnderKey(c, owner.tenant_id));
    return c.body(null, 202);
  },
);

const exportExample = [
  { type: "tenant", data: EXAMPLE_TENANT },
  { type: "run", data: EXAMPLE_RUN },
  { type: "end", data: {} },
];

keyedRoute(
  tenant,
  {
    method: "get",
    path: "/v1/export",
    operationId: "exportTenant",
    summary: "Export all data of the key's mode",
    description: `A stream of lines, each a JSON object \`{type, data}\`: ${Object.entries(EXPORT_LINES)
      .map(([type, meaning]) => `\`${type}\` (${meaning})`)
      .join(
        ", ",
      )}. Resources look as in the answers of their own paths. Corpora, data sets and runs come oldest first.`,
    scope: "admin",
    query: z.strictObject({
      after: z
        .string()
        .regex(EXPORT_POSITION, "It must be `data.after` of a `continue` line.")
        .optional()
        .openapi({ description: "`data.after` of a `continue` line, to continue there.", example: exampleId("run") }),
    }),
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
    },
  },
  ({ c, services, owner, query: { after = null } }) =>
    streamExport(c, asLines(exportTenant(services, owner, after)), null),
);

async function* asLines(values: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`;
}
