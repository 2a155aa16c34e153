import type { ValidateChild } from "#workflow-kit/children";
import type { Dataset, DatasetItem } from "#workflow-kit/datasets";
import type { Input, Options, Variant } from "../contract";
import {
  chosenMetrics,
  describedMetric,
  judgedMetric,
  type MetricChoice,
  missingGold,
  nameOfChoice,
  suits,
  withName,
} from "../rules/metrics/chosen";
import type { RatingOptions } from "../rules/rating/options";
import type { MetricDescription } from "../rules/metrics/metric";
import { MAX_TRIALS } from "../rules/plan";
import { chosenItems, optionsOf } from "./runs";

interface FieldError {
  path: string;
  code: string;
  message: string;
}

const fieldError = (path: string, code: string, message: string): FieldError => ({ path, code, message });
const listed = (names: readonly string[], most = 5): string =>
  names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");

/** Errors that input and options show without the data set. */
export function requestErrors(input: Input, { metrics = [], compare = [], rating }: Options): FieldError[] {
  const { variants } = input;
  const names = variants.map(({ name }) => name);
  const unknown = compare.flatMap((pair, index) =>
    pair.flatMap((name, side) =>
      names.includes(name)
        ? []
        : fieldError(`options.compare.${index}.${side}`, "unknown_variant", `No variant has the name ${name}.`),
    ),
  );
  const alike = compare.flatMap(([system, baseline], index) =>
    system === baseline
      ? fieldError(`options.compare.${index}`, "custom", "A variant is not compared with itself.")
      : [],
  );
  return [...unknown, ...alike, ...metricErrors(variants, metrics), ...(rating ? ratingErrors(input, rating) : [])];
}

/** Raters need two variants to compare, or citations, and a title that does not name a variant. */
function ratingErrors({ title, variants }: Input, { form, against = variants[0]!.name }: RatingOptions): FieldError[] {
  const named = variants.filter(({ name }) => title?.toLowerCase().includes(name));
  const path = "options.rating";
  return [
    ...(variants.some(({ name }) => name === against)
      ? []
      : [fieldError(`${path}.against`, "unknown_variant", `No variant has the name ${against}.`)]),
    ...(form === "pairs" && variants.length < 2
      ? [fieldError(path, "custom", "Pairs need two variants; there is one.")]
      : []),
    ...(form === "binary"
      ? variants
          .filter(({ workflow }) => workflow !== "debate")
          .map(({ name, workflow }) => fieldError(path, "custom", `${workflow}, which ${name} runs, cites nothing.`))
      : []),
    ...named.map(({ name }) =>
      fieldError("input.title", "names_variant", `Raters read the title, and it names ${name}.`),
    ),
  ];
}

function metricErrors(variants: readonly Variant[], metrics: NonNullable<Options["metrics"]>): FieldError[] {
  const names = metrics.map(nameOfChoice);
  return names.flatMap((name, index) => {
    const path = `options.metrics.${index}`;
    const metric = describedMetric(name);
    if (!metric) return fieldError(path, "unknown_metric", `There is no metric ${name}.`);
    if (names.indexOf(name) < index) return fieldError(path, "custom", "Name each metric once.");
    return [...parameterErrors(variants, metrics[index]!, path), ...unsuited(metric, variants, path)];
  });
}

/** Errors of the parameters of a judged metric; the others have none. */
function parameterErrors(variants: readonly Variant[], choice: MetricChoice, path: string): FieldError[] {
  const metric = judgedMetric(nameOfChoice(choice));
  const named = withName(choice);
  if (!metric)
    return Object.keys(named).length > 1 ? [fieldError(path, "custom", `${named.name} has no parameters.`)] : [];
  const read = metric.parameters.safeParse(named);
  if (!read.success)
    return read.error.issues.map((issue) => fieldError([path, ...issue.path].join("."), issue.code, issue.message));
  if (metric.kind === "single") return [];
  const against = read.data.against ?? variants[0]!.name;
  if (!variants.some(({ name }) => name === against))
    return [fieldError(`${path}.against`, "unknown_variant", `No variant has the name ${against}.`)];
  return variants.length < 2 ? [fieldError(path, "custom", `${metric.name} compares two variants; there is one.`)] : [];
}

const unsuited = (metric: MetricDescription, variants: readonly Variant[], path: string): FieldError[] =>
  variants
    .filter((variant) => !suits(metric, [variant]))
    .map((variant) =>
      fieldError(
        path,
        "metric_unsuited",
        `${metric.name} does not read the output of ${variant.workflow}, which ${variant.name} runs.`,
      ),
    );

