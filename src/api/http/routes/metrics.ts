import { createRoute } from "@hono/zod-openapi";
import { accepts } from "hono/accepts";
import { z } from "zod";
import { EXPOSITION, exposition } from "#services/metrics/exposition";
import { getMetrics } from "#services/metrics/get-metrics";
import { newRouter } from "../context";
import { EXAMPLE_METRICS } from "../examples";
import { errors, KEYED, needs, QUERY, requestIdHeader, scopeNote } from "../operation";
import { NO_QUERY } from "../pages";
import { metricsSchema } from "../schemas/metrics";

export const metrics = newRouter();

metrics.openapi(
  createRoute({
    method: "get",
    path: "/v1/metrics",
    operationId: "getMetrics",
    tags: ["Tenant"],
    summary: "Count what there is",
    description:
      "Runs by workflow, mode and status with what they used, runs that stall, questions that wait, deliveries that are pending or have failed. " +
      "It counts what is stored: what was deleted counts no more. `Accept: text/plain` gives it as Prometheus scrapes it. Every run of the tenant is " +
      `looked at, so once a minute is often enough. ${scopeNote("admin")}`,
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
    const counted = await getMetrics(c.var.services, c.var.key.tenant_id);
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
