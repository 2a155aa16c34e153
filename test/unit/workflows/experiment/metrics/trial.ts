import type { DatasetItem, Gold } from "#workflow-kit/datasets";
import { METRICS } from "#workflows/experiment/rules/metrics/index";
import type { Scores, Trial } from "#workflows/experiment/rules/trials";

/** A completed trial with this output. */
export const trialOf = (output: unknown, contents: Trial["contents"] = {}): Trial => ({
  variant: "a",
  item: "one",
  repetition: 0,
  run_id: "run_1",
  workflow: "plain",
  status: "completed",
  error: null,
  output,
  contents,
  usage: {
    llm_calls: 1,
    input_tokens: 10,
    cached_input_tokens: 0,
    output_tokens: 5,
    reasoning_tokens: 0,
    cost_usd: null,
  },
  seconds: 1,
  reused: false,
});

const itemOf = (gold: Gold): DatasetItem => ({ id: "one", input: {}, gold });

/** The score of an output by the metric of this name. */
export const score = (metric: string, output: unknown, gold: Gold = {}, contents: Trial["contents"] = {}) =>
  METRICS[metric]!.score(trialOf(output, contents), itemOf(gold)) as number | null;

/** Its parts, of a metric that has several. */
export const parts = (metric: string, output: unknown, gold: Gold = {}, contents: Trial["contents"] = {}) =>
  METRICS[metric]!.score(trialOf(output, contents), itemOf(gold)) as Scores;
