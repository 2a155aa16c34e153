import { z } from "zod";
import { id } from "../fields/schema";
import { valuesSchema } from "../templates/requests";

/** Bodies of requests to schedules. */

export const OVERLAPS = ["skip", "queue", "cancel_other"] as const;
export const CATCH_UPS = ["none", "last", "all"] as const;

const parts = {
  name: z.string().trim().min(1).max(200),
  cron: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe("Minute, hour, day of month, month, day of week, such as `30 8 * * MON-FRI`; or `@daily`."),
  time_zone: z
    .string()
    .min(1)
    .max(60)
    .describe("IANA name. At a change of the clock a time that does not exist moves on, and no time comes twice."),
  fields: valuesSchema.describe("Values of the template's fields, by name."),
  overlap: z
    .enum(OVERLAPS)
    .describe(
      "What happens when the run before has not ended: `skip` this time, `queue` it until that run has ended, or `cancel_other`, that run.",
    ),
  catch_up: z
    .enum(CATCH_UPS)
    .describe(
      "What starts after an outage: nothing of what was due more than ten minutes ago (`none`), only the `last` time, or `all` of the last seven days, one after another.",
    ),
  status: z.enum(["active", "paused"]),
};

/** The body of `POST /v1/schedules`. */
export const createScheduleSchema = z.strictObject({
  ...parts,
  template_id: id("tpl"),
  time_zone: parts.time_zone.default("UTC"),
  fields: parts.fields.default({}),
  overlap: parts.overlap.default("skip"),
  catch_up: parts.catch_up.default("last"),
  status: parts.status.default("active"),
});

/** The body of `PATCH /v1/schedules/{id}`. */
export const updateScheduleSchema = z
  .strictObject(parts)
  .partial()
  .refine((change) => Object.keys(change).length > 0, "Give at least one field to change.");
