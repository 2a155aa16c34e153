import { confidenceStrata, type Stratum } from "../statistics/confidence";
import type { AnalysedVariant, AnalysisInput, Correction, Estimated, StratumResult } from "../analysis-types";
import type { Measure } from "../metrics/metric";
import { bootstrapSeries } from "../resampled";
import type { TrialResult } from "../trials";
import { isDebate } from "./token-efficiency";

/** A trial of the baseline and the system's trial of the same item and repetition. */
interface Question {
  item: string;
  confidence: number;
  baseline_correct: boolean;
  debate_correct: boolean;
}

/**
 * H2: whether a debate corrects errors where a single agent was confident, for each debate against each baseline that states its confidence;
 * where such pairs are compared, for these alone.
 * @param measure has the scores 0 and 1
 * @returns null without such a pair, or where all confidences are the same
 */
export function corrections(input: AnalysisInput, measure: Measure): Correction[] | null {
  const isBaseline = (variant: AnalysedVariant) =>
    !isDebate(variant) && input.results.some((result) => result.variant === variant.name && result.confidence !== null);
  const pairs = input.variants
    .filter(isDebate)
    .flatMap((system) => input.variants.filter(isBaseline).map((baseline) => [system.name, baseline.name] as const));
  const compared = pairs.filter(([system, baseline]) =>
    input.compare.some(([one, other]) => one === system && other === baseline),
  );
  const found = (compared.length > 0 ? compared : pairs).flatMap(([system, baseline]) => {
    const questions = questionsOf(input, measure, system, baseline);
    if (new Set(questions.map(({ confidence }) => confidence)).size < 2) return [];
    return [{ measure: measure.name, system, baseline, ...strataOf(questions, input) }];
  });
  return found.length > 0 ? found : null;
}

function questionsOf(
  { results, on_failure }: AnalysisInput,
  { name }: Measure,
  system: string,
  baseline: string,
): Question[] {
  const correct = ({ status, scores }: TrialResult): boolean | null => {
    if (status === "failed") return on_failure === "count_as_wrong" ? false : null;
    const score = scores[name] ?? null;
    return score === null ? null : score === 1;
  };
  const key = ({ item, repetition }: TrialResult) => `${repetition} ${item}`;
  const answered = new Map(results.filter(({ variant }) => variant === system).map((one) => [key(one), one]));
  return results.flatMap((one) => {
    const other = one.variant === baseline ? answered.get(key(one)) : undefined;
    if (!other || one.confidence === null) return [];
    const [baseline_correct, debate_correct] = [correct(one), correct(other)];
    if (baseline_correct === null || debate_correct === null) return [];
    return [{ item: one.item, confidence: one.confidence, baseline_correct, debate_correct }];
  });
}

function strataOf(
  questions: readonly Question[],
  input: AnalysisInput,
): Pick<Correction, "threshold" | "high" | "low"> {
  const { threshold, high, low } = confidenceStrata(questions);
  const stratum = ({ questions: number, errors }: Stratum, within: readonly Question[]): StratumResult => ({
    questions: number,
    errors,
    corrected: share(
      within.filter(({ baseline_correct }) => !baseline_correct),
      true,
      input,
    ),
    broken: share(
      within.filter(({ baseline_correct }) => baseline_correct),
      false,
      input,
    ),
  });
  return {
    threshold,
    high: stratum(
      high,
      questions.filter(({ confidence }) => confidence >= threshold),
    ),
    low: stratum(
      low,
      questions.filter(({ confidence }) => confidence < threshold),
    ),
  };
}

/** Share of questions whose debate is right, or wrong: questions of one item are averaged first. */
function share(
  questions: readonly Question[],
  right: boolean,
  { items, resamples, seed }: AnalysisInput,
): Estimated | null {
  const means = new Map(
    [...Map.groupBy(questions, ({ item }) => item)].map(([item, group]) => [
      item,
      group.filter(({ debate_correct }) => debate_correct === right).length / group.length,
    ]),
  );
  const [found] = bootstrapSeries(
    [means],
    items.map(({ id }) => id),
    { resamples, seed },
    [[0, 1]],
  );
  return found ? { n: means.size, mean: found.mean, low: found.low, high: found.high } : null;
}