/** Errors of a request together with its data set: items that it does not have, gold that metrics need, runs that cannot be started. */
export async function datasetErrors(
  { input, options }: { input: Input; options: Options },
  dataset: Dataset,
  check: ValidateChild,
): Promise<FieldError[]> {
  const items = chosenItems(input, dataset);
  const errors = [...selectionErrors(input, dataset, items), ...goldErrors(options, items)];
  const trials = items.length * input.variants.length * options.repetitions;
  if (trials > MAX_TRIALS) {
    const product = `${items.length} items, ${input.variants.length} variants and ${options.repetitions} repetitions`;
    const message = `${product} are ${trials} trials; an experiment has up to ${MAX_TRIALS}. Set input.sample, or start several.`;
    return [...errors, fieldError("input", "too_many_trials", message)];
  }
  return [
    ...errors,
    ...resamplesErrors(items.length * input.variants.length, options),
    ...metricsFound(input, options, items),
    ...(await runErrors(input.variants, items, check)),
  ];
}

/** Draws of the bootstrap are computed in one go, for each measure: so many for one measure take about half a second. */
const MAX_DRAWS = 200_000_000;

function resamplesErrors(scores: number, { resamples }: Options): FieldError[] {
  if (scores * resamples <= MAX_DRAWS) return [];
  const most = Math.floor(MAX_DRAWS / scores);
  const message = `${scores} pairs of item and variant can have up to ${most} resamples.`;
  return [fieldError("options.resamples", "too_many_resamples", message)];
}

function selectionErrors(
  { items = [], tags = [] }: Input,
  dataset: Dataset,
  chosen: readonly DatasetItem[],
): FieldError[] {
  const ids = new Set(dataset.items.map(({ id }) => id));
  const known = new Set(dataset.items.flatMap((item) => item.tags ?? []));
  return [
    ...items.flatMap((id, index) =>
      ids.has(id) ? [] : fieldError(`input.items.${index}`, "unknown_item", `The data set has no item ${id}.`),
    ),
    ...tags.flatMap((tag, index) =>
      known.has(tag)
        ? []
        : fieldError(`input.tags.${index}`, "unknown_tag", `No item of the data set has the tag ${tag}.`),
    ),
    ...(chosen.length === 0 ? [fieldError("input", "no_items", "No item of the data set is chosen.")] : []),
  ];
}

/** Gold that named metrics need. */
const goldErrors = ({ metrics = [] }: Options, items: readonly DatasetItem[]): FieldError[] =>
  metrics.flatMap((choice) => {
    const metric = describedMetric(nameOfChoice(choice));
    if (!metric) return [];
    return items.flatMap((item) =>
      missingGold(metric, item).map((part) =>
        fieldError(
          `dataset.${item.id}.gold.${part}`,
          "gold_missing",
          `${metric.name} needs it, and item ${item.id} has none.`,
        ),
      ),
    );
  });

/** Without named metrics, some metric has to suit the variants and the gold. */
function metricsFound({ variants }: Input, { metrics }: Options, items: readonly DatasetItem[]): FieldError[] {
  if (metrics !== undefined || items.length === 0 || chosenMetrics(metrics, variants, items).length > 0) return [];
  const message = "No free metric suits all variants and finds gold in every item; name the metrics.";
  return [fieldError("options.metrics", "no_metric", message)];
}

/** Errors of the runs themselves. One that every item shows is the variant's, any other is named with its items. */
async function runErrors(
  variants: readonly Variant[],
  items: readonly DatasetItem[],
  check: ValidateChild,
): Promise<FieldError[]> {
  const found = new Map<string, { fieldError: FieldError; items: Set<string> }>();
  for (const [index, variant] of variants.entries())
    for (const item of items) {
      const { workflow, models, limits } = variant;
      const child = { workflow, input: item.input, options: optionsOf(variant, item), models, limits };
      for (const { path, code, message } of await check(child)) {
        const placed = fieldError(
          placeOf(path, index, item),
          code,
          path.startsWith("input") ? `${workflow}: ${message}` : message,
        );
        const key = JSON.stringify(placed);
        const known = found.get(key) ?? { fieldError: placed, items: new Set() };
        known.items.add(item.id);
        found.set(key, known);
      }
    }
  return [...found.values()].map(({ fieldError: one, items: ids }) =>
    one.path.startsWith("dataset.") || ids.size === items.length
      ? one
      : { ...one, message: `${one.message} So it is for ${listed([...ids])}.` },
  );
}

/** Where an error of a run is put right: in the item, whose options go before those of the variant, or in the variant. */
function placeOf(path: string, index: number, item: DatasetItem): string {
  const [part, name] = path.split(".");
  const isOfItem =
    part === "input" || (part === "options" && name !== undefined && Object.hasOwn(item.options ?? {}, name));
  return isOfItem ? `dataset.${item.id}.${path}` : `input.variants.${index}.${path}`;
}
