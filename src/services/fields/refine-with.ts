import type { z } from "zod";

/** A text that a policy judges, which says what is wrong with it in a sentence. @param code of the fault */
export const refineWith = (schema: z.ZodString, judge: (text: string) => string | null, code?: string) =>
  schema.superRefine((text, context) => {
    const message = judge(text);
    if (message) context.addIssue({ code: "custom", message, params: code ? { code } : {} });
  });
