import { z } from "@hono/zod-openapi";
import { QUOTA_NAMES } from "#core/quotas";
import { runErrorSchema } from "#services/fields/schema";

/** The body of an error answer (RFC 9457). */
export const problemSchema = z
  .strictObject({
    ...runErrorSchema.shape,
    quota: z
      .strictObject({ name: z.enum(QUOTA_NAMES), used: z.int(), limit: z.int() })
      .optional()
      .describe("Of `quota_exceeded`: the quota, and what was used when the request came."),
    request_id: z.string(),
  })
  .openapi("Problem", { description: "RFC 9457." });
