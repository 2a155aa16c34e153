import { shuffled } from "#workflow-kit/seeded-random";
import type { SharedTestSettings } from "#workflow-kit/run";
import type { ChildRequest } from "#workflow-kit/children";
import type { Dataset, DatasetItem } from "#workflow-kit/datasets";
import type { Input, Options, Variant } from "../contract";
import { type PlannedTrial, trialSeed } from "../rules/plan";

type Selection = Pick<Input, "items" | "tags" | "first" | "sample">;

/** The items that are run, in the order of the data set. */
export function chosenItems(
  { items, tags, first, sample }: Selection,
  dataset: Pick<Dataset, "items">,
): readonly DatasetItem[] {
  const ids = items && new Set(items);
  const known = dataset.items
    .filter(({ id }) => !ids || ids.has(id))
    .filter((item) => !tags || (item.tags ?? []).some((tag) => tags.includes(tag)));
  if (!sample) return known.slice(0, first);
  const drawn = new Set(shuffled(known, sample.seed).slice(0, sample.size));
  return known.filter((item) => drawn.has(item));
}

/** The selection of items, in words: `12 of 20 items, drawn at random with seed 1`. */
export function selectionWords({ items, tags, first, sample }: Selection, ran: number, all: number): string {
  const ways = [
    ...(items ? ["chosen by id"] : []),
    ...(tags ? [`with any of the tags ${tags.join(", ")}`] : []),
    ...(sample ? [`drawn at random with seed ${sample.seed}`] : []),
    ...(first === undefined ? [] : [`the first ${ran} of ${items || tags ? "these" : "the data set"}`]),
  ];
  return [ran === all ? (all === 1 ? "its one item" : `all ${all} items`) : `${ran} of ${all} items`, ...ways].join(
    ", ",
  );
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

/**
 * The run of a trial. Its seed derives from the variant's own, else from the experiment's; without both it has none.
 * @param mock the experiment's settings of test mode, but for the outcomes of its own actions
 */
export function runOfTrial(
  { variant, item, repetition }: PlannedTrial<Variant>,
  { default: model, embedding, seed: ofExperiment }: DefaultModels,
  mock: SharedTestSettings | null = null,
): ChildRequest {
  const { workflow, models = { default: model, embedding }, limits } = variant;
  const base = typeof models.seed === "number" ? models.seed : ofExperiment;
  const seed = base === null ? {} : { seed: trialSeed(base, item.id, repetition) };
  const options = optionsOf(variant, item);
  const request = { workflow, input: item.input, options, models: { ...models, ...seed }, limits, repetition };
  return mock ? { ...request, test: mock } : request;
}
