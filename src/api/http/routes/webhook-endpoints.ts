import { createRoute, z } from "@hono/zod-openapi";
import { idPattern } from "#core/ids";
import { createEndpoint } from "#services/webhooks/create-endpoint";
import { deleteEndpoint } from "#services/webhooks/delete-endpoint";
import { getEndpoint } from "#services/webhooks/get-endpoint";
import { listEndpoints } from "#services/webhooks/list-endpoints";
import { pingEndpoint, showPing } from "#services/webhooks/ping-endpoint";
import { rotateSecretSchema } from "#services/webhooks/requests";
import { getEndpointWithSecret, rotateSecret } from "#services/webhooks/rotate-secret";
import {
  deliverySchema,
  endpointSchema,
  endpointStatusSchema,
  endpointWithSecretSchema,
} from "#services/webhooks/schema";
import { updateEndpoint } from "#services/webhooks/update-endpoint";
import { noFieldsSchema } from "#services/runs/requests";
import { newId } from "#core/ids";
import { newRouter } from "../context";
import { answerCreated, writtenUnderKey } from "../under-key";
import { EXAMPLE_DELIVERY, EXAMPLE_ENDPOINT, EXAMPLE_SECRET } from "../examples";
import { jsonBody, readJson } from "../middleware/body";
import {
  BODY,
  created,
  errors,
  json,
  jsonRequest,
  KEYED,
  LIST,
  needs,
  QUERY,
  referredRequest,
  requestIdHeader,
  scopeNote,
} from "../operation";
import { NO_QUERY, jsonPage, pageQuery, readCursor, toAnswer } from "../pages";
import { pathId } from "../schemas/common";

export const webhookEndpoints = newRouter();

const tags = ["Webhook endpoints"];
const request = { params: z.object({ id: pathId("whe") }), query: NO_QUERY };

