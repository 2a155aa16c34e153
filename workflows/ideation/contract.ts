import { z } from "zod";
import { commonOptions, documentSchema, mainDocument } from "#workflow-kit/options";
import { PERSONA_NAMES } from "./rules/personas";
import { configurationOf, PRESET_NAMES, shapeErrors, type Configuration } from "./rules/presets";
import { becauseSchema, FILTERS, REVIEW_KINDS } from "./artifacts";
import { metricsSchema } from "./rules/metrics";

/** A text that is not blank; a schema's `minLength` alone accepts blanks. */
const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.trim() !== "", "Write more than blanks.");

export const inputSchema = z.strictObject({
  topic: text(20_000).describe("Topic of the ideas, in any language."),
  papers: z
    .array(
      z.strictObject({
        title: text(500),
        abstract: text(10_000),
        year: z.int().min(1000).max(3000).nullable().optional(),
        url: z
          .url({ protocol: /^https?$/ })
          .max(2000)
          .nullable()
          .optional(),
      }),
    )
    .min(1)
    .max(200)
    .optional()
    .describe("Papers that ground the ideas."),
  existing_ideas: z
    .array(text(500))
    .min(1)
    .max(200)
    .optional()
    .describe("Names of existing ideas, which proposers are told to avoid."),
  corpus_ids: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(10)
    .optional()
    .describe("Corpora whose passages ground the ideas, as papers do."),
});

const field = text(8000);
/** An idea of the caller that shows the form. */
const exampleSchema = z.strictObject({
  name: text(200),
  problem: field,
  existing_methods: field,
  motivation: field,
  proposed_method: field,
  experiment_plan: field,
});

const count = (min: number, max: number) => z.int().min(min).max(max);

/** Most ideas of one configuration in a run. */
export const MAX_IDEAS = 2000;
/** Most ideas of a run in which every kept idea becomes a proposal. */
export const MAX_PROPOSED = 1000;

const persona = text(2000).describe(`${PERSONA_NAMES.join(", ")}, or a persona in your own words.`);
/** Features beyond the paper. */
export const EXTRAS = ["critic_papers", "earlier_criticisms", "closest_work", "match_reasons", "final_check"] as const;
export type Extra = (typeof EXTRAS)[number];
/** Extras for which the prompts of `profile: "paper"` have no place. */
const NOT_IN_PAPER: readonly Extra[] = ["critic_papers", "earlier_criticisms", "closest_work"];

/** What `profile: "paper"` gives to options that the request leaves out. */
export const PAPER_OPTIONS = {
  preset: "recommended",
  method: "prompting",
  venue: "a leading AI conference",
  extras: [],
  duplicate_checks: 0,
  expand: "all",
} as const;

/** For which the judge reviews by default. */
export const VENUE = "a leading venue of the topic's field";
/** Default number of pairs that the ranker checks when ideas come from several dialogues; the proposer of one sees all its ideas. */
const DUPLICATE_CHECKS = 5;

/** The shape of the dialogues, where it differs from the preset's. */
const overrides = {
  proposers: count(1, 8).optional().describe("Agents that propose. By default the preset's."),
  critics: count(0, 8).optional().describe("Critics of each batch of ideas. By default the preset's."),
  depth: count(0, 8).optional().describe("Rounds of critique and revision. By default the preset's."),
  proposer_personas: z.array(persona).min(1).max(8).optional().describe("One for each proposer."),
  critic_personas: z.array(persona).max(8).optional().describe("One for each critic."),
};
const OVERRIDES = Object.keys(overrides) as (keyof typeof overrides)[];

/** One side of a comparison: a preset, or any mix under a name of its own. */
const sideSchema = z.union([
  z.enum(PRESET_NAMES),
  z.strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9_-]{1,40}$/u, "Lower-case letters, digits, `_` and `-`, at most 40.")
      .describe("Its name in metrics and in the names of steps."),
    preset: z.enum(PRESET_NAMES).default("baseline").describe("From which the other fields differ."),
    ...overrides,
  }),
]);

