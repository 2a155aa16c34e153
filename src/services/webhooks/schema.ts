import { z } from "zod";
import {
  DELIVERY_STATUSES,
  DELIVERY_TYPES,
  DISABLED_BECAUSE,
  ENDPOINT_STATUSES,
  WEBHOOK_TYPES,
} from "#core/vocabulary";
import { id, time } from "../fields/schema";

export const webhookTypeSchema = z
  .enum(WEBHOOK_TYPES)
  .meta({ id: "WebhookType", description: "Events of runs, and that another endpoint was disabled." });

export const endpointStatusSchema = z.enum(ENDPOINT_STATUSES).meta({ id: "WebhookEndpointStatus" });

/** The WebhookEndpoint of the API, without its secrets. */
export const endpointSchema = z
  .strictObject({
    object: z.literal("webhook_endpoint"),
    id: id("whe"),
    run_id: id("run").nullable().describe("The run that has it as its own webhook; null: the whole tenant's."),
    url: z.string(),
    events: z.array(webhookTypeSchema),
    description: z.string(),
    status: endpointStatusSchema,
    disabled_because: z
      .enum(DISABLED_BECAUSE)
      .nullable()
      .describe(
        "`receiver_gone`: it answered 410. `retries_failed`: the last retry of a delivery failed, and no other delivery succeeded since that " +
          "delivery began. `by_request`: by a PATCH.",
      ),
    disabled_at: time.nullable(),
    previous_secret_expires_at: time
      .nullable()
      .describe("Until then deliveries are also signed with the secret from before the last rotation."),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "WebhookEndpoint" });
export type PresentedEndpoint = z.infer<typeof endpointSchema>;

export const endpointWithSecretSchema = z
  .strictObject({
    ...endpointSchema.shape,
    secret: z.string().describe("Deliveries are signed with it. Shown only in this answer."),
  })
  .meta({ id: "WebhookEndpointWithSecret" });
export type EndpointWithSecret = z.infer<typeof endpointWithSecretSchema>;

const attemptSchema = z
  .strictObject({
    attempt: z.int(),
    started_at: time,
    duration_ms: z.int(),
    request: z
      .strictObject({ url: z.string(), headers: z.record(z.string(), z.string()) })
      .nullable()
      .describe("The URL and headers of the POST; null when the request could not be composed."),
    response: z
      .strictObject({ status: z.int(), body: z.string().describe("Its first kilobyte.") })
      .nullable()
      .describe("null when there was no response."),
    error: z.string().nullable().describe("Why the attempt did not count as delivered."),
  })
  .meta({ id: "DeliveryAttempt" });
export type PresentedAttempt = z.infer<typeof attemptSchema>;

export const deliveryStatusSchema = z.enum(DELIVERY_STATUSES).meta({ id: "DeliveryStatus" });

/** The body of a webhook as the text that is signed. */
const bodySchema = z
  .string()
  .meta({ contentMediaType: "application/json", contentSchema: { $ref: "#/components/schemas/Webhook" } });

/** One message to one endpoint, with the attempts to deliver it. */
export const deliverySchema = z
  .strictObject({
    object: z.literal("delivery"),
    id: id("del"),
    endpoint_id: id("whe"),
    event_id: id("evt").describe("The `webhook-id` of every attempt."),
    run_id: id("run").nullable(),
    type: z.enum(DELIVERY_TYPES),
    status: deliveryStatusSchema,
    body: bodySchema.describe(
      "The body of every attempt: a Webhook. Keys without the scope `runs:write` see its `callback_url` as null.",
    ),
    attempts: z.array(attemptSchema).describe("The last 50, in order."),
    next_attempt_at: time.nullable(),
    created_at: time,
    settled_at: time.nullable(),
  })
  .meta({ id: "Delivery" });
export type PresentedDelivery = z.infer<typeof deliverySchema>;
