import { z } from "zod";

/**
 * Outputs of the models. Their JSON schemas are strict: every property is required, and unknown keys are dropped. Properties with a default
 * may be absent in artifacts of the profile `paper`.
 */

const field = (meaning: string) => z.string().max(12_000).describe(meaning);

/** An idea (Si et al., ideation prompt; spec, step 2): a name and five fields, none of them empty. */
export const ideaSchema = z.object({
  name: z.string().max(200).describe("A short name that says what is new"),
  problem: field("What cannot be done well yet, and why it matters"),
  existing_methods: field("Benchmarks and methods that there are, and where they end"),
  motivation: field("Where the idea comes from, and why it should work"),
  proposed_method: field("The method, step by step; the longest field"),
  experiment_plan: field("Steps, data sets, baselines and metrics"),
});

export const IDEA_FIELDS = ["problem", "existing_methods", "motivation", "proposed_method", "experiment_plan"] as const;

export const ideasSchema = z.object({ ideas: z.array(ideaSchema).min(1).max(20) });

const changed = ideaSchema.extend({
  name: ideaSchema.shape.name.nullable().describe("A new name; null: the name stays"),
  problem: ideaSchema.shape.problem.nullable(),
  existing_methods: ideaSchema.shape.existing_methods.nullable(),
  motivation: ideaSchema.shape.motivation.nullable(),
  proposed_method: ideaSchema.shape.proposed_method.nullable(),
  experiment_plan: ideaSchema.shape.experiment_plan.nullable(),
});

/** A revision: the ideas that change, with the fields that change, null for those that stay. The profile `paper` has whole ideas. */
export const revisionSchema = z.object({
  replies: z
    .array(z.object({ criticism: z.string().describe("Its id: c1, c2, …"), reply: z.string() }))
    .max(100)
    .describe("To the criticisms that are not followed"),
  ideas: z
    .array(z.object({ idea: z.string().describe("Name of the idea, as it was given") }).extend(changed.shape))
    .max(20)
    .describe("The ideas that change"),
});

/**
 * Categories of criticism: the paper's five, one for the critic's own field, and one for published work. `missing_prompt_detail` is the
 * paper's name for `missing_procedure_detail`, used under `profile: "paper"`.
 */
export const CATEGORIES = [
  "missing_dataset_detail",
  "involving_humans",
  "missing_metric_detail",
  "missing_procedure_detail",
  "missing_prompt_detail",
  "test_cases",
  "substance",
  "novelty",
] as const;

const critiqueOf = <Category extends (typeof CATEGORIES)[number]>(categories: readonly [Category, ...Category[]]) =>
  z.object({
    criticisms: z
      .array(
        z.object({
          idea: z.string().describe("Name of the idea"),
          quote: z.string().describe("The sentence that it is about, word for word"),
          criticism: z.string().describe("The question or the objection"),
          category: z.enum(categories),
          papers: z.array(z.string()).default([]).describe("Ids of the papers that it relies on"),
        }),
      )
      .min(1)
      .max(20),
  });

/** Criticisms as they are stored, of either profile. */
export const critiqueSchema = critiqueOf(CATEGORIES);
/** Categories as the prompts of each profile have them. */
export const ownCritiqueSchema = critiqueOf([
  "substance",
  "novelty",
  "missing_dataset_detail",
  "involving_humans",
  "missing_metric_detail",
  "missing_procedure_detail",
  "test_cases",
]);
export const paperCritiqueSchema = critiqueOf([
  "missing_dataset_detail",
  "involving_humans",
  "missing_metric_detail",
  "missing_prompt_detail",
  "test_cases",
]);

const testCase = z.object({
  input: z.string(),
  baseline: z.string().describe("What the baseline does with it, and its likely answer"),
  method: z.string().describe("What each step of the method makes of it, and the answer"),
  explanation: z.string(),
});

const closeWork = z.object({
  paper: z.string().nullable().describe("Id of one of the papers; null: from memory"),
  work: z.string().describe("Title, or what it is known by"),
  new_here: z.string().describe("What it did, and what is new against it"),
});

/** The paper's seven sections of a proposal (spec, step 7). */
const paperSections = {
  title: z.string().max(300),
  problem_statement: z.string(),
  motivation: z.string(),
  proposed_method: z.string(),
  experiment_plan: z
    .array(z.object({ step: z.string().describe("A short title"), details: z.string() }))
    .min(1)
    .max(20),
  test_cases: z.object({
    baseline_fails: testCase.describe("A case where the baseline fails"),
    method_succeeds: testCase.describe("A case where the method succeeds"),
  }),
  fallback_plan: z.string(),
};

