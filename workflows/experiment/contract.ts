import { z } from "zod";
import type { DocumentReference } from "#workflow-kit/artifact";
import { MAX_TRIALS } from "./rules/plan";
import { FORMS, ratingSchema } from "./rules/rating/options";
import { commonOptions, documentSchema, mainDocument, nonBlankText } from "#workflow-kit/options";

/** The workflow's own name: no variant runs an experiment. */
export const NAME = "experiment";

const count = (min: number, max: number) => z.int().min(min).max(max);

const variantName = z.string().regex(/^[a-z0-9_-]{1,40}$/u, "Lower-case letters, digits, `_` and `-`, at most 40.");

/** A part of a run's request. The workflow's own schemas check it once the variant meets the items. */
const requestPart = z.record(z.string(), z.json());

export const variantSchema = z.strictObject({
  name: variantName.describe("Its name in tables, and in the names of its trials."),
  workflow: z
    .string()
    .min(1)
    .max(100)
    .refine((name) => name !== NAME, "A trial is a run of another workflow: an experiment starts no experiment.")
    .describe("The workflow that answers."),
  options: requestPart.optional().describe("Options of its runs; those of an item replace them."),
  models: requestPart
    .optional()
    .describe("Models of its runs, as `POST /v1/runs` takes them. By default the experiment's default model."),
  limits: requestPart.optional().describe("Limits of each of its runs."),
});

export const inputSchema = z
  .strictObject({
    title: nonBlankText(200).optional().describe("Title of the report."),
    dataset_id: z.string().min(1).max(100).describe("The data set; it must be closed."),
    first: count(1, MAX_TRIALS).optional().describe("Only the first items, this many, after `items` and `tags`."),
    sample: z
      .strictObject({ size: count(1, MAX_TRIALS), seed: count(0, 2 ** 31 - 1).default(1) })
      .optional()
      .describe("Only so many items, drawn at random after `items` and `tags`: the same ones for the same seed."),
    items: z.array(z.string().min(1).max(100)).min(1).max(MAX_TRIALS).optional().describe("Only these items, by id."),
    tags: z.array(z.string().min(1).max(100)).min(1).max(20).optional().describe("Only items with any of these tags."),
    variants: z.array(variantSchema).min(1).max(20).describe("What is compared."),
  })
  .superRefine(({ variants, first, sample }, context) => {
    if (first !== undefined && sample)
      context.addIssue({ code: "custom", path: ["sample"], message: "Give `first` or `sample`, not both." });
    const names = variants.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) < index)
        context.addIssue({
          code: "custom",
          path: ["variants", index, "name"],
          message: "Another variant has this name.",
        });
    });
  });

/** A metric by its name, or with its parameters. */
const metricChoice = z.union([
  z.string().min(1).max(100),
  z.looseObject({ name: z.string().min(1).max(100) }).describe("A metric with its parameters."),
]);

const { reviews: _, ...common } = commonOptions(["analysis"]);

export const ON_FAILURE = ["count_as_wrong", "leave_out"] as const;

export const optionsSchema = z.strictObject({
  metrics: z
    .array(metricChoice)
    .min(1)
    .max(50)
    .optional()
    .describe("By default every free metric that suits all variants and for which every item has gold."),
  compare: z
    .array(z.tuple([variantName, variantName]))
    .min(1)
    .max(50)
    .optional()
    .describe("Pairs of system and baseline. By default each later variant against the first."),
  repetitions: count(1, 20).default(1).describe("Trials of each variant on each item, each with its own seed."),
  concurrency: count(1, 100).default(8).describe("Trials at once, within the tenant's own cap."),
  on_failure: z
    .strictObject({
      retries: count(0, 5).default(1).describe("How often a failed trial is retried."),
      // oxlint-disable-next-line no-thenable -- a schema, and a name, are no functions: nothing can await them
      then: z
        .enum(ON_FAILURE)
        .default("count_as_wrong")
        .describe("Whether a trial that still fails has the worst value of each measure, or is left out and counted."),
    })
    .prefault({}),
  reuse: z
    .boolean()
    .default(false)
    .describe(
      "Takes completed trials of your earlier experiments that are equal in request, workflow version and prompts, each for one trial. Corpora and agents are compared by id, not by content.",
    ),
  resamples: count(1000, 100_000)
    .default(10_000)
    .describe("Resamples of the bootstrap; comparisons take more where many are shown."),
  rating: ratingSchema.optional().describe("People rate trials on pages of their own, before the analysis."),
  ...common,
  reviews: z
    .array(z.enum(["analysis"]))
    .max(0)
    .default([])
    .describe("An experiment has none."),
});

