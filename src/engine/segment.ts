import { throughOutage } from "./durable/outages";
import { RunFailedError, StaleEpochError, SuspendSignal, type Suspension } from "./instance/signals";
import { type Instance, notify, type RunDependencies } from "./instance/instance";
import type { InstanceMemory } from "./durable/memory";
import { Stages } from "./durable/stages";
import type { RunSpec, InstanceParams } from "./instance/spec";
import { WorkflowRun } from "./run";
import { type ErrorCode, problemObject, type ProblemObject } from "#core/errors";
import { log } from "#core/log";
import { type Limits, parseLimits } from "#core/run-settings";
import { parseModels } from "#llm";
import type { RunRow } from "#store/rows";
import type { StageKey } from "#store/stages";
import type { Store } from "#store/store";
import { supportsVersion, type WorkflowDefinition } from "#workflow-kit/workflow";

/** How a segment begins. */
export interface Entry {
  /** The first attempt at the instance's first segment. */
  isFirst: boolean;
  /** Whether a bug now fails the run. */
  isLastAttempt: boolean;
  /** Time that the run has waited since its last segment, milliseconds: no part of its timeout. */
  idle: number;
}

/**
 * A process that ends in the middle of a segment leaves its start counted. What ends it may be one of the runs in it, which would end the next
 * one too: after two such starts a run rests for a random time, so that the others get on meanwhile, and after a third it is given up.
 */
const RESTING_START = 3;
const LAST_START = 5;
const MAX_REST_MS = 60_000;

/** What is known of a run before its input and options are read. */
type Header = Omit<RunSpec, "input" | "options">;

type Executed = Omit<Instance, "workflow" | "spec"> & { spec: Header };

type End = Parameters<Store["instances"]["writeEnd"]>[2];

/**
 * Executes a run from its start, or from a wait, until it has ended or has to wait again, and writes an end to D1.
 * @returns what the run waits for; null: this epoch is over
 * @throws what the platform shall try again
 */
export async function runSegment(
  params: InstanceParams,
  workflows: Readonly<Record<string, WorkflowDefinition>>,
  deps: RunDependencies,
  memory: InstanceMemory,
  entry: Entry,
): Promise<Suspension | null> {
  try {
    const begun = await begin(params, deps, memory, entry);
    if (begun) await execute({ ...params, spec: begun.spec, deps }, begun.row, workflows, memory, entry);
    return null;
  } catch (error) {
    if (error instanceof StaleEpochError) return null;
    if (error instanceof SuspendSignal) return error.suspension;
    throw error;
  }
}

/** Judges the starts of the run before anything of it is read: an input may be what ends the process. */
async function execute(
  instance: Executed,
  row: RunRow,
  workflows: Readonly<Record<string, WorkflowDefinition>>,
  memory: InstanceMemory,
  entry: Entry,
): Promise<void> {
  const { run_id, epoch, spec, deps } = instance;
  const starts = row.unended_starts;
  if (starts === RESTING_START && !spec.pause)
    throw new SuspendSignal({ why: "later", ms: Math.ceil(Math.random() * MAX_REST_MS) });
  if (starts >= LAST_START) return end(instance, failed("run_crashed", crashesOf(row)), null);
  try {
    const { runs } = deps.store;
    const given = await inStorage(deps, async () => ({
      input: await runs.input(row),
      options: await runs.options(row),
    }));
    await workThrough({ ...instance, spec: { ...spec, ...given } }, workflows[spec.workflow], memory, entry);
  } catch (error) {
    // The segment ends in order, so its start is no crash. A count that cannot be set back costs no more than a rest.
    await deps.store.instances.markLeft(run_id, epoch).catch(() => {});
    throw error;
  }
}

async function workThrough(
  instance: Omit<Instance, "workflow">,
  workflow: WorkflowDefinition | undefined,
  memory: InstanceMemory,
  { isFirst, isLastAttempt, idle }: Entry,
): Promise<void> {
  const { run_id, epoch, spec, deps } = instance;
  if (spec.pause) throw new SuspendSignal({ why: "paused", pause: spec.pause });
  if (!workflow || !supportsVersion(workflow, spec.workflow_version)) {
    await untilQuestionsClosed(run_id, deps); // their answers are kept, and `retry` uses them
    return end(instance, failed("workflow_changed", changedFrom(workflow, spec)), null);
  }
  const fresh = isFirst && spec.untouched && epoch === 1;
  const stages = new Stages({ ...instance, workflow }, memory, { fresh, isLastAttempt, idle });
  await end(instance, await outcomeOf(stages, workflow, isLastAttempt), stages.last);
}

