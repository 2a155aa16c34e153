import type { Presenter } from "#workflow-kit/presentation";
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

/** How people see an analysis. Report, tables of trials and plots are documents, which are shown as they are. */
export const PRESENTERS = { analysis } satisfies Record<string, Presenter>;
