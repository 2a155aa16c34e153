import type { Measure } from "./metrics/metric";
import type { TrialResult } from "./trials";
import type { Hypotheses } from "./hypotheses";

/** A variant, as a report names it. */
export interface AnalysedVariant {
  name: string;
  workflow: string;
  profile: string;
  /** Model of most of its roles. */
  model: string;
  /** Its options as requested. */
  options: Readonly<Record<string, unknown>>;
}

export interface AnalysedItem {
  id: string;
  tags: readonly string[];
  /** Texts of which each is right, for answers after each round (H3); case and outer spaces do not count. Absent: the gold has no short answer. */
  right_answers?: readonly string[];
}

export interface AnalysisInput {
  variants: readonly AnalysedVariant[];
  measures: readonly Measure[];
  /** The items that the experiment was about to play. */
  items: readonly AnalysedItem[];
  repetitions: number;
  /** Trials that have ended. A trial that the experiment did not come to is absent: it is missing, not wrong. */
  results: readonly TrialResult[];
  /** Pairs of variants: [system, baseline]. */
  compare: readonly (readonly [system: string, baseline: string])[];
  on_failure: "count_as_wrong" | "leave_out";
  resamples: number;
  seed: number;
  is_rehearsal: boolean;
  /** Whether the experiment ended before its last trial. */
  partial: boolean;
}

/** A mean over items with its 95 % interval. */
export interface Estimated {
  /** Items that count. */
  n: number;
  mean: number;
  low: number;
  high: number;
}

/** A measure of a variant. */
export interface MeasureResult extends Estimated {
  variant: string;
  measure: string;
  /** Failed trials that count with the worst value of the measure. */
  failed: number;
  /** Trials without a value: nothing to count, failed and left out, or failed where the measure has no worst value. */
  without_value: number;
  /** The items have one value: resampling cannot show how uncertain the mean is. */
  constant: boolean;
}

export const VERDICTS = ["better", "worse", "decides_nothing"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Why a comparison decides nothing: the first of these that holds. */
export const UNDECIDED = ["few_items_differ", "interval_holds_zero", "p_adjusted"] as const;
export type Undecided = (typeof UNDECIDED)[number];

/** Paired comparison of two variants by one measure, over the items that both have. */
export interface ComparisonResult {
  system: string;
  baseline: string;
  measure: string;
  n: number;
  /** Items on which both differ. */
  differing: number;
  /** System minus baseline. */
  difference: number;
  low: number;
  high: number;
  /** Two-sided. */
  p: number;
  /** Adjusted by Holm's method for all comparisons of the analysis. */
  p_adjusted: number;
  verdict: Verdict;
  /** null: decided. */
  because: Undecided | null;
  /** Estimate: items with which a difference like this one would be found in 80 of 100 experiments; null: it is 0. */
  items_needed: number | null;
}

export interface TagResult extends Estimated {
  tag: string;
  variant: string;
  measure: string;
}

/** Precision, recall and F1 of counts that are added up over all trials. */
export interface MicroResult {
  variant: string;
  /** The metric, or the part of one, whose counts these are. */
  of: string;
  found: number;
  right: number;
  matched: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
}

/** What the trials of a variant used, failed ones included. */
export interface EffortResult {
  variant: string;
  trials: number;
  /** Means of a trial; null: a model has no known price. */
  cost_usd: number | null;
  tokens: number;
  calls: number;
  seconds: number;
  /** Sums. */
  total_cost_usd: number | null;
  total_tokens: number;
}

export interface FailureResult {
  variant: string;
  planned: number;
  completed: number;
  failed: number;
  canceled: number;
  /** Planned, and not played. */
  missing: number;
  left_out: number;
  reused: number;
  errors: readonly { code: string; trials: number }[];
}

/** A variant at its score and its cost. */
export interface FrontPoint {
  variant: string;
  cost: number;
  score: number;
  /** No other variant is as cheap and as good, and better in one of both. */
  on_front: boolean;
}

export interface Front {
  measure: string;
  cost_of: "cost_usd" | "tokens";
  points: readonly FrontPoint[];
}

export interface Analysis {
  results: readonly MeasureResult[];
  comparisons: readonly ComparisonResult[];
  by_tag: readonly TagResult[];
  micro: readonly MicroResult[];
  effort: readonly EffortResult[];
  failures: readonly FailureResult[];
  fronts: readonly Front[];
  hypotheses: Hypotheses;
  trials: { planned: number; completed: number; failed: number; left_out: number; reused: number };
  /** What is missing, in sentences. */
  missing: readonly string[];
  resamples: number;
  seed: number;
}