/** @throws SuspendSignal, StaleEpochError, or a bug that the platform shall try again */
async function outcomeOf(stages: Stages, workflow: WorkflowDefinition, isLastAttempt: boolean): Promise<End> {
  const { run_id, spec } = stages.instance;
  const run = new WorkflowRun(stages);
  try {
    const output = await workflow.run(run, spec.input, spec.options).finally(() => stages.drain());
    return { phase: "completed", output };
  } catch (error) {
    if (error instanceof RunFailedError) return failed(error.code, error.detail);
    if (error instanceof SuspendSignal || error instanceof StaleEpochError || !isLastAttempt) throw error;
    log.error("workflow failed unexpectedly", { run_id, tenant_id: spec.tenant, error });
    return failed("internal_error", "The workflow's code failed because of an internal error.");
  }
}

/** Works until storage has answered; when that takes long the segment ends, and the next one starts over. */
async function inStorage<T>({ clock }: RunDependencies, work: () => Promise<T>): Promise<T> {
  const done = await throughOutage(work, clock);
  if (!done) throw new SuspendSignal({ why: "segment_is_long" });
  return done.value;
}

/** People who were asked by code that is gone can still answer. @throws SuspendSignal while a question is open */
async function untilQuestionsClosed(run_id: string, deps: RunDependencies): Promise<void> {
  const open = await inStorage(deps, () => deps.store.interactions.ofRun(run_id, "open"));
  if (open.length > 0) throw new SuspendSignal({ why: "waiting", interactions: open.map(({ id }) => id) });
}

/**
 * Marks the run as started, and counts the start once, however often storage has to be asked. Returns its row, and its specification without input
 * and options; null: this epoch is not the run's any more.
 */
async function begin(
  { run_id, epoch }: InstanceParams,
  deps: RunDependencies,
  memory: InstanceMemory,
  entry: Entry,
): Promise<{ row: RunRow; spec: Header } | null> {
  let isCounted = false;
  const started = await inStorage(deps, async () => {
    const counts = !isCounted;
    isCounted = true;
    return deps.store.instances.markStarted(run_id, epoch, counts);
  });
  if (!started) return null;
  const { row, isFirst, followed, owns_keys, listeners, parent_limits } = started;
  memory.ownsKeys = owns_keys;
  const spec: Header = {
    tenant: row.tenant_id,
    workflow: row.workflow,
    workflow_version: row.workflow_version,
    created_at: new Date(row.created_at).toISOString(),
    mode: row.mode,
    models: parseModels(row.models),
    limits: parseLimits(row.limits),
    test: row.test === null ? null : JSON.parse(row.test),
    generations: JSON.parse(row.generations),
    pause: row.paused * row.pauses,
    untouched: isFirst && row.stage === null && row.steps_done === 0,
    parent: row.parent_id === null ? null : { id: row.parent_id, limited: isLimited(parent_limits) },
    listeners: listeners.map(({ id: endpoint, events }) => ({
      id: endpoint,
      events: JSON.parse(events) as string[],
    })),
  };
  if (entry.isFirst) {
    log.debug("run started", { run_id, tenant_id: spec.tenant, workflow: spec.workflow, epoch });
    notify({ run_id, spec, deps }, followed, "run.started");
  }
  return { row, spec };
}

async function end(instance: Executed, outcome: End, lastStage: StageKey | null): Promise<void> {
  const { run_id, epoch, spec, deps } = instance;
  const { canceled, followed, next_waits } = await inStorage(deps, () =>
    deps.store.instances.writeEnd(run_id, epoch, outcome, lastStage),
  );
  const fields = { run_id, tenant_id: spec.tenant, workflow: spec.workflow, epoch };
  if (outcome.phase === "completed") log.info("run completed", fields);
  else log.warn("run failed", { ...fields, code: (outcome.error as ProblemObject).code });
  notify(instance, followed, `run.${outcome.phase}`);
  await deps.wakeCanceled(canceled);
  if (next_waits) await deps.startNext(spec.tenant);
  if (spec.parent) await deps.wakeParent(spec.parent.id);
}

const failed = (code: ErrorCode, detail: string): End => ({ phase: "failed", error: problemObject(code, detail) });

function crashesOf({ stage }: RunRow): string {
  const place = stage === null ? "before its first stage" : `in the stage ${stage}`;
  return `The process ended three times while it worked on this run ${place}, and nothing was finished in between.`;
}

/** Why the code cannot run this version any more (law 11). */
function changedFrom(definition: WorkflowDefinition | undefined, spec: RunSpec): string {
  const { min_version = 1, version } = definition ?? { version: 0 };
  const now = definition ? `runs versions ${min_version} to ${version}` : "is gone";
  return `The run was started by version ${spec.workflow_version} of ${spec.workflow}, which now ${now}.`;
}

const isLimited = (limits: string | null): boolean => {
  const {
    max_llm_calls = null,
    max_tokens = null,
    max_cost_usd = null,
  } = JSON.parse(limits ?? "{}") as Partial<Limits>;
  return max_llm_calls !== null || max_tokens !== null || max_cost_usd !== null;
};
