import type { z } from "zod";

export const configurationError = (variable: string, reason: string): Error =>
  new Error(`Configuration: ${variable} ${reason}.`);

/**
 * Parses variables of the environment.
 * @throws Error with sentences that name each variable and the reason; it never quotes a value
 */
export function readVariables<T>(schema: z.ZodType<T>, vars: Record<string, unknown>): T {
  const { data, error } = schema.safeParse(vars);
  if (!error) return data;
  throw new Error(
    error.issues.map(({ path, message }) => configurationError(path.join("."), message).message).join(" "),
  );
}
