import { z } from "zod";
import { duration } from "#core/duration";
import { idPattern } from "#core/ids";
import { areUnique } from "../fields/are-unique";
import { refineWith } from "../fields/refine-with";
import { urlRefusal, type TextPolicy } from "#core/outbound/url-policy";
import {
  DEFAULT_ENDPOINT_TYPES,
  DEFAULT_NOTICE_TYPES,
  DELIVERY_WAYS,
  ENDPOINT_KINDS,
  ENDPOINT_STATUSES,
  type EndpointKind,
  WEBHOOK_TYPES,
} from "#core/vocabulary";
import { targetError } from "./target";
import { secretRefusal } from "./delivery/sign";

/** The bodies of requests that create, change and rotate webhook endpoints, and the parts that a run's own webhook shares. */

export const webhookUrl = (policy: TextPolicy) =>
  refineWith(z.string().max(2000), (url) => urlRefusal(url, policy), "url_refused").describe(
    "https, and a public host; its name is resolved and checked before each attempt.",
  );

export const webhookTypes = <T extends string>(types: readonly [T, ...T[]]) =>
  z.array(z.enum(types)).min(1).max(types.length).refine(areUnique, "Name each type once.");

export const webhookSecret = refineWith(z.string(), secretRefusal).describe(
  "Your own `whsec_…` (24 to 64 bytes in base64); by default one is generated.",
);

/** Most deliveries of a lease, and of an acknowledgement. */
const MAX_LEASED = 100;

export const POLLED_HAS_NO_URL = "Deliveries of this endpoint are polled: it has no URL.";

const secretHeader = z
  .string()
  .regex(/^[\x20-\x7e]{1,2000}$/, "1 to 2,000 visible ASCII characters.")
  .optional();

/** An endpoint for push notifications of A2A. */
const taskSchema = z
  .strictObject({
    run_id: z.string().regex(idPattern("run"), "This is not the id of a run."),
    authorization: secretHeader.describe("The header `Authorization` of each delivery. Stored encrypted, never shown."),
    token: secretHeader.describe("The header `X-A2A-Notification-Token`, likewise."),
  })
  .meta({ id: "A2aTask" });

const description = z.string().trim().max(200).describe("A note for people.");

/** The body of `POST /v1/webhook-endpoints`. */
export const createEndpointSchema = (policy: TextPolicy) =>
  z
    .strictObject({
      kind: z
        .enum(ENDPOINT_KINDS)
        .default("http")
        .describe("`http`: signed webhooks. `slack`: messages to an incoming webhook. `email`: mail."),
      delivery: z
        .enum(DELIVERY_WAYS)
        .default("push")
        .describe("`push`: to the URL. `poll`: a consumer leases and acknowledges them, and needs no URL."),
      url: z
        .string()
        .max(2000)
        .optional()
        .describe(
          "Required with `delivery: push`. https, and a public host; its name is resolved and checked before each attempt. With kind `email`: `mailto:` and an address.",
        ),
      events: webhookTypes(WEBHOOK_TYPES)
        .optional()
        .describe(`By default ${listed(DEFAULT_ENDPOINT_TYPES)}; with another kind ${listed(DEFAULT_NOTICE_TYPES)}.`),
      description: description.default(""),
      secret: webhookSecret.optional(),
      a2a: taskSchema
        .optional()
        .describe("Only this run's events, in the form of A2A's push notifications; with `delivery: push`."),
    })
    .superRefine(({ kind, delivery, url, secret, a2a }, context) => {
      const fieldError = (path: string, code: string, message: string) =>
        context.addIssue({ code: "custom", path: [path], message, params: { code } });
      if (delivery === "push" && url === undefined) fieldError("url", "required", "This field is required.");
      if (delivery === "poll" && url !== undefined) fieldError("url", "invalid_value", POLLED_HAS_NO_URL);
      const refused = delivery === "push" && url !== undefined ? targetError(kind, url, policy) : null;
      if (refused) fieldError("url", refused.code, refused.message);
      if (a2a && (delivery === "poll" || kind !== "http"))
        fieldError("a2a", "invalid_value", "A2A pushes to endpoints of kind http.");
      if (kind === "http") return;
      if (delivery === "poll") fieldError("delivery", "invalid_value", "Only endpoints of kind http are polled.");
      if (secret !== undefined) fieldError("secret", "invalid_value", "Only endpoints of kind http are signed.");
    });

const listed = (types: readonly string[]) => types.map((type) => `\`${type}\``).join(", ");

/** The body of `POST /v1/webhook-endpoints/{id}/lease`. */
export const leaseSchema = z.strictObject({
  limit: z.int().min(1).max(MAX_LEASED).default(10).describe("How many deliveries at most."),
  lease_seconds: z
    .int()
    .min(1)
    .max(3600)
    .default(60)
    .describe("How long no other lease gets them. After that they are given again, unless they were acknowledged."),
});
export type LeaseRequest = z.output<typeof leaseSchema>;

/** The body of `POST /v1/webhook-endpoints/{id}/acknowledge`. */
export const acknowledgeSchema = z.strictObject({
  deliveries: z
    .array(z.string().regex(idPattern("del"), "This is not the id of a delivery."))
    .min(1)
    .max(MAX_LEASED)
    .refine(areUnique, "Name each delivery once."),
});

/** The body of `PATCH /v1/webhook-endpoints/{id}`: each given field replaces the stored one. */
export const updateEndpointSchema = (policy: TextPolicy, kind: EndpointKind = "http") =>
  z
    .strictObject({
      url: z
        .string()
        .max(2000)
        .superRefine((url, context) => {
          const refused = targetError(kind, url, policy);
          if (refused) context.addIssue({ code: "custom", message: refused.message, params: { code: refused.code } });
        })
        .describe("As when the endpoint is created."),
      events: webhookTypes(WEBHOOK_TYPES),
      description,
      status: z
        .enum(ENDPOINT_STATUSES)
        .describe(
          "`enabled` reactivates an endpoint; deliveries that failed meanwhile are not repeated automatically.",
        ),
    })
    .partial()
    .refine((change) => Object.keys(change).length > 0, "Give at least one field to change.");

/** The body of `POST /v1/webhook-endpoints/{id}/rotate-secret`. */
export const rotateSecretSchema = z.strictObject({
  secret: webhookSecret.optional(),
  overlap: z
    .literal("0s")
    .or(duration("1m", "7d"))
    .default("24h")
    .describe("How long the previous secret signs beside the new one, such as 30m or 2d; `0s` when it has leaked."),
});
export type RotateRequest = z.output<typeof rotateSecretSchema>;