/** Why a run ended. */
const STOP_REASONS = ["analysed", "limit_reached"] as const;

const bound = z.number().nullable();

export const resultSchema = z.strictObject({
  variant: z.string(),
  measure: z.string().describe("`<metric>` or `<metric>.<part>`."),
  n: z.int().describe("Items that the mean is over."),
  mean: bound.describe("Mean over items of the mean over repetitions; null: no item has a value."),
  low: bound.describe(
    "Lower end of the 95 % interval, by a bootstrap over items; Wilson's where all items have the least or the greatest possible value; null where they are equal otherwise.",
  ),
  high: bound.describe("Its upper end."),
});

export const VERDICTS = ["better", "worse", "inconclusive"] as const;

export const comparisonSchema = z.strictObject({
  system: z.string(),
  baseline: z.string(),
  measure: z.string(),
  n: z.int().describe("Items on which both have a value."),
  difference: bound.describe("Mean paired difference, system minus baseline."),
  low: bound.describe("Lower end of its 95 % interval; null where all items differ by the same, or none does."),
  high: bound.describe("Its upper end."),
  p: bound.describe(
    "Two-sided, by the same bootstrap: twice the share (k + 1) / (n + 1) of resamples without the sign.",
  ),
  p_adjusted: bound.describe("Corrected by Holm over all comparisons shown."),
  verdict: z
    .enum(VERDICTS)
    .describe(
      "Of the system. `inconclusive` when too few items differ (fewer than six of one comparison, eight of four to six), when the interval holds 0, or when `p_adjusted` is 0.05 or more.",
    ),
});

const counts = z.strictObject({
  llm_calls: z.int(),
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_tokens: z.int(),
  cost_usd: z.number().nullable(),
});

export const variantUsageSchema = z.strictObject({
  variant: z.string(),
  paid: counts.describe("Of the trials that this run executed."),
  reused: counts.describe("Of reused trials: paid by earlier experiments, no part of this run's usage."),
});

const coefficient = z.number().nullable();

/** Agreement of raters on one dimension. */
export const agreementSchema = z.strictObject({
  form: z.enum(FORMS),
  dimension: z.string(),
  raters: z.int().describe("Raters who gave a rating."),
  items: z.int().describe("Trials, pairs or citations that two raters or more have rated."),
  cohen: coefficient.describe(
    "Cohen's kappa, mean of all pairs of raters; linear weights for `likert`. null: undefined.",
  ),
  fleiss: coefficient.describe("Fleiss' kappa, over what all raters asked for it have rated."),
  krippendorff: coefficient.describe("Krippendorff's alpha, ordinal for `likert`, else nominal."),
});

export const outputSchema = z
  .strictObject({
    document: mainDocument.describe("The report, Markdown."),
    documents: z.strictObject({
      csv: documentSchema.describe("A line for each trial."),
      ndjson: documentSchema.describe("A line for each trial."),
      plots: z.array(z.strictObject({ name: z.string(), document: documentSchema })).describe("SVG."),
    }),
    results: z.array(resultSchema),
    comparisons: z.array(comparisonSchema),
    trials: z.strictObject({
      planned: z.int(),
      completed: z.int(),
      failed: z.int().describe("Trials that failed or were canceled, without those that a limit kept from being run."),
      left_out: z
        .int()
        .describe(
          "Trials that no measure counts: failed ones under `leave_out`, canceled, removed, and those not run.",
        ),
      reused: z.int().describe("Completed trials that earlier experiments ran."),
    }),
    judgements: z
      .array(z.strictObject({ metric: z.string(), judged: z.int(), failed: z.int() }))
      .describe("Trials that a judge has scored by each judged metric, and those where the judge failed."),
    agreement: z.array(agreementSchema).optional().describe("How far raters agree beyond chance; only with `rating`."),
    usage: z.array(variantUsageSchema),
    partial: z.boolean().describe("A limit of the experiment kept trials from being run."),
    stop_reason: z.enum(STOP_REASONS),
  })
  .meta({ id: "ExperimentOutput" });

export type Variant = z.output<typeof variantSchema>;
export type Input = z.output<typeof inputSchema>;
export type Options = z.output<typeof optionsSchema>;
type Documents = {
  csv: DocumentReference;
  ndjson: DocumentReference;
  plots: { name: string; document: DocumentReference }[];
};
export type Output = Omit<z.output<typeof outputSchema>, "document" | "documents"> & {
  document: DocumentReference;
  documents: Documents;
};
