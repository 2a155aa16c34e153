import type { DocumentReference } from "#workflow-kit/artifact";
import type { DatasetItem, Gold } from "#workflow-kit/datasets";
import type { Scores, Trial } from "../trials";

/** What all metrics have, whether code or a judge computes them. */
export interface MetricDescription {
  name: string;
  /** Raised when the same trial would get another score. */
  version: number;
  /** One line for the docs: what it measures, and its source (paper, section). */
  summary: string;
  range: readonly [number, number | null];
  /** Ranges of parts that have another one. */
  ranges?: Readonly<Record<string, readonly [number, number | null]>>;
  higher_is_better: boolean;
  /** Only some trials have a value, drawn at random: a failed trial then has none, rather than the worst. */
  sampled?: boolean;
  /** Workflows whose output it understands; null: all. */
  workflows: readonly string[] | null;
  /** Parts of the gold without which it cannot be computed. */
  needs: readonly (keyof Gold)[];
}

/** A metric that code computes: free, and the same each time. */
export interface Metric extends MetricDescription {
  /** Artifacts that it reads besides the output. */
  reads?(output: unknown): readonly DocumentReference[];
  /**
   * Scores of a completed trial: a number, or several by the name of the part.
   * @param item has every part of the gold that the metric needs
   */
  score(trial: Trial, item: DatasetItem): number | null | Scores;
}

/** One number that is reported: a metric, or a part of one. */
export interface Measure {
  /** `<metric>` or `<metric>.<part>`. */
  name: string;
  metric: string;
  version: number;
  range: readonly [number, number | null];
  higher_is_better: boolean;
  sampled?: boolean;
  /** The scores compare a variant with this one; in the middle of the range both are equal. */
  against?: string;
}

/** The measure of a part of a metric. */
export const measureName = (metric: string, part: string | null): string =>
  part === null ? metric : `${metric}.${part}`;

/**
 * Whether a measure is of one kind of elements, such as `model_match.actor.f1`. These are in the papers' tables and in the counts; they
 * are not compared, because each comparison more makes all others harder to decide.
 */
export const isDetail = ({ name }: Pick<Measure, "name">): boolean => name.split(".").length > 2;