/** Sections that the paper does not have. */
const ownSections = {
  summary: z.string(),
  closest_work: z.array(closeWork).max(8),
  appendix: z.array(z.object({ title: z.string(), text: z.string() })).max(12),
};

/** A proposal: the paper's seven sections, a summary, an appendix, and the closest works on request. */
export const proposalSchema = z.object({
  corrections: z.array(z.string()).max(20).default([]).describe("Mistakes of the idea that the proposal mends"),
  title: paperSections.title,
  summary: ownSections.summary.default(""),
  problem_statement: paperSections.problem_statement,
  motivation: paperSections.motivation,
  closest_work: ownSections.closest_work,
  proposed_method: paperSections.proposed_method,
  experiment_plan: paperSections.experiment_plan,
  test_cases: paperSections.test_cases,
  fallback_plan: paperSections.fallback_plan,
  appendix: ownSections.appendix.default([]),
});

/** A proposal as the paper has it; the other sections are empty. */
export const paperProposalSchema = z
  .object(paperSections)
  .transform((sections): Proposal => ({ corrections: [], summary: "", closest_work: [], appendix: [], ...sections }));

/** Sections that the final check may change. */
export const SECTIONS = [
  "title",
  "summary",
  "problem_statement",
  "motivation",
  "closest_work",
  "proposed_method",
  "experiment_plan",
  "test_cases",
  "fallback_plan",
  "appendix",
] as const;

/** What the last reader of a proposal found, and the words that stand instead of each faulty passage. */
export const proposalCheckSchema = z.object({
  findings: z
    .array(
      z.object({
        section: z.enum(SECTIONS),
        quote: z.string().describe("The faulty passage, word for word; it stands once in the section"),
        fault: z.string(),
        instead: z.string().describe("Replaces the quote; empty: the quote is cut"),
      }),
    )
    .max(10),
});

const comparison = (question: string) => z.string().nullable().default(null).describe(`${question} One sentence`);

/** The judge compares by three questions before it decides. */
export const judgmentSchema = z.object({
  problem: comparison("Which problem is worth more?"),
  novelty_and_soundness: comparison("Which core is newer, and does it hold?"),
  evidence: comparison("Whose experiments would convince?"),
  for_the_other: comparison("What speaks most for the one that you reject?"),
  reason: z.string().nullable().describe("What decided, in one sentence"),
  accepted: z.enum(["A", "B"]),
});

export const duplicateSchema = z.object({ reason: z.string().describe("One or two sentences"), same: z.boolean() });

const score = z.int().min(1).max(10);
export const rubricSchema = z.object({
  reason: z.string().describe("One or two sentences"),
  originality: score,
  feasibility: score,
  clarity: score,
});

export const checkSchema = z.object({ reason: z.string().describe("One to three sentences"), passes: z.boolean() });

export const noveltySchema = z.object({
  reason: z.string(),
  matches: z.array(z.string()).describe("Ids of the papers that have the same idea; none when it is new"),
});

export const noveltyQueriesSchema = z.object({
  queries: z.array(z.string().max(200)).min(1).max(4).describe("Search words on the mechanism, and on the problem"),
});

export const paperScoresSchema = z.object({
  scores: z.array(
    z.object({ paper: z.string(), note: z.string().default("").describe("What it does for the topic"), score }),
  ),
});

/** The next query: words for `keyword`, the id of a paper for the other two. */
export const QUERY_KINDS = ["keyword", "recommendations", "references"] as const;
export const paperQuerySchema = z.object({ kind: z.enum(QUERY_KINDS), text: z.string().max(300) });

export type Idea = z.infer<typeof ideaSchema>;
export type Ideas = z.infer<typeof ideasSchema>;
export type Revision = z.infer<typeof revisionSchema>;
export type Critique = z.infer<typeof critiqueSchema>;
export type Proposal = z.infer<typeof proposalSchema>;
export type ProposalCheck = z.infer<typeof proposalCheckSchema>;
export type NoveltyQueries = z.infer<typeof noveltyQueriesSchema>;
export type Judgment = z.infer<typeof judgmentSchema>;
export type Duplicate = z.infer<typeof duplicateSchema>;
export type Rubric = z.infer<typeof rubricSchema>;
export type Check = z.infer<typeof checkSchema>;
export type Novelty = z.infer<typeof noveltySchema>;
export type PaperScores = z.infer<typeof paperScoresSchema>;
export type NextQuery = z.infer<typeof paperQuerySchema>;
