import "../lib/typescript.mjs";
import { CommandError, EXIT } from "./command-error.mjs";

const { describedMetric, suits } = await import("#workflows/experiment/rules/metrics/chosen");

/**
 * The metrics of an experiment: those of the kind that this version of Parley has and that read the output of every variant.
 * @param {import("./kinds.mjs").Kind} kind
 * @param {import("./kinds.mjs").Variant[]} variants
 * @returns {{metrics: string[], notes: string[]}} `notes`: what is not measured, and why
 * @throws CommandError when none is left
 */
export function metricsFor(kind, variants) {
  const wanted = [...kind.metrics, ...variants.flatMap(({ name }) => kind.metrics_of?.[name] ?? [])];
  const metrics = [];
  const notes = [];
  for (const name of wanted) {
    const metric = describedMetric(name);
    const deaf = metric && variants.filter((variant) => !suits(metric, [variant])).map((variant) => variant.name);
    if (!metric) notes.push(`${name} is not measured: this version of Parley does not have it.`);
    else if (deaf.length)
      notes.push(
        `${name} is not measured: ${deaf.join(", ")} has nothing that it reads. Leave it out with --variants.`,
      );
    else metrics.push(name);
  }
  if (metrics.length) return { metrics, notes };
  throw new CommandError(`No metric is left to compare these variants by.\n${notes.join("\n")}`, EXIT.failed);
}

/**
 * The body of `POST /v1/runs`. The first variant is compared with each other one.
 * @param {{kind: import("./kinds.mjs").Kind, variants: import("./kinds.mjs").Variant[], items?: number, repetitions: number, reuse: boolean}} chosen
 * @param {{dataset_id: string, metrics: string[], is_sample: boolean}} made
 */
export function experimentRequest({ kind, variants, items, repetitions, reuse }, { dataset_id, metrics, is_sample }) {
  const [first, ...others] = variants.map(({ name }) => name);
  const title = `${kind.name}: ${kind.title}${is_sample ? " (our sample)" : ""}`;
  return {
    workflow: "experiment",
    input: { title, dataset_id, ...(items && { first: items }), variants },
    options: {
      metrics,
      repetitions,
      reuse,
      ...(others.length && { compare: others.map((other) => [first, other]) }),
    },
    metadata: { kind: kind.name },
  };
}
