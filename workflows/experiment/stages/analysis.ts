import type { DocumentReference } from "#workflow-kit/artifact";
import type { Dataset, DatasetItem } from "#workflow-kit/datasets";
import { reference } from "#workflow-kit/run";
import type { Variant } from "../contract";
import type { Context } from "../context";
import { analyse } from "../rules/analysis";
import type { AnalysedItem, AnalysedVariant, AnalysisInput } from "../rules/analysis-types";
import { withAgainst } from "../rules/metrics/against";
import { measuresOf } from "../rules/metrics/chosen";
import { type Judgement, judgedScores, wasCut, withScores } from "../rules/judgements";
import { ratedScores, ratingMetric, type Ratings } from "../rules/rating/ratings";
import type { TrialResult } from "../rules/trials";
import type { ScoredTrials } from "./scoring";

/** Trials with all scores: of code and judges, and of people. */
export interface EvaluatedTrials extends ScoredTrials {
  /** The artifact `ratings`; null: nobody was asked. */
  rated: DocumentReference | null;
}

/** Means with their intervals, and comparisons. */
export async function analyseTrials(context: Context, scored: EvaluatedTrials): Promise<DocumentReference> {
  const analysis = await context.compute("analysis", { action: "analyse" }, async () =>
    analyse((await toAnalyse(context, scored)).input),
  );
  return reference(analysis)!;
}

/** All that analysis and report read of an experiment. */
export async function toAnalyse(
  context: Context,
  { chunks, judged, rated, notRun }: EvaluatedTrials,
): Promise<{ dataset: Dataset; judgements: Judgement[]; ratings: Ratings | null; input: AnalysisInput }> {
  const { run, options, seed, variants, compared, judges } = context;
  const { dataset, items } = await context.items();
  const scored = (await context.read<TrialResult[]>(chunks)).flat();
  const judgements = (await context.read<Judgement[]>(judged)).flat();
  const [ratings = null] = await context.read<Ratings>(rated ? [rated] : []);
  const results = withScores(scored, [...judgedScores(judgements), ...(ratings ? ratedScores(ratings) : [])]);
  const metrics = [
    ...context.metrics(items),
    ...judges.map(({ metric }) => metric),
    ...(ratings ? [ratingMetric(ratings.form)] : []),
  ];
  const input = {
    variants: variants.map((variant) => analysedVariant(context, variant)),
    measures: withAgainst(measuresOf(metrics, results), options.metrics, variants[0]!.name),
    items: items.map(analysedItem),
    repetitions: options.repetitions,
    results,
    compare: compared,
    on_failure: options.on_failure.then,
    resamples: options.resamples,
    seed,
    is_test_mode: run.isTestMode,
    partial: notRun > 0 || judgements.some(wasCut),
  };
  return { dataset, judgements, ratings, input };
}

function analysedVariant({ run }: Context, variant: Variant): AnalysedVariant {
  const { name, workflow, options = {}, models = {} } = variant;
  const { profile = "default" } = options;
  const [model = run.models.default] = [models.default].flat();
  return {
    name,
    workflow,
    profile: String(profile),
    model: run.isTestMode ? run.models.default : String(model),
    options,
  };
}

function analysedItem({ id, input, tags = [], gold = {} }: DatasetItem): AnalysedItem {
  const right_answers = gold.choice === undefined ? gold.text : [gold.choice];
  const has_corpus = Array.isArray(input.corpus_ids) && input.corpus_ids.length > 0;
  return { id, tags, has_corpus, ...(right_answers && { right_answers }) };
}
