import type { z } from "zod";

/** @param judge returns a sentence about the error of a text, or null @param code of the error */
export const refineWith = (schema: z.ZodString, judge: (text: string) => string | null, code?: string) =>
  schema.superRefine((text, context) => {
    const message = judge(text);
    if (message) context.addIssue({ code: "custom", message, params: code ? { code } : {} });
  });
