import { z } from "zod";
import { id, jsonObject, modeSchema, time } from "../fields/schema";
import { CATCH_UPS, OVERLAPS } from "./requests";

export const scheduleSchema = z
  .strictObject({
    object: z.literal("schedule"),
    id: id("sch"),
    mode: modeSchema,
    name: z.string(),
    template_id: id("tpl"),
    key_id: id("key").describe(
      "The key that created it: its runs start with the rights that this key, or the one it was rolled to, has then.",
    ),
    cron: z.string(),
    time_zone: z.string(),
    fields: jsonObject,
    overlap: z.enum(OVERLAPS),
    catch_up: z.enum(CATCH_UPS),
    status: z.enum(["active", "paused", "ended"]).describe("`ended`: the expression names no later time."),
    next_times: z.array(time).describe("Up to five times to come; the first may be due already."),
    last_run_id: id("run").nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Schedule" });
export type PresentedSchedule = z.infer<typeof scheduleSchema>;

export const occurrenceSchema = z
  .strictObject({
    object: z.literal("occurrence"),
    schedule_id: id("sch"),
    due_at: time,
    outcome: z.enum(["started", "skipped", "failed"]),
    run_id: id("run").nullable(),
    reason: z.string().nullable().describe("Why no run was started, or which times were missed before this one."),
    settled_at: time,
  })
  .meta({ id: "Occurrence" });
export type PresentedOccurrence = z.infer<typeof occurrenceSchema>;
