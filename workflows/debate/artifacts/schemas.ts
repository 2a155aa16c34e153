import { z } from "zod";

/**
 * Contents of the artifacts. Model outputs follow strict JSON schemas: every property is required of a model, and unknown keys are dropped.
 * Reasoning comes before what it leads to. A property with a default may be missing in artifacts of the profile `paper`; whoever reads one
 * parses it.
 */

const probability = z.number().min(0).max(1);

/** What the judge checks in the winning argument (Silva et al., 3.2: the 5-item checklist). */
export const CHECKLIST = [
  "doctrine_named",
  "on_point_authority",
  "accurate_use",
  "logical_application",
  "opponent_addressed",
] as const;

export const citationSchema = z.object({
  authority_id: z.string().describe("Id of the authority, as it was given: S1, S2, …"),
  quote: z.string().describe("Words of the authority, verbatim"),
  proposition: z.string().describe("What the authority is cited for"),
});

/**
 * Prompts do not ask for it where no authorities are given. The JSON schema, which is the same for all inputs, requires it all the same, so its
 * description says what stands there then.
 */
const citationsSchema = z
  .array(citationSchema)
  .max(12)
  .default([])
  .describe("Passages of the authorities given; empty when none are given");

export const rankingSchema = z.object({
  issue: z.string().default("").describe("The point of law, and the text that decides it"),
  options: z
    .array(
      z.object({
        label: z.string(),
        reason: z.string().default("").describe("What decides for the option or against it"),
        probability,
      }),
    )
    .min(1),
  rival: z
    .string()
    .nullable()
    .default(null)
    .describe("Label of the strongest option with another outcome or ground than the most likely one"),
});

/** What a solver answers before positions are assigned. */
export const shortAnswerSchema = z.object({
  reasoning: z.string(),
  citations: citationsSchema,
  answer: z.string().describe("Label of the option"),
  runner_up: z.string().describe("Label of the strongest option with another outcome or ground"),
  confidence: probability,
});

export const preferenceSchema = z.object({
  reasoning: z.string().default(""),
  labels: z.array(z.string()).min(1).describe("Labels of the options, the best first"),
});

const framingSchema = z.object({ governing_rule: z.string(), thesis: z.string() });
export const framingsSchema = z.object({ framings: z.array(framingSchema).min(1).max(6) });
export const ownFramingSchema = framingSchema;

export const briefSchema = z.object({
  rebuts: z
    .array(z.object({ point: z.string(), answer: z.string() }))
    .max(6)
    .default([]),
  concedes: z.array(z.string()).max(6),
  switches_to: z.string().nullable().default(null),
  citations: citationsSchema,
  application: z.string().describe("The law applied to the facts"),
  claims: z.array(z.string()).min(1).max(8).describe("The first is the main premise"),
  confidence: probability.describe("Honest probability that the position is right"),
});

export const requestSchema = z.object({ queries: z.array(z.string()).max(3) });

export const misconceptionsSchema = z.object({
  misconceptions: z.array(z.object({ claim: z.string(), correction: z.string() })).max(6),
});

export const crossQuestionSchema = z.object({ question: z.string() });

export const sideAnswerSchema = z.object({
  citations: citationsSchema,
  answer: z.string(),
  concedes: z.array(z.string()).max(6),
});

const pointSchema = z.object({ note: z.string(), met: z.boolean() });
const checklistSchema = z.object({
  doctrine_named: pointSchema,
  // Not asked for where no authorities are given.
  on_point_authority: pointSchema
    .default({ note: "", met: false })
    .describe("When no authorities are given: an empty note, and false"),
  accurate_use: pointSchema
    .default({ note: "", met: true })
    .describe("When no authorities are given: an empty note, and true"),
  logical_application: pointSchema,
  opponent_addressed: pointSchema,
} satisfies Record<(typeof CHECKLIST)[number], unknown>);
const supportsSchema = z.array(
  z.object({ citation: z.string().describe("C1, C2, …"), note: z.string(), supported: z.boolean() }),
);
const fromMemorySchema = z
  .array(z.string())
  .max(20)
  .default([])
  .describe("Law that the answer names and that is not among the authorities");
const rationaleSchema = z.array(z.string()).length(3);
const letterSchema = z.string().nullable().default(null);

/** What a judge and a single agent reason about before they answer. */
const reasoning = {
  analysis: z.string().default("").describe("The point of law, and what the authorities say on it"),
  options_considered: z
    .array(z.object({ label: z.string(), why_not: z.string() }))
    .default([])
    .describe("Every option, with what speaks against it; empty for an open question"),
  issues: z
    .array(z.object({ issue: z.string(), resolution: z.string() }))
    .default([])
    .describe("The issues of an open question; empty for a question with options"),
};

export const verdictSchema = z.object({
  ...reasoning,
  rationale: rationaleSchema,
  rests_on: z
    .array(z.string())
    .default([])
    .describe("Numbers of the parties' citations that the answer rests on: C1, C2, …; may be empty"),
  citations: citationsSchema.describe(
    "What the answer rests on besides, and no party has cited; empty when no authorities are given",
  ),
  answer: z.string(),
  law_from_memory: fromMemorySchema,
  checklist: checklistSchema,
  winner: z.string().nullable().describe("Letter of the party that argued best"),
  adopts: letterSchema.describe("Letter of the party whose position the answer adopts"),
  confidence: probability,
});

export const aloneSchema = z.object({
  ...reasoning,
  rationale: rationaleSchema,
  citations: citationsSchema,
  answer: z.string(),
  law_from_memory: fromMemorySchema,
  checklist: checklistSchema,
  confidence: probability,
});

/** What the paper has a judge publish (Silva et al., 3.2), with what we need to read the decision. */
export const paperVerdictSchema = z.object({
  rationale: rationaleSchema,
  checklist: checklistSchema,
  winner: z.string().nullable(),
  adopts: letterSchema,
  answer: z.string(),
  confidence: probability,
});

export const paperAloneSchema = z.object({
  rationale: rationaleSchema,
  checklist: checklistSchema,
  citations: citationsSchema,
  answer: z.string(),
  confidence: probability,
});

export const supportSchema = z.object({ citation_checks: supportsSchema });

export type Citation = z.infer<typeof citationSchema>;
export type Ranking = z.infer<typeof rankingSchema>;
export type ShortAnswer = z.infer<typeof shortAnswerSchema>;
export type Preference = z.infer<typeof preferenceSchema>;
export type Framing = z.infer<typeof framingSchema>;
export type Framings = z.infer<typeof framingsSchema>;
export type Brief = z.infer<typeof briefSchema>;
export type SnippetRequest = z.infer<typeof requestSchema>;
export type Misconceptions = z.infer<typeof misconceptionsSchema>;
export type CrossQuestion = z.infer<typeof crossQuestionSchema>;
export type SideAnswer = z.infer<typeof sideAnswerSchema>;
export type Checklist = z.infer<typeof checklistSchema>;
export type Supports = z.infer<typeof supportsSchema>;
export type Verdict = z.infer<typeof verdictSchema>;
export type Alone = z.infer<typeof aloneSchema>;
export type Support = z.infer<typeof supportSchema>;
