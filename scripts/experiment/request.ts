import type { CreateRunOf } from "../lib/sdk.ts";
import type { Kind, Variant } from "./kinds.ts";
import "../lib/typescript.ts";
import { CommandError, EXIT } from "./command-error.ts";

const { describedMetric, suits } = await import("#workflows/experiment/rules/metrics/chosen");
const { JUDGED } = await import("#workflows/experiment/rules/metrics/judged");

/** The name of a metric; of a judge of pairs with the variant that the others are compared with. */
export type Metric = string | { name: string; against: string };

export type RunRequest = CreateRunOf<"experiment">;

const isPair = (name: string) => JUDGED[name]?.kind === "pair";

/**
 * The metrics of an experiment: those of the kind that this version of Parley has and that read the output of every variant. A judge of pairs
 * compares the others with the last variant, which is the simplest baseline.
 * @returns `notes`: what is not measured, and why
 * @throws CommandError when none is left
 */
export function metricsFor(kind: Kind, variants: Variant[]): { metrics: Metric[]; notes: string[] } {
  const wanted = [...kind.metrics, ...variants.flatMap(({ name }) => kind.metrics_of?.[name] ?? [])];
  const errors = wanted.map((name) => ({ name, why: whyNot(name, variants) }));
  const metrics = errors
    .filter(({ why }) => why === null)
    .map(({ name }) => (isPair(name) ? { name, against: variants.at(-1)?.name ?? "" } : name));
  const byReason = Map.groupBy(
    errors.filter(({ why }) => why !== null),
    ({ why }) => why,
  );
  const notes = [...byReason].map(([why, of]) => `Not measured: ${of.map(({ name }) => name).join(", ")}. ${why}`);
  if (metrics.length) return { metrics, notes };
  throw new CommandError(`No metric is left to compare these variants by.\n${notes.join("\n")}`, EXIT.failed);
}

/** Why a metric cannot be measured; null: it can. */
function whyNot(name: string, variants: Variant[]) {
  const metric = describedMetric(name);
  if (!metric) return "This version of Parley does not have it.";
  const silent = variants.filter((variant) => !suits(metric, [variant])).map((variant) => variant.name);
  if (silent.length)
    return `${silent.join(", ")} has nothing to measure by it; name the other variants with --variants.`;
  return isPair(name) && variants.length < 2 ? "It compares two variants." : null;
}

/** The body of `POST /v1/runs`. The first variant is compared with each other one. */
export function experimentRequest(
  {
    kind,
    variants,
    items,
    tags,
    repetitions,
    reuse,
  }: { kind: Kind; variants: Variant[]; items?: number; tags?: string[]; repetitions: number; reuse: boolean },
  { dataset_id, metrics, is_sample }: { dataset_id: string; metrics: Metric[]; is_sample: boolean },
): RunRequest {
  const [first, ...others] = variants.map(({ name }) => name);
  const title = `${kind.name}: ${kind.title}${is_sample ? " (our sample)" : ""}`;
  return {
    workflow: "experiment",
    input: { title, dataset_id, ...(items && { sample: { size: items } }), ...(tags && { tags }), variants },
    options: {
      metrics,
      repetitions,
      reuse,
      ...(others.length && { compare: others.map((other) => [first, other]) }),
    },
    metadata: { kind: kind.name },
  } as RunRequest; // what a kind says of its variants, the server checks
}
