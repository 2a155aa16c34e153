import { seededRandom } from "#workflow-kit/seeded-random";
import type { AnalysedVariant, AnalysisInput } from "#workflows/experiment/rules/analysis-types";
import type { Measure } from "#workflows/experiment/rules/metrics/metric";
import type { TrialResult } from "#workflows/experiment/rules/trials";

/** Trials and experiments for tests of analysis and report. */

export const measure = (name: string, more: Partial<Measure> = {}): Measure => ({
  name,
  metric: name.split(".")[0]!,
  version: 1,
  range: [0, 1],
  higher_is_better: true,
  ...more,
});

export const variant = (name: string, more: Partial<AnalysedVariant> = {}): AnalysedVariant => ({
  name,
  workflow: "debate",
  profile: "default",
  model: "some-model",
  options: {},
  ...more,
});

export const trial = (
  of: Pick<TrialResult, "variant" | "item"> & Partial<TrialResult> & { tokens?: number; cost?: number | null },
): TrialResult => {
  const { tokens = 100, cost = 0.01, ...more } = of;
  return {
    repetition: 0,
    run_id: `run_${of.variant}_${of.item}`,
    workflow: "debate",
    status: "completed",
    error: null,
    usage: {
      llm_calls: 2,
      input_tokens: tokens - 10,
      cached_input_tokens: 0,
      output_tokens: 10,
      reasoning_tokens: 0,
      cost_usd: cost,
    },
    seconds: 3,
    reused: false,
    answer: "A",
    scores: {},
    confidence: null,
    answers_by_round: null,
    prevailing_models: null,
    ...more,
  };
};

export const itemIds = (number: number): string[] => Array.from({ length: number }, (_, index) => `q${index + 1}`);

export const experiment = (
  of: Pick<AnalysisInput, "variants" | "measures" | "results"> & Partial<AnalysisInput>,
): AnalysisInput => ({
  items: [...new Set(of.results.map(({ item }) => item))].map((id) => ({ id, tags: [] })),
  repetitions: 1,
  compare: of.variants.slice(1).map(({ name }) => [name, of.variants[0]!.name] as const),
  on_failure: "count_as_wrong",
  resamples: 10_000,
  seed: 1,
  is_test_mode: false,
  partial: false,
  ...of,
});

/** One binary measure: each variant is right with its own probability. */
export function planted(
  probabilities: Readonly<Record<string, number>>,
  {
    items,
    seed,
    repetitions = 1,
    resamples = 1000,
  }: { items: number; seed: number; repetitions?: number; resamples?: number },
): AnalysisInput {
  const random = seededRandom(seed);
  const results = itemIds(items).flatMap((item) =>
    Object.entries(probabilities).flatMap(([name, probability]) =>
      Array.from({ length: repetitions }, (_, repetition) =>
        trial({ variant: name, item, repetition, scores: { accuracy: Number(random() < probability) } }),
      ),
    ),
  );
  const variants = Object.keys(probabilities).map((name) => variant(name));
  return experiment({ variants, measures: [measure("accuracy")], results, repetitions, resamples, seed });
}
