import { accepts } from "hono/accepts";
import { z } from "zod";
import { EXPOSITION, exposition } from "#services/metrics/exposition";
import { getMetrics } from "#services/metrics/get-metrics";
import { metricsSchema } from "#services/metrics/schema";
import { Router } from "../context";
import { EXAMPLE_METRICS } from "../examples";
import { keyedRoute } from "../keyed-routes";
import { requestIdHeader } from "../operation";

export const metrics = new Router("Tenant");

keyedRoute(
  metrics,
  {
    method: "get",
    path: "/v1/metrics",
    operationId: "getMetrics",
    summary: "Count runs, corpora and deliveries",
    description:
      "Runs by workflow, mode and status with their usage, stalled runs, open questions, pending and failed deliveries, and what the tenant uses of its quotas. Only stored data is counted: " +
      "deletions lower the counts. `Accept: text/plain` answers in the Prometheus text format. Every run of the tenant is " +
      "read, so once a minute is often enough.",
    scope: "runs:read",
    responses: {
      200: {
        description: "The counts.",
        headers: requestIdHeader,
        content: {
          "application/json": { schema: metricsSchema, example: EXAMPLE_METRICS },
          "text/plain": { schema: z.string(), example: exposition(EXAMPLE_METRICS) },
        },
      },
    },
  },
  async ({ c, services, owner }) => {
    const counted = await getMetrics(services, owner);
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
