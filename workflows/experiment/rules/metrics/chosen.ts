import type { DatasetItem, Gold } from "#workflow-kit/datasets";
import { METRICS } from "./index";
import { JUDGED, type JudgedMetric, type JudgeParameters } from "./judged";
import type { Measure, Metric, MetricDescription } from "./metric";
import type { TrialResult } from "../trials";

/** A metric of a request: its name, or its name with parameters. */
export type MetricChoice = string | { name: string };

export const nameOfChoice = (choice: MetricChoice): string => (typeof choice === "string" ? choice : choice.name);

/** What a metric is; null: there is none of this name. */
export const describedMetric = (name: string): MetricDescription | null =>
  (Object.hasOwn(METRICS, name) && METRICS[name]) || judgedMetric(name);

/** A metric that a judge scores; null: there is none of this name. */
export const judgedMetric = (name: string): JudgedMetric | null => (Object.hasOwn(JUDGED, name) ? JUDGED[name]! : null);

/** A judged metric of a request, with its parameters. */
export interface ChosenJudge {
  metric: JudgedMetric;
  parameters: JudgeParameters;
}

/** The judged metrics that a request names, in its order. */
export const chosenJudges = (choices: readonly MetricChoice[] = []): ChosenJudge[] =>
  choices.flatMap((choice) => {
    const metric = judgedMetric(nameOfChoice(choice));
    return metric ? [{ metric, parameters: metric.parameters.parse(withName(choice)) }] : [];
  });

/**
 * Calls of judges for one trial of a variant at most: those of pairs judge both orders, and none is for the variant that others are compared with.
 * @param first the variant that pairs are compared with where the request names none
 */
export const judgeCalls = (judges: readonly ChosenJudge[], variant: string, first: string): number =>
  judges.reduce((sum, { metric, parameters: { samples = 1, pairs = 1, against = first } }) => {
    if (metric.embeds) return sum;
    if (metric.kind === "single") return sum + 1;
    return sum + (variant === against ? 0 : 2 * samples * pairs);
  }, 0);

/** A choice as an object. */
export const withName = (choice: MetricChoice): { name: string } =>
  typeof choice === "string" ? { name: choice } : choice;

/** Parts of the gold that the metric needs and the item lacks. */
export const missingGold = ({ needs }: Pick<MetricDescription, "needs">, { gold = {} }: DatasetItem): (keyof Gold)[] =>
  needs.filter((part) => gold[part] === undefined);

/** Whether the metric understands the outputs of these workflows. */
export const suits = (
  { workflows }: Pick<MetricDescription, "workflows">,
  variants: readonly { workflow: string }[],
): boolean => workflows === null || variants.every(({ workflow }) => workflows.includes(workflow));

/**
 * The metrics that code computes: those that are named, in the order of METRICS. By default those that suit every variant and for which
 * every item has gold.
 */
export function chosenMetrics(
  choices: readonly MetricChoice[] | undefined,
  variants: readonly { workflow: string }[],
  items: readonly DatasetItem[],
): Metric[] {
  const all = Object.values(METRICS);
  if (choices === undefined)
    return all.filter(
      (metric) => suits(metric, variants) && items.every((item) => missingGold(metric, item).length === 0),
    );
  const names = new Set(choices.map(nameOfChoice));
  return all.filter(({ name }) => names.has(name));
}

const depth = (name: string): number => name.split(".").length;

/** What a metric says of the whole comes before what it says of types: `model_match.f1` before `model_match.actor.f1`. */
const byDepthAndName = (one: string, other: string): number =>
  depth(one) - depth(other) || (one < other ? -1 : Number(one > other));

/** The measures of scored trials: a metric, or each of its parts, in the order of the metrics; parts of the whole first, then by name. */
export function measuresOf(metrics: readonly MetricDescription[], results: readonly TrialResult[]): Measure[] {
  const names = new Set(results.flatMap(({ scores }) => Object.keys(scores)));
  return metrics.flatMap(({ name: metric, version, range, ranges = {}, higher_is_better, sampled }) => {
    const parts = [...names].filter((name) => name.startsWith(`${metric}.`)).toSorted(byDepthAndName);
    const measures = names.has(metric) || parts.length === 0 ? [metric, ...parts] : parts;
    return measures.map((name) => ({
      name,
      metric,
      version,
      range: ranges[name.slice(metric.length + 1)] ?? range,
      higher_is_better,
      ...(sampled && { sampled }),
    }));
  });
}
