import { z } from "zod";
import { duration } from "#core/duration";
import { refineWith } from "../fields/refine-with";
import { refuseUrl, type UrlPolicy } from "#core/outbound/url-policy";
import { DEFAULT_ENDPOINT_TYPES, WEBHOOK_TYPES } from "#core/vocabulary";
import { refuseSecret } from "./delivery/sign";

/** What clients send to create, change and rotate webhook endpoints, and the parts that a run's own webhook shares. */

type Policy = Pick<UrlPolicy, "allow_private">;

export const webhookUrl = (policy: Policy) =>
  refineWith(z.string().max(2000), (url) => refuseUrl(url, policy), "url_refused").describe(
    "https, and a public host: looked up before each attempt.",
  );

export const webhookTypes = <T extends string>(types: readonly [T, ...T[]]) =>
  z
    .array(z.enum(types))
    .min(1)
    .max(types.length)
    .refine((given) => new Set(given).size === given.length, "Name each type once.");

export const webhookSecret = refineWith(z.string(), refuseSecret).describe(
  "Your own `whsec_…` (24 to 64 bytes in base64); by default one is made.",
);

const description = z.string().trim().max(200).describe("For people.");

/** The body of `POST /v1/webhook-endpoints`. */
export const createEndpointSchema = (policy: Policy) =>
  z.strictObject({
    url: webhookUrl(policy),
    events: webhookTypes(WEBHOOK_TYPES).default([...DEFAULT_ENDPOINT_TYPES]),
    description: description.default(""),
    secret: webhookSecret.optional(),
  });

/** The body of `PATCH /v1/webhook-endpoints/{id}`: what is given replaces what was. */
export const updateEndpointSchema = (policy: Policy) =>
  z
    .strictObject({
      url: webhookUrl(policy),
      events: webhookTypes(WEBHOOK_TYPES),
      description,
      status: z
        .enum(["enabled", "disabled"])
        .describe("`enabled` puts an endpoint into service again; what failed meanwhile is not sent by itself."),
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
    .describe(
      "How long the secret that was signs beside the new one, such as 30m or 2d; `0s` when it is known to others.",
    ),
});
export type RotateRequest = z.output<typeof rotateSecretSchema>;
