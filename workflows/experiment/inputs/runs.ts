import type { ChildRequest } from "#workflow-kit/children";
import type { Dataset, DatasetItem } from "#workflow-kit/datasets";
import type { Input, Options, Variant } from "../contract";
import { type PlannedTrial, trialSeed } from "../rules/plan";

/** The items that are played, in the order of the data set. */
export function chosenItems({ items, tags, first }: Input, dataset: Pick<Dataset, "items">): readonly DatasetItem[] {
  const ids = items && new Set(items);
  return dataset.items
    .filter(({ id }) => !ids || ids.has(id))
    .filter((item) => !tags || (item.tags ?? []).some((tag) => tags.includes(tag)))
    .slice(0, first);
}

/** Pairs of system and baseline: those of the request, or each later variant against the first. */
export const comparedPairs = ({ variants }: Input, { compare }: Options): readonly (readonly [string, string])[] =>
  compare ?? variants.slice(1).map(({ name }) => [name, variants[0]!.name]);

/** Models that runs of variants without their own take. */
export interface DefaultModels {
  default: string;
  embedding: string | null;
  seed: number | null;
}

/** Options of a variant's run on an item: those of the item replace those of the variant. */
export const optionsOf = ({ options }: Variant, item: DatasetItem): Variant["options"] =>
  item.options ? { ...options, ...item.options } : options;

/** The run of a trial. Its seed derives from the variant's own, else from the experiment's; without both it has none. */
export function runOfTrial(
  { variant, item, repetition }: PlannedTrial<Variant>,
  { default: model, embedding, seed: ofExperiment }: DefaultModels,
): ChildRequest {
  const { workflow, models = { default: model, embedding }, limits } = variant;
  const base = typeof models.seed === "number" ? models.seed : ofExperiment;
  const seed = base === null ? {} : { seed: trialSeed(base, item.id, repetition) };
  const options = optionsOf(variant, item);
  return { workflow, input: item.input, options, models: { ...models, ...seed }, limits, repetition };
}
