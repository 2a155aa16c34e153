import { z } from "@hono/zod-openapi";
import { idPattern } from "#core/ids";
import { has, type KeyRow } from "#services/keys/authenticate";
import { getDelivery, listDeliveries, redeliver } from "#services/webhooks/deliveries";
import { deliverySchema, deliveryStatusSchema } from "#services/webhooks/schema";
import { Router } from "../context";
import { EXAMPLE_DELIVERY } from "../examples";
import { listRoute, readRoute, verbRoute } from "../keyed-routes";
import { created, json, NO_FIELDS } from "../operation";
import { jsonPage, limitOf, pageQuery } from "../pages";
import { pathId } from "../schemas/common";

export const deliveries = new Router("Webhook endpoints");

const params = z.object({ id: pathId("del") });
const viewer = (key: KeyRow) => ({ may_answer: has(key, "runs:write") });

listRoute(
  deliveries,
  {
    path: "/v1/webhook-endpoints/{id}/deliveries",
    operationId: "listDeliveries",
    summary: "List the deliveries of a webhook endpoint",
    description: "Newest first, each with its body, every attempt, and the time of the next attempt.",
    scope: "runs:read",
    params: z.object({ id: pathId("whe") }),
    query: z.strictObject({
      ...pageQuery,
      limit: limitOf(20), // bodies are long
      run_id: pathId("run").optional(),
      status: deliveryStatusSchema.optional(),
    }),
    cursor: ["deliveries", idPattern("del")],
    answer: jsonPage("DeliveryPage", deliverySchema, "deliveries", EXAMPLE_DELIVERY),
  },
  ({ services, owner, params: { id: endpoint }, page, filter }) =>
    listDeliveries(services, { ...page, endpoint, filter, viewer: viewer(owner) }),
);

readRoute(
  deliveries,
  {
    path: "/v1/deliveries/{id}",
    operationId: "getDelivery",
    summary: "Read a delivery",
    scope: "runs:read",
    params,
    answer: json(deliverySchema, "The delivery.", EXAMPLE_DELIVERY),
  },
  ({ services, owner, params: { id } }) => getDelivery(services, { owner, id, viewer: viewer(owner) }),
);

verbRoute(
  deliveries,
  {
    path: "/v1/deliveries/{id}/redeliver",
    operationId: "redeliver",
    summary: "Send a delivery again",
    description:
      "At once, whatever its status, with the same `webhook-id` and body and a new signature; if that fails, it is retried like a new delivery. 429 while its host has been sent as many webhooks as one host gets within a minute.",
    scope: "runs:write",
    params,
    body: NO_FIELDS,
    answer: created(deliverySchema, "delivery, which is under way", EXAMPLE_DELIVERY),
    location: ({ id }) => `/v1/deliveries/${id}`,
    show: ({ services, owner, params: { id } }) => getDelivery(services, { owner, id, viewer: viewer(owner) }),
    errors: ["webhook_endpoint_disabled"],
  },
  ({ services, owner, params: { id }, complete }) => redeliver(services, { owner, id }, complete(id)),
);
