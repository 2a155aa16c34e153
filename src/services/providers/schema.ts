import { z } from "zod";
import { time } from "../fields/schema";

/** A model provider, as a tenant sees it. */
export const providerSchema = z
  .strictObject({
    object: z.literal("provider"),
    name: z.string().describe("The part of a model's name before the first slash."),
    configured: z.boolean().describe("false: the host has removed it, and only the tenant's key is left."),
    key_required: z.boolean().describe("Whether models of the provider need a key of the tenant's own."),
    key: z
      .strictObject({ hint: z.string().describe("Its last four characters."), created_at: time })
      .nullable()
      .describe("The tenant's own key, of the mode of the request's key; null: none."),
  })
  .meta({ id: "Provider" });
export type PresentedProvider = z.infer<typeof providerSchema>;

/** The body of `PUT /v1/providers/{provider}/key`. */
export const providerKeySchema = z
  .strictObject({
    api_key: z
      .string()
      .min(8)
      .max(1000)
      .regex(/^[\x21-\x7e]+$/, "Visible ASCII characters only.")
      .describe("Sealed before it is stored, and never shown again."),
  })
  .meta({ id: "ProviderKey" });
export type ProviderKeyRequest = z.infer<typeof providerKeySchema>;
export { DEFAULT_OPENAI_MODEL } from "#llm/default-model";
