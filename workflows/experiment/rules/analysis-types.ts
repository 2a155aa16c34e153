import type { Measure } from "./metrics/metric";
import type { TrialResult } from "./trials";

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
  /** Its input names a corpus. */
  has_corpus?: boolean;
  /** Texts of which each is right, for answers after each round (H3); case and outer spaces do not count. Absent: the gold has no short answer. */
  right_answers?: readonly string[];
}

export interface AnalysisInput {
  variants: readonly AnalysedVariant[];
  measures: readonly Measure[];
  /** The items that the experiment was about to run. */
  items: readonly AnalysedItem[];
  repetitions: number;
  /** Trials that have ended. A trial that the experiment did not come to is absent: it is missing, not wrong. */
  results: readonly TrialResult[];
  /** Pairs of variants: [system, baseline]. */
  compare: readonly (readonly [system: string, baseline: string])[];
  on_failure: "count_as_wrong" | "leave_out";
  resamples: number;
  seed: number;
  is_test_mode: boolean;
  /** Whether the experiment ended before its last trial. */
  partial: boolean;
}

/** A mean over items with its 95 % interval. */
export interface Estimated {
  /** Items that count. */
  n: number;
  mean: number;
  /** null, as `high`: all items have one value inside the range, so that nothing is known about others. */
  low: number | null;
  high: number | null;
}

/** A measure of a variant. */
export interface MeasureResult extends Estimated {
  variant: string;
  measure: string;
  /** Failed trials that count with the worst value of the measure. */
  failed: number;
  /** Trials without a value: nothing to count, failed and left out, or failed where the measure has no worst value. */
  without_value: number;
  /** The items have one value. At an end of the range the interval is Wilson's; elsewhere there is none. */
  constant: boolean;
}

export const VERDICTS = ["better", "worse", "inconclusive"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Why a comparison is inconclusive: the first of these that holds. */
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
  /** null, as `high`: all items differ by the same, or none does. */
  low: number | null;
  high: number | null;
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
  /** 95 % intervals over items; null: every resample has the same share. */
  intervals: Readonly<Record<"precision" | "recall" | "f1", { low: number; high: number } | null>>;
}

/** Usage of the trials of a variant, failed ones included. */
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
  /** Planned, and not run. */
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

/** A debate at its tokens, and self-consistency at as many. */
export interface AtEqualTokens extends Estimated {
  variant: string;
  /** Mean of a trial. */
  tokens: number;
  /** Score of self-consistency at these tokens: between two variants on the line from one to the other. */
  baseline_score: number;
  /** Weights of the self-consistency variants in that score; they add up to 1. */
  weights: readonly { variant: string; weight: number }[];
  /** The tokens lie outside those of the self-consistency variants, so that the nearest one is in. */
  outside: boolean;
}

/** H1: accuracy a token. */
export interface TokenEfficiency {
  measure: string;
  rows: readonly {
    variant: string;
    mean: number;
    tokens: number;
    per_1000_tokens: number;
    self_consistency: boolean;
  }[];
  /** `mean` is the difference: debate minus self-consistency. Not among the comparisons that are adjusted for being many. */
  at_equal_tokens: readonly AtEqualTokens[];
}

/** Questions of one stratum of confidence. */
export interface StratumResult {
  /** Questions: trials of the baseline. */
  questions: number;
  errors: number;
  /** Share of the baseline's errors that the system corrects; null: no errors. */
  corrected: Estimated | null;
  /** Share of the baseline's right answers that the system breaks; null: none is right. */
  broken: Estimated | null;
}

/** H2: errors corrected, and right answers broken, by the baseline's confidence. */
export interface Correction {
  measure: string;
  system: string;
  baseline: string;
  /** Least confidence of the high stratum. */
  threshold: number;
  high: StratumResult;
  low: StratumResult;
}

export interface RoundResult extends Estimated {
  variant: string;
  round: number;
  /** Difference to the round before; null in the first. */
  gain: Estimated | null;
}

/** H3: accuracy after each round of one debate, and every measure by the number of rounds of a variant. */
export interface ByRound {
  /** Of debates whose answers after each round are known. A debate that ended early keeps its last answer. */
  within: readonly RoundResult[];
  /** Of variants that differ in their option `rounds`. */
  across: readonly (Estimated & { measure: string; variant: string; rounds: number })[];
}

/** What telling the judge which model wrote a brief does for that model: its share of prevailing debaters, labelled minus blind. */
export interface LabelBias {
  labeled: string;
  blind: string;
  model: string;
  /** Means over the items that both variants decided. */
  labeled_share: number;
  blind_share: number;
  difference: Estimated;
}

/** The hypotheses of Silva et al., and the bias of a judge who sees the models, as far as the variants can test them; null: they cannot. */
export interface Hypotheses {
  h1: TokenEfficiency | null;
  h2: readonly Correction[] | null;
  h3: ByRound | null;
  label_bias: readonly LabelBias[] | null;
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
  trials: {
    planned: number;
    completed: number;
    /** Failed or canceled. */
    failed: number;
    /** Counted by no measure: failed ones that are left out, canceled ones, and those not run. */
    left_out: number;
    reused: number;
  };
  /** The missing parts, in sentences. */
  missing: readonly string[];
  resamples: number;
  /** Of the comparisons: more where many are shown, so that their adjusted p can be small enough. */
  comparison_resamples: number;
  seed: number;
}