const givenObject = z.strictObject({
  preset: z
    .enum(PRESET_NAMES)
    .default("panel")
    .describe(
      "Configuration of the dialogue: the paper's ten, the mix that it recommends, and `panel`, that mix with critics who look at different things.",
    ),
  ...overrides,
  ideas: count(1, 20).default(5).describe("Ideas of each proposer in each trial."),
  trials: count(1, 100).default(1).describe("Dialogues, each with its own seed."),
  parallelism: count(1, 32).default(8).describe("Trials at once."),
  paper_source: z
    .enum(["given", "semantic_scholar", "none"])
    .optional()
    .describe("By default `given` when papers or corpora are given, else `semantic_scholar`."),
  grounding_papers: count(0, 30).default(10).describe("Papers that each trial sees, drawn from the best."),
  bank_size: count(10, 200).default(100).describe("Papers that are collected."),
  method: text(200)
    .optional()
    .describe("The kind of method that the ideas are to propose. By default any that suits the topic."),
  examples: z
    .array(exampleSchema)
    .min(1)
    .max(6)
    .optional()
    .describe(
      "Ideas that show proposers the form, the best at full length. By default published methods: of prompting if method or topic name it, else of several fields.",
    ),
  venue: text(200).optional().describe(`For which the judge reviews. By default ${VENUE}.`),
  dedup_threshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      "Ideas with a similarity above this are duplicates. By default 0.8 with the paper's encoder, a measured value with another one, 0.6 with the lexical measure.",
    ),
  duplicate_checks: count(0, 200)
    .optional()
    .describe(
      `How many of the most similar pairs of kept ideas the ranker checks for being the same idea. By default ${DUPLICATE_CHECKS} when ideas come from several trials or proposers, else 0; under \`compare\` 0.`,
    ),
  expand: z
    .enum(["all", "top_k", "none"])
    .default("top_k")
    .describe(
      "`all`: every kept idea becomes a proposal, and proposals are ranked (always so under `compare`); `top_k`: ideas are ranked, and the best become proposals.",
    ),
  proposals: count(1, 50).default(3).describe("How many ideas become proposals with `top_k`."),
  tournament_rounds: count(1, 20).default(10),
  both_orders: z.boolean().default(false).describe("Each pair is judged in both orders."),
  filters: z
    .array(z.enum(FILTERS))
    .max(FILTERS.length)
    .default([])
    .describe("Checks that an idea must pass, made in this order: consistency, feasibility, significance, novelty."),
  extras: z
    .array(z.enum(EXTRAS))
    .max(EXTRAS.length)
    .optional()
    .describe(
      "Features beyond the paper. `critic_papers`: critics read the papers of their trial, and may object that an idea has been published; `earlier_criticisms`: critics read the criticisms of the previous round; `closest_work`: proposals say what is new compared with the closest works; `match_reasons`: the judge compares by three questions and gives its reason; `final_check`: a last reader corrects mistakes in a finished proposal, unless a person approves it (`reviews`). By default all, under `compare` none.",
    ),
  rubric: z
    .boolean()
    .default(false)
    .describe("Scores ideas or proposals, 1 to 10, for originality, feasibility, clarity."),
  compare: z
    .array(sideSchema)
    .length(2)
    .optional()
    .describe("Two presets or mixes to compare; `preset` then has no effect."),
  ...commonOptions(REVIEW_KINDS),
});

const givenOptionsSchema = givenObject.superRefine((options, context) => {
  const fieldError = (path: string | (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path: [path].flat(), message });
  const { compare } = options;
  const misplaced = (options.extras ?? []).filter((extra) => NOT_IN_PAPER.includes(extra));
  if (options.profile === "paper" && misplaced.length)
    fieldError("extras", `The paper's prompts have no place for ${misplaced.join(", ")}; omit them, or \`profile\`.`);
  if (compare) {
    const names = configurationsOf(options).map(({ name }) => name);
    if (new Set(names).size < names.length) fieldError("compare", "Compare two presets or mixes with different names.");
    for (const name of OVERRIDES)
      if (options[name] !== undefined) fieldError(name, "`compare` has its own shapes of dialogues; omit this.");
    for (const [index, side] of compare.entries())
      if (typeof side !== "string")
        for (const [name, message] of shapeErrors(side.preset, side)) fieldError(["compare", index, name], message);
  } else for (const [name, message] of shapeErrors(options.preset, options)) fieldError(name, message);
  const configurations = configurationsOf(options);
  const each = Math.max(...configurations.map(({ proposers }) => proposers)) * options.ideas * options.trials;
  if (each > MAX_IDEAS) fieldError("trials", `These are ${each} ideas; a run holds up to ${MAX_IDEAS}.`);
  const all = configurations.reduce((sum, { proposers }) => sum + proposers, 0) * options.ideas * options.trials;
  if ((compare || options.expand === "all") && all > MAX_PROPOSED)
    fieldError("trials", `These are ${all} ideas; where all may become proposals, a run holds up to ${MAX_PROPOSED}.`);
  if (new Set(options.filters).size < options.filters.length) fieldError("filters", "Name each filter once.");
  if (new Set(options.extras).size < (options.extras ?? []).length) fieldError("extras", "Name each extra once.");
});

