import type { DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import type { Variant } from "../contract";
import type { ExperimentContext } from "../context";
import { analyse } from "../rules/analysis";
import type { AnalysedVariant } from "../rules/analysis-types";
import { measuresOf } from "../rules/metrics/chosen";
import type { TrialResult } from "../rules/trials";
import type { ScoredTrials } from "./scoring";

/** Means with their intervals, and comparisons. */
export async function analyseTrials(
  context: ExperimentContext,
  { chunks, unplayed }: ScoredTrials,
): Promise<DocumentReference> {
  const { run, options, seed } = context;
  const { items } = await context.items();
  const analysis = await context.compute("analysis", { action: "analyse" }, async () => {
    const results = (await context.read<TrialResult[]>(chunks)).flat();
    return analyse({
      variants: context.variants.map((variant) => analysedVariant(context, variant)),
      measures: measuresOf(context.metrics(items), results),
      items: items.map(({ id, tags = [], gold = {} }) => {
        const right_answers = gold.choice === undefined ? gold.text : [gold.choice];
        return { id, tags, ...(right_answers && { right_answers }) };
      }),
      repetitions: options.repetitions,
      results,
      compare: context.compared,
      on_failure: options.on_failure.then,
      resamples: options.resamples,
      seed,
      is_rehearsal: run.isRehearsal,
      partial: unplayed > 0,
    });
  });
  return reference(analysis)!;
}

/** A variant as reports name it. */
export function analysedVariant({ run }: ExperimentContext, variant: Variant): AnalysedVariant {
  const { name, workflow, options = {}, models = {} } = variant;
  const { profile = "default" } = options;
  const [model = run.defaultModel] = [models.default].flat();
  return {
    name,
    workflow,
    profile: String(profile),
    model: run.isRehearsal ? run.defaultModel : String(model),
    options,
  };
}
