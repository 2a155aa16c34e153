import { z } from "@hono/zod-openapi";
import { id, time } from "./common";
import { eventTypeSchema, runStatusSchema } from "./run";

export const eventSchema = z
  .strictObject({
    id: id("evt"),
    seq: z.int().min(1).openapi({ description: "Dense per run, from 1." }),
    type: eventTypeSchema,
    run_id: id("run"),
    created_at: time,
    data: z
      .looseObject({ status: runStatusSchema })
      .openapi({ description: "`status` is the run's at that moment; the rest depends on `type`." }),
  })
  .openapi("Event");
