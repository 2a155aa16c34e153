import { SIGNIFICANCE } from "./statistics/bootstrap";
import type { AnalysisInput, EffortResult, FailureResult, MeasureResult } from "./analysis-types";
import { leastAdjusted, type Pairing } from "./comparisons";
import { worstOf } from "./item-scores";
import type { Measure } from "./metrics/metric";
import { MAX_TAGS, tagsOf } from "./tags";

interface Known {
  input: AnalysisInput;
  measures: readonly Measure[];
  results: readonly MeasureResult[];
  failures: readonly FailureResult[];
  effort: readonly EffortResult[];
  /** Pairs that share no item. */
  unpaired: readonly Pairing[];
  /** Number of comparisons. */
  compared: number;
  comparison_resamples: number;
}

const trials = (number: number): string => `${number} ${number === 1 ? "trial" : "trials"}`;
const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

/** Limits of an analysis, in sentences of Markdown. */
export const missingFrom = (known: Known): string[] => [
  ...notRun(known),
  ...failed(known),
  ...withoutMeasure(known),
  ...withoutValues(known),
  ...known.unpaired.map(
    ({ system, baseline, measure }) =>
      `\`${system}\` and \`${baseline}\` are not compared by \`${measure.name}\`: no item has a score of both.`,
  ),
  ...tooMany(known),
  ...fewItems(known),
  ...constants(known),
  ...unpriced(known),
  ...tagsLeft(known),
];

const notRun = ({ failures }: Known): string[] =>
  failures.flatMap(({ variant, planned, missing, canceled }) => [
    ...(missing > 0 ? [`\`${variant}\`: ${missing} of ${trials(planned)} were not run.`] : []),
    ...(canceled > 0 ? [`\`${variant}\`: ${trials(canceled)} canceled; they do not count.`] : []),
  ]);

function failed({ failures, input: { on_failure } }: Known): string[] {
  const consequence =
    on_failure === "count_as_wrong"
      ? "each counts with the worst value of every measure that has one"
      : "they are left out, so that the means are of the trials that did not fail";
  return failures.flatMap(({ variant, planned, failed: number }) =>
    number > 0 ? [`\`${variant}\`: ${number} of ${trials(planned)} failed; ${consequence}.`] : [],
  );
}

function withoutMeasure({ input: { variants }, measures, results }: Known): string[] {
  const has = new Set(results.map(({ variant, measure }) => `${measure} ${variant}`));
  return measures.flatMap(({ name, against }) => {
    const expected = variants.map((one) => one.name).filter((variant) => variant !== against);
    const without = expected.filter((variant) => !has.has(`${name} ${variant}`));
    return without.length > 0 ? [`\`${name}\` has no value for ${listed(without)}.`] : [];
  });
}

function withoutValues({ input: { on_failure }, measures, results }: Known): string[] {
  return measures.flatMap((measure) => {
    const some = results.filter((result) => result.measure === measure.name && result.without_value > 0);
    if (some.length === 0) return [];
    const counted = on_failure === "count_as_wrong" && !measure.sampled && worstOf(measure) !== null;
    const reason = counted ? "there was nothing to count" : "there was nothing to count, or the trial failed";
    const counts = some.map(({ variant, without_value }) => `${without_value} of \`${variant}\``).join(", ");
    return [`\`${measure.name}\`: trials without a value, because ${reason}: ${counts}.`];
  });
}

function tooMany({ compared, comparison_resamples }: Known): string[] {
  if (leastAdjusted(compared, comparison_resamples) < SIGNIFICANCE) return [];
  return [
    `With ${comparison_resamples} resamples and ${compared} comparisons no adjusted p can be below ${SIGNIFICANCE}: nothing can be decided. Ask for fewer metrics or comparisons, or for more resamples.`,
  ];
}

/** Items below which a percentile interval is clearly narrower than it should be. */
const FEW_ITEMS = 20;

/** With n items the interval is too narrow by √((n - 1) / n), and by the distance of the normal to Student's distribution. */
function fewItems({ results }: Known): string[] {
  const least = Math.min(...results.map(({ n }) => n));
  if (results.length === 0 || least >= FEW_ITEMS) return [];
  const items = least === 1 ? "1 item" : `${least} items`;
  return [
    `Some means are over ${items} only. Bootstrap intervals over fewer than ${FEW_ITEMS} items are too narrow: over ten items by about a fifth.`,
  ];
}

/** A bootstrap of equal values has no width, which is no certainty. */
function constants({ results }: Known): string[] {
  const groups = Map.groupBy(
    results.filter(({ constant }) => constant),
    ({ measure, low }) => JSON.stringify([measure, low !== null]),
  );
  return [...groups.values()].map((same) => {
    const { measure, low } = same[0]!;
    const consequence =
      low === null
        ? "nothing varies, so there is no interval"
        : "nothing varies for a bootstrap, so the interval is Wilson's for the share of items with this value";
    return `\`${measure}\` has one value for all items of ${listed(same.map(({ variant }) => variant))}: ${consequence}.`;
  });
}

function unpriced({ effort }: Known): string[] {
  const unknown = effort.filter(({ trials: ran, cost_usd }) => ran > 0 && cost_usd === null);
  if (unknown.length === 0) return [];
  return [`The cost of ${listed(unknown.map(({ variant }) => variant))} is unknown: a model has no known price.`];
}

function tagsLeft({ input: { items } }: Known): string[] {
  const { left } = tagsOf(items);
  return left > 0 ? [`By tag, the ${MAX_TAGS} tags of most items are shown; ${left} are not.`] : [];
}
