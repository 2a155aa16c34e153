import { z } from "zod";
import type { Usage } from "#llm";

/** Fields that several resources show; those that events have too come from core. */

export { time } from "#core/duration";
export { fieldErrorSchema, runErrorSchema } from "#core/errors";
export { exampleId, id } from "#core/ids";
export { modeSchema, runStatusSchema } from "#core/vocabulary";

/** The schema or null. `nullable()` of a schema with a name would make its component in the OpenAPI document nullable, wherever it is used. */
export const orNull = <T extends z.ZodType>(schema: T) => z.union([schema, z.null()]);

export const jsonObject = z.record(z.string(), z.unknown());

export const usageSchema = z
  .strictObject({
    llm_calls: z
      .int()
      .describe(
        "Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without " +
          "its tokens, which are unknown.",
      ),
    input_tokens: z.int(),
    cached_input_tokens: z.int().describe("Input tokens read from the provider's cache."),
    output_tokens: z.int(),
    reasoning_tokens: z.int().describe("Output tokens used for hidden reasoning, if the provider reports them."),
    cost_usd: z.number().nullable().describe("null while no price is known."),
  })
  .meta({ id: "Usage" }) satisfies z.ZodType<Usage>;
