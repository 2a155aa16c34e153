import { z } from "@hono/zod-openapi";
import { type ErrorCode, ERRORS, problemObject } from "#core/errors";

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

export const faultSchema = z
  .strictObject({
    path: z.string().openapi({
      description: "Dotted path of the field, or the name of the query parameter; empty for the body itself.",
    }),
    code: z.string().openapi({ description: "`required`, `unknown_field`, `invalid_type`, `too_small` and the like." }),
    message: z.string(),
  })
  .openapi("Fault", {
    example: { path: "options.qa_rounds", code: "too_big", message: "Too big: expected number to be <=10" },
  });

const members = {
  type: z.string().openapi({ description: "Where this error is explained, relative to the API's base." }),
  title: z.string(),
  status: z.int(),
  detail: z.string().openapi({ description: "What was wrong in this case." }),
  code: z.enum(codes),
  errors: z.array(faultSchema).optional().openapi({ description: "Every fault of the request." }),
};

/** What HTTP answers with when something is wrong (RFC 9457). */
export const problemSchema = z
  .strictObject({ ...members, request_id: z.string() })
  .openapi("Problem", { description: "RFC 9457." });

/** Why a run failed. */
export const runErrorSchema = z
  .strictObject(members)
  .openapi("RunError", { example: problemObject("budget_exceeded", "The next call would pass max_llm_calls (20).") });
