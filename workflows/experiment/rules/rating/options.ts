import { z } from "zod";

/** The questions for raters: the better of two answers, points on scales, or whether a source supports a statement. */
export const FORMS = ["pairs", "likert", "binary"] as const;
export type Form = (typeof FORMS)[number];

/** Most raters of an experiment. */
const MAX_RATERS = 20;

/** Most trials, pairs or citations that are rated. */
const MAX_SUBJECTS = 4000;

/** Most pages of an experiment: a run waits for all of them. */
export const MAX_PAGES = 200;

/** Dimensions of the human rating in Silva et al. (4.2). */
const DIMENSIONS = ["factual_accuracy", "legal_relevance", "argument_clarity"];

const count = (min: number, max: number) => z.int().min(min).max(max);
const dimension = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/u, "Lower-case letters, digits and `_`, at most 40.");
const raterName = z.string().trim().min(1).max(100);

/** `options.rating` of a request. */
export const ratingSchema = z
  .strictObject({
    form: z
      .enum(FORMS)
      .describe(
        "`pairs`: which of two answers is better; `likert`: one answer on scales from 1 to 5; `binary`: whether the source of a citation supports the statement.",
      ),
    question: z.string().trim().min(1).max(1000).optional().describe("What raters are asked, in place of our words."),
    dimensions: z
      .array(dimension)
      .min(1)
      .max(10)
      .optional()
      .describe("Scales of `likert`; by default those of Silva et al.: factual accuracy, legal relevance, clarity."),
    raters: z
      .union([count(1, MAX_RATERS), z.array(raterName).min(1).max(MAX_RATERS)])
      .describe("How many people rate, or their names."),
    items: count(1, MAX_SUBJECTS)
      .optional()
      .describe(
        `How many trials, pairs or citations are rated, drawn with the run's seed; by default as many as fit on ${MAX_PAGES} pages.`,
      ),
    each: count(1, MAX_RATERS).optional().describe("Raters of each of them; by default all raters."),
    per_page: count(1, 20).default(10).describe("Ratings on one page: an interaction with a link of its own."),
    against: z
      .string()
      .min(1)
      .max(40)
      .optional()
      .describe("`pairs`: the variant to compare with; by default the first."),
  })
  .superRefine(({ form, dimensions, raters, items = 1, each, per_page, against }, context) => {
    const fieldError = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (dimensions && form !== "likert") fieldError("dimensions", "Only `likert` has dimensions.");
    if (dimensions && new Set(dimensions).size < dimensions.length)
      fieldError("dimensions", "Name each dimension once.");
    if (against !== undefined && form !== "pairs") fieldError("against", "Only `pairs` are compared with a variant.");
    if (Array.isArray(raters) && new Set(raters).size < raters.length) fieldError("raters", "Name each rater once.");
    const people = numberOf(raters);
    if (each !== undefined && each > people) fieldError("each", "There are fewer raters.");
    const pages = people * Math.ceil((items * (each ?? people)) / people / per_page);
    if (pages > MAX_PAGES)
      fieldError(
        "items",
        `These are ${pages} pages, and there are up to ${MAX_PAGES}: rate fewer items, or more on a page.`,
      );
  });

export type RatingOptions = z.output<typeof ratingSchema>;

const numberOf = (raters: number | readonly string[]): number => (typeof raters === "number" ? raters : raters.length);

/** Names of the raters: those of the request, or `Rater 1`, `Rater 2`, … */
export const ratersOf = ({ raters }: Pick<RatingOptions, "raters">): readonly string[] =>
  typeof raters === "number" ? Array.from({ length: raters }, (_, index) => `Rater ${index + 1}`) : raters;

/** The dimension on which each subject is rated: the name of a measure's part. */
export const dimensionsOf = ({ form, dimensions = DIMENSIONS }: Pick<RatingOptions, "form" | "dimensions">) =>
  ({ pairs: ["win"], likert: dimensions, binary: ["supported"] })[form] as readonly string[];
