import { z } from "@hono/zod-openapi";
import { runErrorSchema } from "#services/fields/schema";

/** The body of an error answer (RFC 9457). */
export const problemSchema = z
  .strictObject({ ...runErrorSchema.shape, request_id: z.string() })
  .openapi("Problem", { description: "RFC 9457." });
