import type { z } from "zod";

/** Faults of the environment's variables, one sentence each. The message joins them; no sentence quotes a value. */
export class ConfigurationError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join(" "));
    this.faults = faults;
  }
}

export const configurationError = (variable: string, reason: string): ConfigurationError =>
  new ConfigurationError([faultOf(variable, reason)]);

const faultOf = (variable: string, reason: string) => `Configuration: ${variable} ${reason}.`;

/**
 * Parses variables of the environment.
 * @throws ConfigurationError with a sentence for each variable at fault
 */
export function readVariables<T>(schema: z.ZodType<T>, vars: Record<string, unknown>): T {
  const { data, error } = schema.safeParse(vars);
  if (!error) return data;
  throw new ConfigurationError(error.issues.map(({ path, message }) => faultOf(path.join("."), message)));
}

/**
 * The results of all reads.
 * @throws ConfigurationError with the faults of all of them
 */
export function readAll<T>(reads: readonly (() => T)[]): T[] {
  const faults: string[] = [];
  const results = reads.flatMap((read) => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      faults.push(...error.faults);
      return [];
    }
  });
  if (faults.length > 0) throw new ConfigurationError(faults);
  return results;
}
