import { z } from "zod";
import { ON_EXPIRY } from "#core/vocabulary";

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of a duration such as `90s`, `30m`, `12h` or `7d`. The text is known to be valid. */
export function durationMs(text: string): number {
  const unit = text.at(-1) as keyof typeof UNITS;
  return Number(text.slice(0, -1)) * UNITS[unit];
}

/** A whole number with a unit (`s`, `m`, `h`, `d`), within bounds. */
export const duration = (min: string, max: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}[smhd]$/, `Write a whole number and a unit, like 90s, 30m, 12h or 7d.`)
    .refine((text) => durationMs(text) >= durationMs(min) && durationMs(text) <= durationMs(max), {
      message: `Between ${min} and ${max}.`,
    });

/** Options that every workflow takes (design: options.md, "Common"). */
export const commonOptions = (checkpointKinds: readonly [string, ...string[]]) => ({
  checkpoints: z
    .array(z.enum(checkpointKinds))
    .max(checkpointKinds.length)
    .default([])
    .describe("Kinds of artifacts after which the run pauses for a person's feedback."),
  interaction_timeout: duration("1m", "365d").default("7d").describe("How long a question stays open."),
  on_expiry: z
    .enum(ON_EXPIRY)
    .default("proceed")
    .describe("What an unanswered question does: the run goes on without, or fails."),
});

/** A document in an output: a reference to its artifact; `text` is filled in when a single run is read. */
export const documentSchema = z
  .strictObject({
    artifact_id: z.string(),
    kind: z.string(),
    media_type: z.string().optional(),
    text: z.string().optional().describe("The document itself. Absent in lists and webhooks."),
  })
  .meta({ id: "OutputDocument" });
