import type { Analysis, AnalysisInput, MeasureResult } from "./analysis-types";
import { comparisons, differencesFromParity, differencesOf, type Pairing, parityOf, resamplesFor } from "./comparisons";
import { effortOf, failuresOf, frontsOf } from "./effort";
import { hypothesesOf } from "./hypotheses";
import { itemScores, type Scored } from "./item-scores";
import { isDetail, type Measure } from "./metrics/metric";
import { countedBy, isCount, microAverages } from "./micro";
import { missingFrom } from "./missing";
import { areEqual, bootstrapSeries } from "./resampled";
import { byTag } from "./tags";
import type { TrialResult } from "./trials";

/**
 * Means with intervals, paired comparisons, costs and failures of an experiment's trials. Pure: the same trials and the same seed give the same
 * analysis.
 */
export function analyse(input: AnalysisInput): Analysis {
  const { variants, items, resamples, seed } = input;
  const counted = countedBy(input.measures);
  const measures = input.measures.filter(({ name }) => !isCount(name, counted));
  const trials = Map.groupBy(input.results, ({ variant }) => variant);
  const of = (variant: string): readonly TrialResult[] => trials.get(variant) ?? [];
  const scored = measures.flatMap((measure) =>
    variants.flatMap(({ name }): Scored[] => {
      const scores = itemScores(input, name, measure);
      return scores && scores.means.size > 0 ? [{ variant: name, measure, scores }] : [];
    }),
  );
  const results = resultsOf(scored, input);
  const whole = measures.filter((measure) => !isDetail(measure));
  const scoredWhole = scored.filter(({ measure }) => whole.includes(measure));
  const pairings = pairingsOf(scoredWhole, input.compare);
  const effort = variants.map(({ name }) => effortOf(name, of(name)));
  const failures = variants.map(({ name }) => failuresOf(name, of(name), input));
  const sum = (part: "planned" | "completed" | "failed" | "canceled" | "missing" | "left_out" | "reused") =>
    failures.reduce((total, one) => total + one[part], 0);
  const compared = pairings.filter(({ differences }) => differences.size > 0);
  const comparison_resamples = resamplesFor(compared.length, items.length, resamples);
  return {
    results,
    comparisons: comparisons(compared, { items, resamples: comparison_resamples, seed }),
    by_tag: byTag(scoredWhole, input),
    micro: microAverages(input),
    effort,
    failures,
    fronts: frontsOf({ measures: whole }, results, effort),
    hypotheses: hypothesesOf(input, measures, results, effort),
    trials: {
      planned: sum("planned"),
      completed: sum("completed"),
      failed: sum("failed") + sum("canceled"),
      left_out: sum("left_out") + sum("canceled") + sum("missing"),
      reused: sum("reused"),
    },
    missing: missingFrom({
      input,
      measures: whole,
      results,
      failures,
      effort,
      unpaired: unpairedOf(pairings),
      compared: compared.length,
      comparison_resamples,
    }),
    resamples,
    comparison_resamples,
    seed,
  };
}

function resultsOf(scored: readonly Scored[], { items, resamples, seed }: AnalysisInput): MeasureResult[] {
  const found = bootstrapSeries(
    scored.map(({ scores }) => scores.means),
    items.map(({ id }) => id),
    { resamples, seed },
    scored.map(({ measure }) => measure.range),
  );
  return scored.map(({ variant, measure, scores }, place) => {
    const { mean, low, high } = found[place]!;
    const { means, failed, without_value } = scores;
    const constant = areEqual(means.values());
    return { variant, measure: measure.name, n: means.size, mean, low, high, failed, without_value, constant };
  });
}

/** All pairs in all measures that both have; without differences where no item has both. */
function pairingsOf(scored: readonly Scored[], compare: AnalysisInput["compare"]): Pairing[] {
  return [...Map.groupBy(scored, ({ measure }) => measure)].flatMap(([measure, group]) => {
    const of = new Map(group.map(({ variant, scores }) => [variant, scores.means]));
    const pairs = compare.flatMap(([system, baseline]): Pairing[] => {
      if (measure.against === system || measure.against === baseline) return [];
      const [one, other] = [of.get(system), of.get(baseline)];
      return one && other ? [{ system, baseline, measure, differences: differencesOf(one, other) }] : [];
    });
    return [...comparedAlready(measure, group), ...pairs];
  });
}

/** A metric that compares variants with another needs no scores of that one: its own tell the difference. */
function comparedAlready(measure: Measure, group: readonly Scored[]): Pairing[] {
  const { against: baseline } = measure;
  const parity = parityOf(measure);
  if (baseline === undefined || parity === null) return [];
  return group
    .filter(({ variant }) => variant !== baseline)
    .map(({ variant, scores }) => ({
      system: variant,
      baseline,
      measure,
      differences: differencesFromParity(scores.means, parity),
    }));
}

const unpairedOf = (pairings: readonly Pairing[]) => pairings.filter(({ differences }) => differences.size === 0);
