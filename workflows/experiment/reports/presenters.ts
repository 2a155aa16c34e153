import type { Presenter } from "#workflow-kit/presentation";
import type { RatingMaterial } from "../rules/rating/plan";
import type { Analysis } from "../rules/analysis-types";
import { verdictIn } from "./plots/differences";
import { figure, interval, signed } from "./plots/numbers";

/** Means and comparisons in words; the rest of an analysis is in the report. */
const analysis: Presenter<Analysis> = {
  refers_to: [],
  present: ({ results, comparisons, missing }) => ({
    content: {
      means: results.map(({ variant, measure, n, mean, low, high }) => ({
        variant,
        measure,
        mean: `${figure(mean)} ${interval(low, high)}`,
        items: n,
      })),
      comparisons: comparisons.map((one) => ({
        compared: `${one.system} with ${one.baseline}`,
        measure: one.measure,
        difference: `${signed(one.difference)} ${interval(one.low, one.high)}`,
        verdict: verdictIn(one),
      })),
      ...(missing.length > 0 && { missing }),
    },
  }),
};

/** The texts that a rater reads of one subject. */
const rating_material: Presenter<RatingMaterial> = {
  refers_to: [],
  present: ({ parts }) => ({ parts }),
};

/** How people see an analysis, and what they rate. Report, tables of trials and plots are documents, which are shown as they are. */
export const PRESENTERS = { analysis, rating_material } satisfies Record<string, Presenter>;
