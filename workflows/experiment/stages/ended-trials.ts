import type { ChildResult, ChildOutcome, ReusableRun } from "#workflow-kit/children";
import type { DatasetItem } from "#workflow-kit/datasets";
import type { Variant } from "../contract";
import type { Context } from "../context";
import { type PlannedTrial, plannedTrials } from "../rules/plan";
import type { Trial } from "../rules/trials";
import type { TrialRuns } from "./trials";

/** The error of a trial that a limit of the experiment kept from being run. */
const NOT_RUN = "parent_budget_exceeded";

const NO_USAGE = {
  llm_calls: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: null,
};

type Planned = PlannedTrial<Variant>;
type End = Pick<ChildResult, "run_id" | "status" | "error"> & { reused: boolean };

/** A trial that was run, and how it ended. */
export interface EndedTrial {
  planned: Planned;
  end: End;
}

/** The trials that have ended, in the order of the plan, and how many were planned. */
export async function endedTrials(
  context: Context,
  items: readonly DatasetItem[],
  ran: TrialRuns,
): Promise<{ ended: EndedTrial[]; notRun: number }> {
  const ends = await endsOf(context, ran);
  const planned = plannedTrials(context.variants, items, context.options.repetitions);
  const ended = planned.flatMap((one) => {
    const end = ends.get(one.key)!;
    return end.error?.code === NOT_RUN ? [] : [{ planned: one, end }];
  });
  return { ended, notRun: planned.length - ended.length };
}

/** How the trials ended, by key. */
async function endsOf({ run }: Context, { ends, reused }: TrialRuns): Promise<Map<string, End>> {
  const [started] = await run.read<ChildResult[]>([ends]);
  const taken = reused ? (await run.read<ReusableRun[]>([reused]))[0]!.content : [];
  return new Map<string, End>([
    ...started!.content.map(({ key, ...end }) => [key, { ...end, reused: false }] as const),
    ...taken.map(({ key, run_id }) => [key, { run_id, status: "completed", error: null, reused: true }] as const),
  ]);
}

/** The trials with their outputs, in their order; without contents of artifacts. */
export async function withOutputs({ run }: Context, ended: readonly EndedTrial[]): Promise<Trial[]> {
  const outcomes = await run.children.outcomes(ended.map(({ end }) => end.run_id));
  const byRun = new Map(outcomes.map((outcome) => [outcome.run_id, outcome]));
  return ended.map(({ planned, end }) => trialOf(planned, end, byRun.get(end.run_id)));
}

/** A trial whose run was removed tells nothing of its variant: it counts as one that was canceled. */
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
    const { output, usage, seconds, workflow_version } = outcome;
    return { ...trial, workflow_version, status, error, output, usage, seconds };
  }
  const removed = { code: "not_found", detail: `The run ${run_id} was removed before it was scored.` };
  return { ...trial, status: "canceled", error: removed, output: null, usage: NO_USAGE, seconds: 0 };
}
