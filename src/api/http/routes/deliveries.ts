import { createRoute, z } from "@hono/zod-openapi";
import { idPattern } from "#core/ids";
import { has } from "#services/keys/authenticate";
import { noFieldsSchema } from "#services/runs/requests";
import type { KeyRow } from "#services/keys/authenticate";
import { getDelivery } from "#services/webhooks/get-delivery";
import { listDeliveries } from "#services/webhooks/list-deliveries";
import { redeliver } from "#services/webhooks/redeliver";
import { deliverySchema, deliveryStatusSchema } from "#services/webhooks/schema";
import { newRouter } from "../context";
import { writtenUnderKey } from "../under-key";
import { EXAMPLE_DELIVERY } from "../examples";
import { jsonBody } from "../middleware/body";
import { BODY, created, errors, json, jsonRequest, KEYED, LIST, needs, QUERY, scopeNote } from "../operation";
import { NO_QUERY, jsonPage, limitOf, pageQuery, readCursor, toAnswer } from "../pages";
import { pathId } from "../schemas/common";

export const deliveries = newRouter();

const tags = ["Webhook endpoints"];
const request = { params: z.object({ id: pathId("del") }), query: NO_QUERY };
const viewer = (key: KeyRow) => ({ may_answer: has(key, "runs:write") });

deliveries.openapi(
  createRoute({
    method: "get",
    path: "/v1/webhook-endpoints/{id}/deliveries",
    operationId: "listDeliveries",
    tags,
    summary: "List the deliveries of a webhook endpoint",
    description: `Newest first, each with its body, every attempt, and the time of the next attempt. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: {
      params: z.object({ id: pathId("whe") }),
      query: z.strictObject({
        ...pageQuery,
        limit: limitOf(20), // bodies are long
        run_id: pathId("run").optional(),
        status: deliveryStatusSchema.optional(),
      }),
    },
    responses: {
      200: jsonPage("DeliveryPage", deliverySchema, "deliveries", EXAMPLE_DELIVERY),
      ...errors(...KEYED, ...LIST, "not_found"),
    },
  }),
  async (c) => {
    const { limit, cursor, ...filter } = c.req.valid("query");
    const { services, key } = c.var;
    const page = await listDeliveries(services, {
      owner: key,
      endpoint: c.req.valid("param").id,
      filter,
      limit,
      after: readCursor("deliveries", idPattern("del"), cursor),
      viewer: viewer(key),
    });
    return c.json(toAnswer("deliveries", page), 200);
  },
);

deliveries.openapi(
  createRoute({
    method: "get",
    path: "/v1/deliveries/{id}",
    operationId: "getDelivery",
    tags,
    summary: "Read a delivery",
    description: scopeNote("runs:read"),
    ...needs("runs:read"),
    request,
    responses: {
      200: json(deliverySchema, "The delivery.", EXAMPLE_DELIVERY),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    const { services, key } = c.var;
    const { id } = c.req.valid("param");
    return c.json(await getDelivery(services, { owner: key, id, viewer: viewer(key) }), 200);
  },
);

deliveries.openapi(
  createRoute({
    method: "post",
    path: "/v1/deliveries/{id}/redeliver",
    operationId: "redeliver",
    tags,
    summary: "Send a delivery again",
    description: `At once, whatever its status, with the same \`webhook-id\` and body and a new signature; if that fails, it is retried like a new delivery. 429 while its host has been sent as many webhooks as one host gets within a minute. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody({ optional: true })),
    request: { ...request, body: jsonRequest(noFieldsSchema, {}, { required: false }) },
    responses: {
      202: created(deliverySchema, "delivery, which is under way", EXAMPLE_DELIVERY),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "webhook_endpoint_disabled"),
    },
  }),
  async (c) => {
    const { services, key, held } = c.var;
    const { id } = c.req.valid("param");
    const delivery = held?.made
      ? await getDelivery(services, { owner: key, id, viewer: viewer(key) })
      : await redeliver(services, { owner: key, id }, writtenUnderKey(c, id));
    return c.json(delivery, 202, { Location: `/v1/deliveries/${delivery.id}` });
  },
);
