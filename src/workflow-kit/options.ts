import { z } from "zod";
import { ON_EXPIRY, PROFILES } from "#core/vocabulary";
import { duration } from "#core/duration";

/** Options that every workflow takes (design: options.md, "Common"). */
export const commonOptions = (reviewKinds: readonly [string, ...string[]]) => ({
  profile: z
    .enum(PROFILES)
    .default("default")
    .describe(
      "`paper`: prompts, bounds and decoding of the paper, without our additions. The workflow's `paper_options` then replace the defaults of options that the request leaves out.",
    ),
  reviews: z
    .array(z.enum(reviewKinds))
    .max(reviewKinds.length)
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

/** Field `document` of every workflow's output. */
export const mainDocument = documentSchema
  .nullable()
  .describe("The main document of the run; null when there is none.");

/** A text that is not blank; `minLength` alone accepts blanks. */
export const nonBlankText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.trim() !== "", "Write more than blanks.");
