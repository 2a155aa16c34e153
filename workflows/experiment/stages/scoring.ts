import type { DocumentReference } from "#workflow-kit/artifact";
import type { ChildEnd, ChildOutcome, PlayedRun } from "#workflow-kit/children";
import { chunksOf } from "#workflow-kit/chunks";
import { reference } from "#workflow-kit/run";
import type { Variant } from "../contract";
import type { ExperimentContext } from "../context";
import { shortAnswer, statedConfidence } from "../rules/answers";
import { measureName, type Metric } from "../rules/metrics/metric";
import { type PlannedTrial, plannedTrials } from "../rules/plan";
import type { Scores, Trial, TrialResult } from "../rules/trials";
import type { PlayedTrials } from "./trials";

/** Trials of one artifact. */
const CHUNK = 100;
/** Trials whose artifacts are in memory at the same time. */
const READ_AT_ONCE = 10;

/** The error of a trial that a limit of the experiment kept from being played. */
const UNPLAYED = "parent_budget_exceeded";

const NO_USAGE = { llm_calls: 0, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: null };

export interface ScoredTrials {
  /** Artifacts of up to a hundred TrialResults each. */
  chunks: DocumentReference[];
  /** Trials that a limit of the experiment kept from being played; they have no result. */
  unplayed: number;
}

type Planned = PlannedTrial<Variant>;
type End = Pick<ChildEnd, "run_id" | "status" | "error"> & { reused: boolean };

/** Scores all trials by the metrics that code computes. */
export async function scoreTrials(context: ExperimentContext, played: PlayedTrials): Promise<ScoredTrials> {
  const { items } = await context.items();
  const metrics = context.metrics(items);
  const ends = await endsOf(context, played);
  const planned = plannedTrials(context.variants, items, context.options.repetitions);
  const ended = planned.filter(({ key }) => ends.get(key)?.error?.code !== UNPLAYED);
  const chunks = [];
  for (const [index, trials] of chunksOf(ended, CHUNK).entries())
    chunks.push(
      await context.compute("trial_results", { action: "score", key: `${index + 1}` }, () =>
        scoreChunk(context, { trials, ends, metrics }),
      ),
    );
  return { chunks: chunks.map((chunk) => reference(chunk)!), unplayed: planned.length - ended.length };
}

/** How the trials ended, by key. */
async function endsOf({ run }: ExperimentContext, { ends, reused }: PlayedTrials): Promise<Map<string, End>> {
  const [started] = await run.read<ChildEnd[]>([ends]);
  const taken = reused ? (await run.read<PlayedRun[]>([reused]))[0]!.content : [];
  return new Map<string, End>([
    ...started!.content.map(({ key, ...end }) => [key, { ...end, reused: false }] as const),
    ...taken.map(({ key, run_id }) => [key, { run_id, status: "completed", error: null, reused: true }] as const),
  ]);
}

async function scoreChunk(
  { run }: ExperimentContext,
  { trials, ends, metrics }: { trials: readonly Planned[]; ends: ReadonlyMap<string, End>; metrics: readonly Metric[] },
): Promise<TrialResult[]> {
  const outcomes = await run.childOutcomes(trials.map(({ key }) => ends.get(key)!.run_id));
  const byRun = new Map(outcomes.map((outcome) => [outcome.run_id, outcome]));
  const results: TrialResult[] = [];
  for (const page of chunksOf(trials, READ_AT_ONCE)) {
    const found = page.map((planned) => {
      const end = ends.get(planned.key)!;
      const trial = trialOf(planned, end, byRun.get(end.run_id));
      return { planned, trial, reads: trial.status === "completed" ? readsOf(metrics, trial) : [] };
    });
    const contents = await run.childContents(found.flatMap(({ reads }) => reads));
    let at = 0;
    for (const { planned, trial, reads } of found) {
      const own = Object.fromEntries(reads.map(({ artifact_id }) => [artifact_id, contents[at++]]));
      results.push(resultOf({ ...trial, contents: own }, planned, metrics));
    }
  }
  return results;
}

/** The artifacts that metrics read of a trial, each once. */
function readsOf(metrics: readonly Metric[], { run_id, output }: Trial): { run_id: string; artifact_id: string }[] {
  const ids = metrics.flatMap((metric) => metric.reads?.(output) ?? []).map(({ artifact_id }) => artifact_id);
  return [...new Set(ids)].map((artifact_id) => ({ run_id, artifact_id }));
}

function trialOf(planned: Planned, { run_id, status, error, reused }: End, outcome: ChildOutcome | undefined): Trial {
  const { variant, item, repetition } = planned;
  const trial = {
    variant: variant.name,
    item: item.id,
    repetition,
    run_id,
    workflow: variant.workflow,
    contents: {},
    reused,
  };
  if (outcome) {
    const { output, usage, seconds } = outcome;
    return { ...trial, status, error, output, usage, seconds };
  }
  const removed = { code: "not_found", detail: `The run ${run_id} was removed before it was scored.` };
  return { ...trial, status: "failed", error: removed, output: null, usage: NO_USAGE, seconds: 0 };
}

function resultOf(trial: Trial, { item }: Planned, metrics: readonly Metric[]): TrialResult {
  const { output, contents: _, ...known } = trial;
  const scores: Record<string, number | null> = {};
  if (trial.status === "completed")
    for (const metric of metrics) Object.assign(scores, namedScores(metric.name, metric.score(trial, item)));
  return {
    ...known,
    answer: shortAnswer(output),
    scores,
    confidence: statedConfidence(output),
    answers_by_round: null,
  };
}

/** Scores by measure. */
function namedScores(metric: string, scored: number | null | Scores): Scores {
  if (scored === null || typeof scored === "number") return { [measureName(metric, null)]: scored };
  return Object.fromEntries(Object.entries(scored).map(([part, value]) => [measureName(metric, part), value]));
}
