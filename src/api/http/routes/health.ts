import { createRoute } from "@hono/zod-openapi";
import { getHealth } from "#services/health/get-health";
import { healthSchema } from "#services/health/schema";
import { Router } from "../context";
import { json, requestIdHeader, retryAfterHeader } from "../operation";

export const health = new Router("Service");

health.openapi(
  createRoute({
    method: "get",
    path: "/healthz",
    operationId: "getHealth",
    tags: [health.tag],
    summary: "Check the service",
    description: "Whether the database answers, and whether interrupted work is being repaired. Needs no key.",
    security: [],
    responses: {
      200: json(healthSchema, "The service works.", { status: "ok", version: "0.1.0" }),
      503: {
        ...json(healthSchema, "The database does not answer, or interrupted work is not repaired.", {
          status: "unavailable",
          version: "0.1.0",
          because: "database",
        }),
        headers: { ...requestIdHeader, ...retryAfterHeader },
      },
    },
  }),
  async (c) => {
    const answer = await getHealth(c.var.services, c.var.request_id);
    return answer.status === "ok" ? c.json(answer, 200) : c.json(answer, 503, { "Retry-After": "5" });
  },
);
