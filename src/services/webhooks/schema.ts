import { z } from "zod";
import {
  DELIVERY_STATUSES,
  DELIVERY_TYPES,
  DELIVERY_WAYS,
  DISABLED_BECAUSE,
  ENDPOINT_FORMATS,
  ENDPOINT_KINDS,
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
    run_id: id("run").nullable().describe("The only run whose events it receives; null: those of all."),
    kind: z.enum(ENDPOINT_KINDS),
    delivery: z.enum(DELIVERY_WAYS).describe("`push`: to the URL. `poll`: its consumer leases and acknowledges them."),
    format: z.enum(ENDPOINT_FORMATS).describe("Of the bodies: `a2a` for push notifications of an A2A task."),
    url: z
      .string()
      .nullable()
      .describe("null with `delivery: poll`; of kind `slack` only its origin: the rest is a secret."),
    events: z.array(webhookTypeSchema),
    description: z.string(),
    status: endpointStatusSchema,
    disabled_because: z
      .enum(DISABLED_BECAUSE)
      .nullable()
      .describe(
        "`receiver_gone`: it answered 410. `retries_failed`: the last retry of a delivery failed, or nobody acknowledged a polled one in time, and no other delivery succeeded since that " +
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
    secret: z
      .string()
      .nullable()
      .describe("Deliveries are signed with it. Shown only in this answer; null of kinds `slack` and `email`."),
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
    next_attempt_at: time
      .nullable()
      .describe("With `delivery: poll`, when it fails unless it is acknowledged; null once it has ended."),
    leased_until: time.nullable().describe("Until then no other lease gets it; null: no lease has it."),
    created_at: time,
    settled_at: time.nullable(),
  })
  .meta({ id: "Delivery" });
export type PresentedDelivery = z.infer<typeof deliverySchema>;

const leasedSchema = z
  .strictObject({
    id: id("del").describe("By which it is acknowledged."),
    event_id: id("evt").describe("The `webhook-id`, the same whenever it is given."),
    run_id: id("run").nullable(),
    type: z.enum(DELIVERY_TYPES),
    attempt: z.int().describe("1, and one more with each lease."),
    leased_until: time,
    headers: z.record(z.string(), z.string()).describe("Those of a webhook, signed now. Names in lower case."),
    body: bodySchema.describe("The body of a webhook, as the signature covers it: a Webhook."),
  })
  .meta({ id: "LeasedDelivery" });

export const leasedDeliveriesSchema = z
  .strictObject({ object: z.literal("leased_deliveries"), data: z.array(leasedSchema) })
  .meta({ id: "LeasedDeliveries" });
export type LeasedDeliveries = z.infer<typeof leasedDeliveriesSchema>;

export const acknowledgedSchema = z
  .strictObject({
    object: z.literal("acknowledged_deliveries"),
    acknowledged: z.array(id("del")).describe("Those that are acknowledged, by this request or before."),
    unknown: z.array(id("del")).describe("Those that the endpoint does not have, or no longer."),
  })
  .meta({ id: "AcknowledgedDeliveries" });
export type Acknowledged = z.infer<typeof acknowledgedSchema>;
