import { createRoute } from "@hono/zod-openapi";
import { getUsage } from "#services/usage/get-usage";
import { usageQuery, usageReportSchema } from "#services/usage/schema";
import { newRouter } from "../context";
import { EXAMPLE_USAGE_REPORT } from "../examples";
import { errors, json, KEYED, needs, QUERY, scopeNote } from "../operation";

export const usage = newRouter();

usage.openapi(
  createRoute({
    method: "get",
    path: "/v1/usage",
    operationId: "getUsage",
    tags: ["Tenant"],
    summary: "Sum up usage and cost",
    description: `Of all runs and corpora in the key's mode, deleted ones too, by UTC day of use; \`group_by\` names \`day\`, \`workflow\`, \`role\`, \`model\`. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { query: usageQuery },
    responses: { 200: json(usageReportSchema, "The sums.", EXAMPLE_USAGE_REPORT), ...errors(...KEYED, ...QUERY) },
  }),
  async (c) => c.json(await getUsage(c.var.services, c.var.key, c.req.valid("query")), 200),
);
