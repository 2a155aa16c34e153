import { z } from "@hono/zod-openapi";
import { STALL_CAUSES } from "#core/vocabulary";
import { id, time } from "./common";
import { eventTypeSchema, runStatusSchema } from "./run";

const causes = Object.entries(STALL_CAUSES)
  .map(([cause, meaning]) => `\`${cause}\` (${meaning})`)
  .join(", ");

export const eventSchema = z
  .strictObject({
    id: id("evt"),
    seq: z.int().min(1).openapi({ description: "Dense per run, from 1." }),
    type: eventTypeSchema,
    run_id: id("run"),
    created_at: time,
    data: z.looseObject({ status: runStatusSchema }).openapi({
      description: `\`status\` is the run's at that moment; the rest depends on \`type\`. Of \`run.stalled\`: \`cause\`, ${causes}; \`last_sign_of_life\`, \`stage\`, \`last_act\`, \`last_failure\` and what the platform says of the run's instance.`,
    }),
  })
  .openapi("Event");
