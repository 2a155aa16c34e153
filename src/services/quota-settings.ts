import { z } from "zod";
import { QUOTA_NAMES, type Quotas } from "#core/quotas";

const schema = z.partialRecord(z.enum(QUOTA_NAMES), z.int().min(0));

/** Parses the variable QUOTAS: JSON, a limit for each quota that it names. */
export function parseQuotas(text: string, context: z.RefinementCtx): Partial<Quotas> {
  const { success, data } = schema.safeParse(parsed(text));
  if (success) return data;
  const message = `must be JSON with whole numbers for some of ${QUOTA_NAMES.join(", ")}, such as {"corpora": 20}`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
