import { z } from "zod";
import { type ErrorCode, ERRORS, type Fault, type ProblemObject, problemObject } from "#core/errors";
import { type IdPrefix, idPattern } from "#core/ids";
import { MODES, RUN_STATUSES } from "#core/vocabulary";
import type { Usage } from "#llm";

/** Fields that several resources show. */

const EXAMPLE_ULID = "01KA9VR4T5M6N7P8Q9R0S1T2V3";

export const exampleId = (prefix: IdPrefix) => `${prefix}_${EXAMPLE_ULID}`;

export const id = (prefix: IdPrefix) =>
  z
    .string()
    .regex(idPattern(prefix))
    .meta({ example: exampleId(prefix) });

export const time = z.iso.datetime().meta({ description: "RFC 3339, UTC.", example: "2026-11-21T09:30:00.000Z" });

export const jsonObject = z.record(z.string(), z.unknown());

export const modeSchema = z
  .enum(MODES)
  .meta({ id: "Mode", description: "The mode of the key that made it; test mode rehearses." });

export const runStatusSchema = z.enum(RUN_STATUSES).meta({ id: "RunStatus" });

export const usageSchema = z
  .strictObject({
    llm_calls: z
      .int()
      .describe(
        "Requests to models, failed ones included. A request that a crash or a cancel cut off counts only in a run with limits, and without " +
          "its tokens, which are unknown.",
      ),
    input_tokens: z.int(),
    cached_input_tokens: z.int().describe("Of the input tokens, those read from the provider's cache."),
    output_tokens: z.int(),
    cost_usd: z.number().nullable().describe("null while no price is known."),
  })
  .meta({ id: "Usage" }) satisfies z.ZodType<Usage>;

export const faultSchema = z
  .strictObject({
    path: z
      .string()
      .describe("Dotted path of the field, or the name of the query parameter; empty for the body itself."),
    code: z.string().describe("`required`, `unknown_field`, `invalid_type`, `too_small` and the like."),
    message: z.string(),
  })
  .meta({
    id: "Fault",
    example: { path: "options.qa_rounds", code: "too_big", message: "Too big: expected number to be <=10" },
  }) satisfies z.ZodType<Fault>;

/** Why a run failed; with `request_id`, the problem (RFC 9457) that HTTP answers with. */
export const runErrorSchema = z
  .strictObject({
    type: z.string().describe("The page that explains this error, relative to the API's base."),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe("The cause in this case."),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    errors: z.array(faultSchema).optional().describe("Every fault of the request."),
  })
  .meta({
    id: "RunError",
    example: problemObject("budget_exceeded", "The next call would pass max_llm_calls (20)."),
  }) satisfies z.ZodType<ProblemObject>;