/** The options that a run shows: those with a default from the preset, or from other options, are present. */
const completeObject = givenObject.required({ duplicate_checks: true, extras: true });
type CompleteOptions = z.output<typeof completeObject>;
/** Its input is what the request's options became, without a field that is left to a default. */
const completeSchema = completeObject as unknown as z.ZodType<CompleteOptions, CompleteOptions>;

/** Completes options from their preset. */
const complete = (options: z.output<typeof givenOptionsSchema>): CompleteOptions => {
  // A comparison measures dialogues as the paper does, without what follows them here.
  if (options.compare) {
    const { duplicate_checks = 0, extras = [] } = options;
    return { ...options, duplicate_checks, extras, expand: "all" as const };
  }
  const { name: _, ...configuration } = configurationOf(options.preset, options);
  const dialogues = options.trials * configuration.proposers;
  const { duplicate_checks = dialogues > 1 ? DUPLICATE_CHECKS : 0, extras = [...EXTRAS] } = options;
  return { ...options, duplicate_checks, extras, ...configuration };
};

export const optionsSchema = givenOptionsSchema.transform(complete).pipe(completeSchema);

/** The configurations of a run: one, or the two that it compares. */
export const configurationsOf = (options: z.output<typeof givenOptionsSchema>): Configuration[] =>
  options.compare
    ? options.compare.map((side) =>
        typeof side === "string" ? configurationOf(side) : { ...configurationOf(side.preset, side), name: side.name },
      )
    : [configurationOf(options.preset, options)];
export const STOP_REASONS = ["ranked", "expanded", "nothing_left", "rejected_by_human"] as const;
export type StopReason = (typeof STOP_REASONS)[number];
export const outputSchema = z
  .strictObject({
    ideas: z
      .array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          configuration: z.string(),
          trial: z.int().nullable().describe("null: a person added it."),
        }),
      )
      .describe("Every idea, in order; their texts are in the artifact `idea_set`."),
    kept: z
      .array(z.string())
      .describe("Ids of the ideas that remain after deduplication, filters and people's choices."),
    dropped: z.array(z.strictObject({ idea: z.string(), because: becauseSchema })),
    ranking: z
      .array(
        z.strictObject({
          place: z.int(),
          idea: z.string(),
          name: z.string(),
          score: z.number(),
          tied: z.boolean().describe("Only a random draw decided its place among equal scores."),
          rubric: z
            .strictObject({ originality: z.int(), feasibility: z.int(), clarity: z.int() })
            .nullable()
            .describe("null unless `rubric` was asked for."),
        }),
      )
      .describe("Best first."),
    proposals: z.array(z.strictObject({ idea: z.string(), title: z.string(), document: documentSchema })),
    metrics: metricsSchema,
    paper_source: z
      .strictObject({
        source: z.enum(["given", "semantic_scholar", "none"]),
        papers: z.int(),
        note: z.string().nullable(),
      })
      .describe(
        "Source of the papers, failures, whether novelty was checked, and whether most ideas were called duplicates.",
      ),
    document: mainDocument.describe("The best proposal; the report when there is no proposal."),
    documents: z.strictObject({
      report: documentSchema
        .nullable()
        .describe("The whole result to hand over: ranking, closest pairs, proposals, other ideas, papers. Markdown."),
      ideas: documentSchema.nullable().describe("The kept ideas, Markdown."),
      bracket: documentSchema.nullable().describe("The tournament, SVG."),
      similarity: documentSchema.nullable().describe("The similarities, SVG."),
    }),
    stop_reason: z.enum(STOP_REASONS),
  })
  .meta({ id: "IdeationOutput" });

export type Input = z.infer<typeof inputSchema>;
export type Options = z.output<typeof optionsSchema>;
export type Output = z.infer<typeof outputSchema>;
