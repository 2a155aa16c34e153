import { z } from "@hono/zod-openapi";
import { idPattern, newId } from "#core/ids";
import { createEndpoint } from "#services/webhooks/create-endpoint";
import { deleteEndpoint, getEndpoint, listEndpoints, updateEndpoint } from "#services/webhooks/endpoints";
import { pingEndpoint, showPing } from "#services/webhooks/ping-endpoint";
import { rotateSecretSchema } from "#services/webhooks/requests";
import { getEndpointWithSecret, rotateSecret } from "#services/webhooks/rotate-secret";
import {
  deliverySchema,
  endpointSchema,
  endpointStatusSchema,
  endpointWithSecretSchema,
} from "#services/webhooks/schema";
import { Router } from "../context";
import { EXAMPLE_DELIVERY, EXAMPLE_ENDPOINT, EXAMPLE_SECRET } from "../examples";
import { changeRoute, creationRoute, deleteRoute, listRoute, readRoute, verbRoute } from "../keyed-routes";
import { created, json, jsonRequest, NO_FIELDS, referredRequest } from "../operation";
import { jsonPage, pageQuery } from "../pages";
import { pathId } from "../schemas/common";

export const webhookEndpoints = new Router("Webhook endpoints");

const params = z.object({ id: pathId("whe") });
const answer = json(endpointSchema, "The endpoint.", EXAMPLE_ENDPOINT);

creationRoute(
  webhookEndpoints,
  {
    path: "/v1/webhook-endpoints",
    operationId: "createWebhookEndpoint",
    summary: "Create a webhook endpoint",
    description:
      "It is notified of later events of all the tenant's runs, or with `a2a` of one. Only this answer shows its secret.",
    scope: "runs:write",
    body: referredRequest("CreateWebhookEndpoint", {
      url: EXAMPLE_ENDPOINT.url,
      events: EXAMPLE_ENDPOINT.events,
      description: EXAMPLE_ENDPOINT.description,
    }),
    answer: created(endpointWithSecretSchema, "endpoint", { ...EXAMPLE_ENDPOINT, secret: EXAMPLE_SECRET }),
    errors: ["url_refused", "not_found", "quota_exceeded"],
  },
  ({ services, owner, body, complete }) => createEndpoint(services, owner, body, complete),
);

listRoute(
  webhookEndpoints,
  {
    path: "/v1/webhook-endpoints",
    operationId: "listWebhookEndpoints",
    summary: "List webhook endpoints",
    description: "Newest first: the endpoints of the whole tenant, or with `run_id` those of that run.",
    scope: "runs:read",
    query: z.strictObject({
      ...pageQuery,
      run_id: pathId("run").optional(),
      status: endpointStatusSchema.optional(),
    }),
    cursor: ["webhook_endpoints", idPattern("whe")],
    answer: jsonPage("WebhookEndpointPage", endpointSchema, "webhook endpoints", EXAMPLE_ENDPOINT),
  },
  ({ services, page, filter }) => listEndpoints(services, { ...page, filter }),
);

readRoute(
  webhookEndpoints,
  {
    path: "/v1/webhook-endpoints/{id}",
    operationId: "getWebhookEndpoint",
    summary: "Read a webhook endpoint",
    scope: "runs:read",
    params,
    answer,
  },
  ({ services, owner, params: { id } }) => getEndpoint(services, owner, id),
);

changeRoute(
  webhookEndpoints,
  {
    path: "/v1/webhook-endpoints/{id}",
    operationId: "updateWebhookEndpoint",
    summary: "Change a webhook endpoint",
    description:
      'Each given field replaces the stored one; pending deliveries go to the new URL. `{"status": "enabled"}` reactivates a disabled endpoint; deliveries that failed meanwhile can be redelivered.',
    scope: "runs:write",
    params,
    body: referredRequest("UpdateWebhookEndpoint", { status: "enabled" }),
    answer,
    errors: ["url_refused"],
  },
  ({ services, owner, params: { id }, body, complete }) => updateEndpoint(services, { owner, id, body }, complete(id)),
);

deleteRoute(
  webhookEndpoints,
  {
    path: "/v1/webhook-endpoints/{id}",
    operationId: "deleteWebhookEndpoint",
    summary: "Delete a webhook endpoint",
    description: "With its deliveries; pending ones are not sent.",
    scope: "runs:write",
    params,
  },
  ({ services, owner, params: { id }, complete }) => deleteEndpoint(services, owner, id, complete(id)),
);

verbRoute(
  webhookEndpoints,
  {
    path: "/v1/webhook-endpoints/{id}/rotate-secret",
    operationId: "rotateWebhookSecret",
    summary: "Rotate the secret of a webhook endpoint",
    description:
      "Only this answer shows the new secret. During the overlap deliveries carry two signatures, of the new secret and of the previous one.",
    scope: "runs:write",
    params,
    body: jsonRequest(rotateSecretSchema.meta({ id: "RotateWebhookSecret" }), { overlap: "2h" }, { required: false }),
    answer: json(endpointWithSecretSchema, "The endpoint, with its new secret.", {
      ...EXAMPLE_ENDPOINT,
      previous_secret_expires_at: "2026-11-21T11:30:00.000Z",
      secret: EXAMPLE_SECRET,
    }),
    show: ({ services, owner, params: { id } }) => getEndpointWithSecret(services, owner, id),
    errors: ["webhook_endpoint_unsigned"],
  },
  ({ services, owner, params: { id }, body: request, complete }) =>
    rotateSecret(services, { owner, id, request }, complete(id)),
);

verbRoute(
  webhookEndpoints,
  {
    path: "/v1/webhook-endpoints/{id}/ping",
    operationId: "pingWebhookEndpoint",
    summary: "Ping a webhook endpoint",
    description:
      "Sends a delivery of type `webhook.ping`, whatever types the endpoint asks for; it is signed, listed and retried like any other. 429 while its host has been sent as many webhooks as one host gets within a minute.",
    scope: "runs:write",
    params,
    body: NO_FIELDS,
    answer: created(deliverySchema, "delivery, which is under way", { ...EXAMPLE_DELIVERY, attempts: [] }),
    location: ({ id }) => `/v1/deliveries/${id}`,
    show: ({ services, params: { id } }, message) => showPing(services, id, message),
    errors: ["webhook_endpoint_disabled"],
  },
  ({ services, owner, params: { id }, complete }) => {
    const message = newId("evt");
    return pingEndpoint(services, { owner, id, message }, complete(message));
  },
);
