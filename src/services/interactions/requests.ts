import { z } from "zod";
import { time, UNITS } from "#core/duration";

/** The bodies of requests that change an open interaction. */

/** As far ahead as `options.interaction_timeout` goes. */
const MAX_AHEAD_MS = 365 * UNITS.d;

export const extendSchema = z.strictObject({
  expires_at: time
    .refine((at) => Date.parse(at) <= Date.now() + MAX_AHEAD_MS, "At most 365 days from now.")
    .describe("Later than the present deadline; at most 365 days from now."),
});

const ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/;
/** An address to which mail can be sent. */
export const mailAddress = z.string().max(254).regex(ADDRESS, "Write one address, such as ada@example.com.");

export const reassignSchema = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .refine((name) => !/\p{Cc}/u.test(name), "In one line.")
      .optional(),
    email: mailAddress.optional().describe("Endpoints of kind `email` send messages about the question here."),
  })
  .refine(({ name, email }) => name !== undefined || email !== undefined, "Give a name, an email, or both.");
