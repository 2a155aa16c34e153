import { z } from "zod";
import { ON_EXPIRY } from "#core/vocabulary";
import { duration } from "#core/duration";

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
    .describe("If nobody answers in time, the run continues without an answer, or fails."),
});

/** A document in an output: a reference to its artifact. Reading a single run fills in `text`. */
export const documentSchema = z
  .strictObject({
    artifact_id: z.string(),
    kind: z.string(),
    media_type: z.string().optional(),
    text: z.string().optional().describe("The document itself. Absent in lists and webhooks."),
  })
  .meta({ id: "OutputDocument" });

/** A text that is not blank; `minLength` alone accepts blanks. */
export const nonBlankText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.trim() !== "", "Write more than blanks.");
