import type { Analysis, AnalysisInput } from "../../rules/analysis-types";
import { debateLayouts } from "./debate";
import { ideationLayouts } from "./ideation";
import type { Layout } from "./layout";
import { requirementsLayouts } from "./requirements";
import { waterfallLayouts } from "./waterfall";

/** The papers' tables that the experiment's measures fill. */
export const layouts = (input: AnalysisInput, analysis: Analysis): Layout[] => [
  ...requirementsLayouts(input, analysis),
  ...waterfallLayouts(input, analysis),
  ...ideationLayouts(input, analysis),
  ...debateLayouts(analysis),
];
