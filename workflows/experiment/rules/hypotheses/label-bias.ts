import type { AnalysedVariant, AnalysisInput, LabelBias } from "../analysis-types";
import { differencesOf } from "../comparisons";
import { bootstrapSeries, type ByItem } from "../resampled";
import { isDebate } from "./token-efficiency";

/**
 * Bias of a judge who is told which model wrote each brief, against a blind one (Silva et al., 3.4: judge awareness): how much more often each
 * model's position prevails, over the items that both judged. Compares variants of `debate` that differ in `judging` alone.
 * @returns null without such a pair in which several models debated
 */
export function labelBias(input: AnalysisInput): LabelBias[] | null {
  const debates = input.variants.filter(isDebate);
  const found = debates
    .filter(isLabeled)
    .flatMap((labeled) =>
      debates
        .filter((other) => !isLabeled(other) && differInJudgingAlone(labeled, other, input))
        .flatMap((blind) =>
          modelsOf(input, labeled.name).flatMap((model) => biasFor(model, labeled.name, blind.name, input)),
        ),
    );
  return found.length > 0 ? found : null;
}

const isLabeled = ({ options }: AnalysedVariant): boolean => options.judging === "labeled";

/** A variant does not list the models of its roles: those of its debaters are what its trials tell. */
const differInJudgingAlone = (one: AnalysedVariant, other: AnalysedVariant, input: AnalysisInput): boolean =>
  one.profile === other.profile &&
  one.model === other.model &&
  withoutJudging(one) === withoutJudging(other) &&
  String(modelsOf(input, one.name)) === String(modelsOf(input, other.name));

const withoutJudging = ({ options: { judging: _, ...rest } }: AnalysedVariant): string =>
  JSON.stringify(Object.entries(rest).toSorted(([one], [other]) => (one < other ? -1 : 1)));

function modelsOf({ results }: Pick<AnalysisInput, "results">, variant: string): string[] {
  const named = results.flatMap((one) => (one.variant === variant ? Object.keys(one.prevailing_models ?? {}) : []));
  return [...new Set(named)].toSorted();
}

function biasFor(model: string, labeled: string, blind: string, input: AnalysisInput): LabelBias[] {
  const one = sharesOf(model, labeled, input);
  const other = sharesOf(model, blind, input);
  const differences = differencesOf(one, other);
  const ids = input.items.map(({ id }) => id);
  const [found] = bootstrapSeries([differences], ids, input, [[-1, 1]]);
  if (!found) return [];
  const meanOf = (shares: ByItem) => mean([...differences.keys()].map((item) => shares.get(item)!));
  const { mean: difference, low, high } = found;
  return [
    {
      labeled,
      blind,
      model,
      labeled_share: meanOf(one),
      blind_share: meanOf(other),
      difference: { n: differences.size, mean: difference, low, high },
    },
  ];
}

/** By item: the mean over repetitions of the model's share of prevailing debaters. */
function sharesOf(model: string, variant: string, { results }: Pick<AnalysisInput, "results">): ByItem {
  const shares = results.flatMap(({ variant: of, item, prevailing_models }) => {
    const share = of === variant ? prevailing_models?.[model] : undefined;
    return share === undefined ? [] : [{ item, share }];
  });
  return new Map(
    [...Map.groupBy(shares, ({ item }) => item)].map(([item, group]) => [item, mean(group.map(({ share }) => share))]),
  );
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
