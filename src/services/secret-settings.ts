import { z } from "zod";
import { configurationError, readVariables } from "#core/configuration";
import type { SecretKey } from "#core/secrets";

/** The file is in the root of services because settings.ts imports it. */

const TOO_SHORT = "must have at least 32 characters";

/** A time in milliseconds; `never`, the default, reads as null. */
const until = z
  .string()
  .default("never")
  .transform((text, ctx) => {
    if (text === "never") return null;
    const at = /^\d{4}-\d{2}-\d{2}(T.+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(at)) return at;
    ctx.addIssue({
      code: "custom",
      message: "must be `never`, a date such as 2030-01-31 (its beginning, in UTC), or a time with its zone",
    });
    return z.NEVER;
  });

/**
 * Two places for secrets, used in turn: a rotation sets the secret that is not in use, and gives the other one a date. The operator need not
 * know the old secret, which Cloudflare does not show.
 */
export const secretVariables = z.object({
  PARLEY_SECRET: z
    .string({
      error: "is not set: give a random text of at least 32 characters (`npm run dev` and `npm run deploy` make one)",
    })
    .min(32, TOO_SHORT),
  /** `never`: the secret is in use. A time: until then it verifies callback URLs and opens what it has sealed. */
  PARLEY_SECRET_UNTIL: until,
  PARLEY_SECRET_2: z.string().min(32, TOO_SHORT).optional(),
  PARLEY_SECRET_2_UNTIL: until,
});

/**
 * The secrets that are set, the one in use first.
 * @throws ConfigurationError also unless exactly one is in use, and when both are the same
 */
export function readSecretSettings(vars: Record<string, unknown>): SecretKey[] {
  const variables = readVariables(secretVariables, vars);
  const first = { secret: variables.PARLEY_SECRET, until: variables.PARLEY_SECRET_UNTIL };
  const { PARLEY_SECRET_2: second, PARLEY_SECRET_2_UNTIL: secondUntil } = variables;
  if (second === undefined) {
    if (secondUntil !== null) throw configurationError("PARLEY_SECRET_2_UNTIL", "is set without PARLEY_SECRET_2");
    if (first.until !== null)
      throw configurationError("PARLEY_SECRET_UNTIL", "leaves no secret in use: set PARLEY_SECRET_2 to a new one");
    return [first];
  }
  if (second === first.secret) throw configurationError("PARLEY_SECRET_2", "must differ from PARLEY_SECRET");
  const keys = [first, { secret: second, until: secondUntil }];
  if (keys.filter((key) => key.until === null).length !== 1)
    throw configurationError(
      "PARLEY_SECRET_UNTIL",
      "and PARLEY_SECRET_2_UNTIL must leave exactly one secret in use: give the old one a time, and the new one `never`",
    );
  return keys.sort((one) => (one.until === null ? -1 : 1));
}
