import { z } from "zod";
import { EVENT_TYPES, STALL_CAUSES } from "#core/vocabulary";
import { id, runStatusSchema, time } from "../fields/schema";

const causes = Object.entries(STALL_CAUSES)
  .map(([cause, meaning]) => `\`${cause}\` (${meaning})`)
  .join(", ");

/** The Event of the API (design: api.md, "Events and webhooks"). */
export const eventSchema = z
  .strictObject({
    id: id("evt"),
    seq: z.int().min(1).describe("Dense per run, from 1."),
    type: z.enum(EVENT_TYPES).meta({ id: "EventType" }),
    run_id: id("run"),
    created_at: time,
    data: z
      .looseObject({ status: runStatusSchema })
      .describe(
        `\`status\` is the run's at that moment; the rest depends on \`type\`. Of \`run.stalled\`: \`cause\`, ${causes}; ` +
          "`last_sign_of_life`, `stage`, `last_act`, `last_failure` and the platform's status of the run's instance. Of `run.provider_failing`, once for each outage of a model: a FailingProvider; of " +
          "`run.provider_recovered`: the same without `next_attempt_at`.",
      ),
  })
  .meta({ id: "Event" });
export type PresentedEvent = z.infer<typeof eventSchema>;
