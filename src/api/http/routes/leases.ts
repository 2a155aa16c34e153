import { createRoute, z } from "@hono/zod-openapi";
import { acknowledgeDeliveries } from "#services/webhooks/acknowledge-deliveries";
import { leaseDeliveries, newLease, showLease } from "#services/webhooks/lease-deliveries";
import { acknowledgeSchema, leaseSchema } from "#services/webhooks/requests";
import { acknowledgedSchema, leasedDeliveriesSchema } from "#services/webhooks/schema";
import { newRouter } from "../context";
import { EXAMPLE_DELIVERY, EXAMPLE_LEASED } from "../examples";
import { jsonBody } from "../middleware/body";
import { BODY, errors, json, jsonRequest, KEYED, needs, QUERY, scopeNote } from "../operation";
import { NO_QUERY } from "../pages";
import { pathId } from "../schemas/common";
import { writtenUnderKey } from "../under-key";

/** Deliveries of webhook endpoints with `delivery: poll`: for consumers that have no public URL. */
export const leases = newRouter();

const tags = ["Webhook endpoints"];
const request = { params: z.object({ id: pathId("whe") }), query: NO_QUERY };

leases.openapi(
  createRoute({
    method: "post",
    path: "/v1/webhook-endpoints/{id}/lease",
    operationId: "leaseDeliveries",
    tags,
    summary: "Lease deliveries of a webhook endpoint",
    description:
      "For endpoints with `delivery: poll`: up to `limit` pending deliveries, signed as webhooks are, those of the oldest events first. Until the " +
      "lease ends no other lease gets them; those that were not acknowledged by then are given again, with the same `webhook-id` and body. Of each run " +
      "only the first pending one is given: the next one comes once it is acknowledged. One that nobody acknowledges fails after as long as " +
      `retries of a webhook last (75 hours). No long wait: an empty list says that nothing is due. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody({ optional: true })),
    request: {
      ...request,
      body: jsonRequest(
        leaseSchema.meta({ id: "LeaseDeliveries" }),
        { limit: 10, lease_seconds: 60 },
        { required: false },
      ),
    },
    responses: {
      200: json(leasedDeliveriesSchema, "The leased deliveries.", EXAMPLE_LEASED),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "webhook_endpoint_pushes", "webhook_endpoint_disabled"),
    },
  }),
  async (c) => {
    const { services, key: owner, held } = c.var;
    const { id } = c.req.valid("param");
    if (held?.made) return c.json(await showLease(services, owner, id, held.made), 200);
    const lease = newLease();
    const leased = { owner, id, lease, request: c.req.valid("json") };
    return c.json(await leaseDeliveries(services, leased, writtenUnderKey(c, lease)), 200);
  },
);

leases.openapi(
  createRoute({
    method: "post",
    path: "/v1/webhook-endpoints/{id}/acknowledge",
    operationId: "acknowledgeDeliveries",
    tags,
    summary: "Acknowledge deliveries of a webhook endpoint",
    description: `For endpoints with \`delivery: poll\`: these deliveries are not given again. Safe to repeat, and after the lease has ended. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: {
      ...request,
      body: jsonRequest(acknowledgeSchema.meta({ id: "AcknowledgeDeliveries" }), { deliveries: [EXAMPLE_DELIVERY.id] }),
    },
    responses: {
      200: json(acknowledgedSchema, "What is acknowledged.", {
        object: "acknowledged_deliveries",
        acknowledged: [EXAMPLE_DELIVERY.id],
        unknown: [],
      }),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "webhook_endpoint_pushes"),
    },
  }),
  async (c) => {
    const { services, key: owner, held } = c.var;
    const { id } = c.req.valid("param");
    const { deliveries } = c.req.valid("json");
    const settlement = held?.made ? undefined : writtenUnderKey(c, id);
    return c.json(await acknowledgeDeliveries(services, { owner, id, deliveries }, settlement), 200);
  },
);
