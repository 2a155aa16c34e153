import type { DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import type { Context } from "../context";
import { type DefaultModels, runOfTrial } from "../inputs/runs";
import { plannedTrials } from "../rules/plan";

/** Where the trials are found: how those ended that this run started, and runs of earlier experiments that stand for others. */
export interface TrialRuns {
  ends: DocumentReference;
  reused: DocumentReference | null;
}

/** Runs each variant on each item, as child runs. */
export async function runTrials(context: Context): Promise<TrialRuns> {
  const { run, options, variants } = context;
  const { concurrency, on_failure, repetitions, reuse } = options;
  const { items } = await context.items();
  const planned = new Map(plannedTrials(variants, items, repetitions).map((trial) => [trial.key, trial]));
  const models: DefaultModels = { default: run.models.default, embedding: run.models.embedding, seed: run.seed };
  const trials = {
    key: "trials",
    children: [...planned.keys()],
    request: (key: string) => runOfTrial(planned.get(key)!, models, run.testSettings),
  };
  const reused = reuse ? await run.children.findReusable(trials) : null;
  const known = new Set(reused?.content.map(({ key }) => key));
  const children = trials.children.filter((key) => !known.has(key));
  const ends = await run.children.run({ ...trials, children, concurrency, retries: on_failure.retries });
  return { ends: reference(ends)!, reused: reference(reused) };
}
