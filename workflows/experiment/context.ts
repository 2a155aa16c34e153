import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import type { Dataset, DatasetItem } from "#workflow-kit/datasets";
import type { Run } from "#workflow-kit/run";
import type { Kind } from "./artifacts";
import type { Input, Options, Variant } from "./contract";
import { seedOf } from "#workflow-kit/programs";
import { chosenItems, comparedPairs } from "./inputs/runs";
import { type ChosenJudge, chosenJudges, chosenMetrics } from "./rules/metrics/chosen";
import type { Metric } from "./rules/metrics/metric";

/** Seed of the analysis when the request has none. */
const SEED = 2026;

/** What the stages of a run share. */
export class Context {
  readonly variants: readonly Variant[];
  /** Pairs of system and baseline. */
  readonly compared: readonly (readonly [string, string])[];
  /** The metrics that a judge scores. */
  readonly judges: readonly ChosenJudge[];

  constructor(
    readonly run: Run,
    readonly input: Input,
    readonly options: Options,
  ) {
    this.variants = input.variants;
    this.compared = comparedPairs(input, options);
    this.judges = chosenJudges(options.metrics);
  }

  /** Of resampling: the request's, or a fixed one. */
  get seed(): number {
    return this.run.seed ?? SEED;
  }

  /** A seed of its own for each name, from 0 to 2^31 - 1. */
  seedFor(name: string): number {
    return seedOf(`${this.seed}/${name}`) & 0x7fff_ffff;
  }

  /** The data set, and the items of it that are run. Only inside a stage. */
  async items(): Promise<{ dataset: Dataset; items: readonly DatasetItem[] }> {
    const dataset = await this.run.datasets.get(this.input.dataset_id);
    return { dataset, items: chosenItems(this.input, dataset) };
  }

  /** The metrics that code computes. */
  metrics(items: readonly DatasetItem[]): readonly Metric[] {
    return chosenMetrics(this.options.metrics, this.variants, items);
  }

  /** Records an artifact that no model made; `make` runs once. */
  compute<T>(
    kind: Kind,
    entry: { action: string; key?: string; subject?: string; mediaType?: string },
    make: () => T | Promise<T>,
  ): Promise<Artifact<T>> {
    return this.run.compute({ role: "workflow", ...entry, kind }, make);
  }

  /** Contents of artifacts of an earlier stage, in their order. */
  async read<T>(references: readonly DocumentReference[]): Promise<T[]> {
    return (await this.run.read<T>(references)).map(({ content }) => content);
  }
}