webhookEndpoints.openapi(
  createRoute({
    method: "post",
    path: "/v1/webhook-endpoints",
    operationId: "createWebhookEndpoint",
    tags,
    summary: "Create a webhook endpoint",
    description: `It is notified of later events of all the tenant's runs, or with \`a2a\` of one. Only this answer shows its secret. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: {
      query: NO_QUERY,
      body: referredRequest("CreateWebhookEndpoint", {
        url: EXAMPLE_ENDPOINT.url,
        events: EXAMPLE_ENDPOINT.events,
        description: EXAMPLE_ENDPOINT.description,
      }),
    },
    responses: {
      201: created(endpointWithSecretSchema, "endpoint", { ...EXAMPLE_ENDPOINT, secret: EXAMPLE_SECRET }),
      ...errors(...KEYED, ...QUERY, ...BODY, "url_refused", "not_found", "quota_exceeded"),
    },
  }),
  async (c) => {
    const { services, key } = c.var;
    const body = await readJson(c);
    return answerCreated(c, "/v1/webhook-endpoints", (settle) => createEndpoint(services, key, body, settle));
  },
);

webhookEndpoints.openapi(
  createRoute({
    method: "get",
    path: "/v1/webhook-endpoints",
    operationId: "listWebhookEndpoints",
    tags,
    summary: "List webhook endpoints",
    description: `Newest first: the endpoints of the whole tenant, or with \`run_id\` those of that run. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: {
      query: z.strictObject({
        ...pageQuery,
        run_id: pathId("run").optional(),
        status: endpointStatusSchema.optional(),
      }),
    },
    responses: {
      200: jsonPage("WebhookEndpointPage", endpointSchema, "webhook endpoints", EXAMPLE_ENDPOINT),
      ...errors(...KEYED, ...LIST),
    },
  }),
  async (c) => {
    const { limit, cursor, ...filter } = c.req.valid("query");
    const page = await listEndpoints(c.var.services, {
      owner: c.var.key,
      filter,
      limit,
      after: readCursor("webhook_endpoints", idPattern("whe"), cursor),
    });
    return c.json(toAnswer("webhook_endpoints", page), 200);
  },
);

webhookEndpoints.openapi(
  createRoute({
    method: "get",
    path: "/v1/webhook-endpoints/{id}",
    operationId: "getWebhookEndpoint",
    tags,
    summary: "Read a webhook endpoint",
    description: scopeNote("runs:read"),
    ...needs("runs:read"),
    request,
    responses: {
      200: json(endpointSchema, "The endpoint.", EXAMPLE_ENDPOINT),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => c.json(await getEndpoint(c.var.services, c.var.key, c.req.valid("param").id), 200),
);

webhookEndpoints.openapi(
  createRoute({
    method: "patch",
    path: "/v1/webhook-endpoints/{id}",
    operationId: "updateWebhookEndpoint",
    tags,
    summary: "Change a webhook endpoint",
    description: `Each given field replaces the stored one; pending deliveries go to the new URL. \`{"status": "enabled"}\` reactivates a disabled endpoint; deliveries that failed meanwhile can be redelivered. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { ...request, body: referredRequest("UpdateWebhookEndpoint", { status: "enabled" }) },
    responses: {
      200: json(endpointSchema, "The endpoint.", EXAMPLE_ENDPOINT),
      ...errors(...KEYED, ...QUERY, ...BODY, "url_refused", "not_found"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const change = { owner: c.var.key, id, body: await readJson(c) };
    return c.json(await updateEndpoint(c.var.services, change), 200);
  },
);

webhookEndpoints.openapi(
  createRoute({
    method: "delete",
    path: "/v1/webhook-endpoints/{id}",
    operationId: "deleteWebhookEndpoint",
    tags,
    summary: "Delete a webhook endpoint",
    description: `With its deliveries; pending ones are not sent. ${scopeNote("runs:write")}`,
    ...needs("runs:write"),
    request,
    responses: {
      204: { description: "Deleted.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    await deleteEndpoint(c.var.services, c.var.key, c.req.valid("param").id);
    return c.body(null, 204);
  },
);

webhookEndpoints.openapi(
  createRoute({
    method: "post",
    path: "/v1/webhook-endpoints/{id}/rotate-secret",
    operationId: "rotateWebhookSecret",
    tags,
    summary: "Rotate the secret of a webhook endpoint",
    description: `Only this answer shows the new secret. During the overlap deliveries carry two signatures, of the new secret and of the previous one. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody({ optional: true })),
    request: {
      ...request,
      body: jsonRequest(rotateSecretSchema.meta({ id: "RotateWebhookSecret" }), { overlap: "2h" }, { required: false }),
    },
    responses: {
      200: json(endpointWithSecretSchema, "The endpoint, with its new secret.", {
        ...EXAMPLE_ENDPOINT,
        previous_secret_expires_at: "2026-11-21T11:30:00.000Z",
        secret: EXAMPLE_SECRET,
      }),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "webhook_endpoint_unsigned"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const { services, key, held } = c.var;
    const rotation = { owner: key, id, request: c.req.valid("json") };
    if (held?.made) return c.json(await getEndpointWithSecret(services, key, id), 200);
    return c.json(await rotateSecret(services, rotation, writtenUnderKey(c, id)), 200);
  },
);

webhookEndpoints.openapi(
  createRoute({
    method: "post",
    path: "/v1/webhook-endpoints/{id}/ping",
    operationId: "pingWebhookEndpoint",
    tags,
    summary: "Ping a webhook endpoint",
    description: `Sends a delivery of type \`webhook.ping\`, whatever types the endpoint asks for; it is signed, listed and retried like any other. 429 while its host has been sent as many webhooks as one host gets within a minute. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody({ optional: true })),
    request: { ...request, body: jsonRequest(noFieldsSchema, {}, { required: false }) },
    responses: {
      202: created(deliverySchema, "delivery, which is under way", { ...EXAMPLE_DELIVERY, attempts: [] }),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "webhook_endpoint_disabled"),
    },
  }),
  async (c) => {
    const { services, key, held } = c.var;
    const { id } = c.req.valid("param");
    const message = newId("evt");
    const delivery = held?.made
      ? await showPing(services, id, held.made)
      : await pingEndpoint(services, { owner: key, id, message }, writtenUnderKey(c, message));
    return c.json(delivery, 202, { Location: `/v1/deliveries/${delivery.id}` });
  },
);
