import { z } from "@hono/zod-openapi";
import { type IdPrefix, idPattern } from "#core/ids";

const EXAMPLE_ULID = "01KA9VR4T5M6N7P8Q9R0S1T2V3";

export const exampleId = (prefix: IdPrefix) => `${prefix}_${EXAMPLE_ULID}`;

export const id = (prefix: IdPrefix) =>
  z
    .string()
    .regex(idPattern(prefix))
    .openapi({ example: exampleId(prefix) });

/** An id in a path; one of another form is not found, as any that does not exist. */
export const pathId = (prefix: IdPrefix) =>
  z
    .string()
    .regex(idPattern(prefix))
    .openapi({ description: `\`${prefix}_\` and a ULID.`, example: exampleId(prefix) });

export const time = z.iso.datetime().openapi({ description: "RFC 3339, UTC.", example: "2026-11-21T09:30:00.000Z" });

export const usageSchema = z
  .strictObject({
    llm_calls: z.int().openapi({
      description:
        "Requests to models, failed ones included. One whose answer a crash or a cancel cut off counts where the run has limits, without its " +
        "tokens, which nobody knows; where it has none, it is not counted.",
    }),
    input_tokens: z.int(),
    cached_input_tokens: z.int().openapi({ description: "Of the input tokens, those read from the provider's cache." }),
    output_tokens: z.int(),
    cost_usd: z.number().nullable().openapi({ description: "null while no price is known." }),
  })
  .openapi("Usage");
