import { z } from "zod";

/** Errors of the environment's variables, one sentence each. The message joins them; no sentence quotes a value. */
export class ConfigurationError extends Error {
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join(" "));
    this.errors = errors;
  }
}

export const configurationError = (variable: string, reason: string): ConfigurationError =>
  new ConfigurationError([errorOf(variable, reason)]);

const errorOf = (variable: string, reason: string) => `Configuration: ${variable} ${reason}.`;

/**
 * Parses variables of the environment.
 * @throws ConfigurationError with a sentence for each variable at fault
 */
export function readVariables<T>(schema: z.ZodType<T>, vars: Record<string, unknown>): T {
  const { data, error } = schema.safeParse(vars);
  if (!error) return data;
  throw new ConfigurationError(error.issues.map(({ path, message }) => errorOf(path.join("."), message)));
}

/**
 * The results of all reads.
 * @throws ConfigurationError with the errors of all of them
 */
export function readAll<T>(reads: readonly (() => T)[]): T[] {
  const errors: string[] = [];
  const results = reads.flatMap((read) => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      errors.push(...error.errors);
      return [];
    }
  });
  if (errors.length > 0) throw new ConfigurationError(errors);
  return results;
}

/** A variable that is true or false; false by default. */
export const flag = z
  .enum(["true", "false"], "must be true or false")
  .default("false")
  .transform((text) => text === "true");

export const wholeNumber = (least: number) => {
  const error = `must be a whole number, ${least} or more`;
  return z.coerce.number(error).int(error).min(least, error);
};
