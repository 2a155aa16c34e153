import { z } from "@hono/zod-openapi";
import { acknowledgeDeliveries, leaseDeliveries, newLease, showLease } from "#services/webhooks/leases";
import { acknowledgeSchema, leaseSchema } from "#services/webhooks/requests";
import { acknowledgedSchema, leasedDeliveriesSchema } from "#services/webhooks/schema";
import { Router } from "../context";
import { EXAMPLE_DELIVERY, EXAMPLE_LEASED } from "../examples";
import { verbRoute } from "../keyed-routes";
import { json, jsonRequest } from "../operation";
import { pathId } from "../schemas/common";

/** Deliveries of webhook endpoints with `delivery: poll`: for consumers that have no public URL. */
export const leases = new Router("Webhook endpoints");

const params = z.object({ id: pathId("whe") });

verbRoute(
  leases,
  {
    path: "/v1/webhook-endpoints/{id}/lease",
    operationId: "leaseDeliveries",
    summary: "Lease deliveries of a webhook endpoint",
    description:
      "For endpoints with `delivery: poll`: up to `limit` pending deliveries, signed as webhooks are, those of the oldest events first. Until the " +
      "lease ends no other lease gets them; those that were not acknowledged by then are given again, with the same `webhook-id` and body. Of each run " +
      "only the first pending one is given: the next one comes once it is acknowledged. One that nobody acknowledges fails after as long as " +
      "retries of a webhook last (75 hours). No long wait: an empty list says that nothing is due.",
    scope: "runs:write",
    params,
    body: jsonRequest(
      leaseSchema.meta({ id: "LeaseDeliveries" }),
      { limit: 10, lease_seconds: 60 },
      { required: false },
    ),
    answer: json(leasedDeliveriesSchema, "The leased deliveries.", EXAMPLE_LEASED),
    show: ({ services, owner, params: { id } }, lease) => showLease(services, owner, id, lease),
    errors: ["webhook_endpoint_pushes", "webhook_endpoint_disabled"],
  },
  ({ services, owner, params: { id }, body: request, complete }) => {
    const lease = newLease();
    return leaseDeliveries(services, { owner, id, lease, request }, complete(lease));
  },
);

verbRoute(
  leases,
  {
    path: "/v1/webhook-endpoints/{id}/acknowledge",
    operationId: "acknowledgeDeliveries",
    summary: "Acknowledge deliveries of a webhook endpoint",
    description:
      "For endpoints with `delivery: poll`: these deliveries are not given again. Safe to repeat, and after the lease has ended.",
    scope: "runs:write",
    params,
    body: jsonRequest(acknowledgeSchema.meta({ id: "AcknowledgeDeliveries" }), { deliveries: [EXAMPLE_DELIVERY.id] }),
    answer: json(acknowledgedSchema, "What is acknowledged.", {
      object: "acknowledged_deliveries",
      acknowledged: [EXAMPLE_DELIVERY.id],
      unknown: [],
    }),
    show: ({ services, owner, params: { id }, body: { deliveries } }) =>
      acknowledgeDeliveries(services, { owner, id, deliveries }, undefined),
    errors: ["webhook_endpoint_pushes"],
  },
  ({ services, owner, params: { id }, body: { deliveries }, complete }) =>
    acknowledgeDeliveries(services, { owner, id, deliveries }, complete(id)),
);
