import type { DocumentReference } from "#workflow-kit/artifact";
import { chunksOf } from "#workflow-kit/chunks";
import type { DatasetItem } from "#workflow-kit/datasets";
import { reference } from "#workflow-kit/run";
import type { Context } from "../context";
import { answersByRound, prevailingModels, shortAnswer, statedConfidence } from "../rules/answers";
import { measureName, type Metric } from "../rules/metrics/metric";
import type { Scores, Trial, TrialResult } from "../rules/trials";
import { type EndedTrial, endedTrials, withOutputs } from "./ended-trials";
import { judgeTrials } from "./judging";
import type { TrialRuns } from "./trials";

/** Trials of one artifact. */
const CHUNK = 100;
/** Trials whose artifacts are in memory at the same time. */
const READ_BATCH = 10;

export interface ScoredTrials {
  /** Artifacts of up to a hundred TrialResults each, with the scores that code computes. */
  chunks: DocumentReference[];
  /** Artifacts of judgements, whose scores are added to those of the trials. */
  judged: DocumentReference[];
  /** Trials that a limit of the experiment kept from being run; they have no result. */
  notRun: number;
}

/** Scores all trials: by the metrics that code computes, then by those of judges. */
export async function scoreTrials(context: Context, ran: TrialRuns): Promise<ScoredTrials> {
  const { items } = await context.items();
  const metrics = context.metrics(items);
  const { ended, notRun } = await endedTrials(context, items, ran);
  const chunks = [];
  for (const [index, trials] of chunksOf(ended, CHUNK).entries())
    chunks.push(
      await context.compute("trial_results", { action: "score", key: `${index + 1}` }, () =>
        scoreChunk(context, trials, metrics),
      ),
    );
  return { chunks: chunks.map((chunk) => reference(chunk)!), judged: await judgeTrials(context, ended), notRun };
}

async function scoreChunk(
  context: Context,
  ended: readonly EndedTrial[],
  metrics: readonly Metric[],
): Promise<TrialResult[]> {
  const trials = await withOutputs(context, ended);
  const ran = trials.map((trial, index) => ({ trial, item: ended[index]!.planned.item }));
  const results: TrialResult[] = [];
  for (const page of chunksOf(ran, READ_BATCH)) {
    const found = page.map(({ trial, item }) => ({
      trial,
      item,
      reads: trial.status === "completed" ? readsOf(metrics, trial) : [],
    }));
    const contents = await context.run.children.contents(found.flatMap(({ reads }) => reads));
    let at = 0;
    for (const { trial, item, reads } of found) {
      const own = Object.fromEntries(reads.map(({ artifact_id }) => [artifact_id, contents[at++]]));
      results.push(resultOf({ ...trial, contents: own }, item, metrics));
    }
  }
  return results;
}

/** The artifacts that metrics read of a trial, each once. */
function readsOf(metrics: readonly Metric[], { run_id, output }: Trial): { run_id: string; artifact_id: string }[] {
  const ids = metrics.flatMap((metric) => metric.reads?.(output) ?? []).map(({ artifact_id }) => artifact_id);
  return [...new Set(ids)].map((artifact_id) => ({ run_id, artifact_id }));
}

function resultOf(trial: Trial, item: DatasetItem, metrics: readonly Metric[]): TrialResult {
  const { output, contents: _, ...known } = trial;
  const scores: Record<string, number | null> = {};
  if (trial.status === "completed")
    for (const metric of metrics) Object.assign(scores, namedScores(metric.name, metric.score(trial, item)));
  return {
    ...known,
    answer: shortAnswer(output),
    scores,
    confidence: statedConfidence(output),
    answers_by_round: answersByRound(output),
    prevailing_models: prevailingModels(output),
  };
}

/** Scores by measure. */
function namedScores(metric: string, scored: number | null | Scores): Scores {
  if (scored === null || typeof scored === "number") return { [measureName(metric, null)]: scored };
  return Object.fromEntries(Object.entries(scored).map(([part, value]) => [measureName(metric, part), value]));
}
