import type { ChildResult, ChildOutcome } from "#workflow-kit/children";

/** A variant's run on one item, as metrics see it. */
export interface Trial {
  variant: string;
  item: string;
  /** From 0. */
  repetition: number;
  run_id: string;
  workflow: string;
  /** Absent: the trial was removed, or scored before versions were kept. */
  workflow_version?: number;
  status: ChildResult["status"];
  error: ChildResult["error"];
  /** In the form of its workflow's output, documents as references; null unless it completed. */
  output: unknown;
  /** Contents of the artifacts that its metrics read (`Metric.reads`), by artifact id. */
  contents: Readonly<Record<string, unknown>>;
  usage: ChildOutcome["usage"];
  /** Time in which it was neither paused nor waiting, seconds. */
  seconds: number;
  /** Whether the trial was run by an earlier experiment. */
  reused: boolean;
}

/** Values by measure; null: the trial has nothing that the measure could count, such as a precision where nothing was found. */
export type Scores = Readonly<Record<string, number | null>>;

/** A trial with its scores, as analysis and report read it: small, without contents. */
export interface TrialResult extends Omit<Trial, "output" | "contents"> {
  /** Its answer in short, for tables; null: none. */
  answer: string | null;
  /** By measure, `<metric>` or `<metric>.<part>`. */
  scores: Scores;
  /** What tables of one method need besides: its stated confidence, or its answer after each round. */
  confidence: number | null;
  answers_by_round: readonly (string | null)[] | null;
  /** How far each model prevailed in a debate of several (`prevailingModels`). */
  prevailing_models: Readonly<Record<string, number>> | null;
}
