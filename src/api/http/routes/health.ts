import { createRoute, z } from "@hono/zod-openapi";
import { log } from "#core/log";
import { newRouter } from "../context";
import { json, requestIdHeader, retryAfterHeader } from "../operation";

export const health = newRouter();

const healthSchema = z.strictObject({ status: z.enum(["ok", "unavailable"]), version: z.string() }).openapi("Health");

health.openapi(
  createRoute({
    method: "get",
    path: "/healthz",
    operationId: "getHealth",
    tags: ["Service"],
    summary: "Check the service",
    description: "Queries the database. Needs no key.",
    security: [],
    responses: {
      200: json(healthSchema, "The service works.", { status: "ok", version: "0.1.0" }),
      503: {
        ...json(healthSchema, "The database does not answer.", { status: "unavailable", version: "0.1.0" }),
        headers: { ...requestIdHeader, ...retryAfterHeader },
      },
    },
  }),
  async (c) => {
    const { store, settings } = c.var.services;
    const { version } = settings;
    try {
      await store.ping();
      return c.json({ status: "ok" as const, version }, 200);
    } catch (error) {
      log.error("the database does not answer", { request_id: c.var.request_id, error });
      return c.json({ status: "unavailable" as const, version }, 503, { "Retry-After": "5" });
    }
  },
);
