import { createRoute } from "@hono/zod-openapi";
import { accepts } from "hono/accepts";
import { z } from "zod";
import { EXPOSITION, exposition } from "#services/metrics/exposition";
import { getMetrics } from "#services/metrics/get-metrics";
import { metricsSchema } from "#services/metrics/schema";
import { newRouter } from "../context";
import { EXAMPLE_METRICS } from "../examples";
import { errors, KEYED, needs, QUERY, requestIdHeader, scopeNote } from "../operation";
import { NO_QUERY } from "../pages";

export const metrics = newRouter();

metrics.openapi(
  createRoute({
    method: "get",
    path: "/v1/metrics",
    operationId: "getMetrics",
    tags: ["Tenant"],
    summary: "Count runs, corpora and deliveries",
    description:
      "Runs by workflow, mode and status with their usage, stalled runs, open questions, pending and failed deliveries, and what the tenant uses of its quotas. Only stored data is counted: " +
      "deletions lower the counts. `Accept: text/plain` answers in the Prometheus text format. Every run of the tenant is " +
      `read, so once a minute is often enough. ${scopeNote("admin")}`,
    ...needs("admin"),
    request: { query: NO_QUERY },
    responses: {
      200: {
        description: "The counts.",
        headers: requestIdHeader,
        content: {
          "application/json": { schema: metricsSchema, example: EXAMPLE_METRICS },
          "text/plain": { schema: z.string(), example: exposition(EXAMPLE_METRICS) },
        },
      },
      ...errors(...KEYED, ...QUERY),
    },
  }),
  async (c) => {
    const counted = await getMetrics(c.var.services, c.var.key);
    const type = accepts(c, {
      header: "Accept",
      supports: ["application/json", "text/plain"],
      default: "application/json",
    });
    c.header("Vary", "Accept");
    if (type === "text/plain") return c.text(exposition(counted), 200, { "Content-Type": EXPOSITION });
    return c.json(counted, 200);
  },
);
