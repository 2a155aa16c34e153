import { z } from "@hono/zod-openapi";
import { DELIVERY_STATUSES, DISABLED_BECAUSE, DELIVERY_TYPES } from "#core/vocabulary";
import { endpointStatusSchema, webhookTypeSchema } from "#services/webhooks/schema";
import { id, time } from "#services/fields/schema";

export const deliveryStatusSchema = z.enum(DELIVERY_STATUSES).openapi("DeliveryStatus");

const shown = {
  object: z.literal("webhook_endpoint"),
  id: id("whe"),
  run_id: id("run")
    .nullable()
    .openapi({ description: "The run whose own webhook it is; null: it is of the whole tenant." }),
  url: z.string(),
  events: z.array(webhookTypeSchema),
  description: z.string(),
  status: endpointStatusSchema,
  disabled_because: z
    .enum(DISABLED_BECAUSE)
    .nullable()
    .openapi({
      description:
        "`receiver_gone`: it answered 410. `retries_failed`: a last retry failed, and nothing else got through since that delivery began. " +
        "`by_request`: by a PATCH.",
    }),
  disabled_at: time.nullable(),
  previous_secret_expires_at: time
    .nullable()
    .openapi({ description: "Until then deliveries are signed with the secret before the last rotation, too." }),
  created_at: time,
  updated_at: time,
};

export const endpointSchema = z.strictObject(shown).openapi("WebhookEndpoint");

/** With the secret, where it is shown. */
export const endpointWithSecretSchema = z
  .strictObject({
    ...shown,
    secret: z.string().openapi({ description: "What deliveries are signed with. It is shown this once." }),
  })
  .openapi("WebhookEndpointWithSecret");

const attemptSchema = z
  .strictObject({
    attempt: z.int(),
    started_at: time,
    duration_ms: z.int(),
    request: z
      .strictObject({ url: z.string(), headers: z.record(z.string(), z.string()) })
      .nullable()
      .openapi({ description: "Where it was posted, and with which headers; null when it could not be composed." }),
    response: z
      .strictObject({ status: z.int(), body: z.string().openapi({ description: "Its first kilobyte." }) })
      .nullable()
      .openapi({ description: "null when none came." }),
    error: z.string().nullable().openapi({ description: "Why it did not count as delivered." }),
  })
  .openapi("DeliveryAttempt");

export const deliverySchema = z
  .strictObject({
    object: z.literal("delivery"),
    id: id("del"),
    endpoint_id: id("whe"),
    event_id: id("evt").openapi({ description: "The `webhook-id` of every attempt." }),
    run_id: id("run").nullable(),
    type: z.enum(DELIVERY_TYPES),
    status: deliveryStatusSchema,
    body: z.string().openapi({
      description: "What every attempt posts. To keys that may not write runs, `callback_url` in it is shown as null.",
    }),
    attempts: z.array(attemptSchema),
    next_attempt_at: time.nullable(),
    created_at: time,
    settled_at: time.nullable(),
  })
  .openapi("Delivery");
