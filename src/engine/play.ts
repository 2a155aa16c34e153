import type { WorkflowStep } from "cloudflare:workers";
import { Failed, Superseded, PlatformError } from "./instance/control";
import { type Instance, notify, type RunDependencies } from "./instance/instance";
import { stepThroughOutage } from "./durable/outages";
import { WorkflowRun } from "./run";
import type { RunSpec, InstanceParams } from "./instance/spec";
import { plays, type WorkflowDefinition } from "#workflow-kit/workflow";
import { questionsSettled } from "./people/questions-settled";
import { type ErrorCode, problemObject, type ProblemObject } from "#core/errors";
import { log } from "#core/log";
import type { Limits } from "#core/run-settings";
import { parseLimits } from "#core/run-settings";
import { parseModels } from "#llm";
import type { Store } from "#store/store";

/** For the beginning and the end. Its retries, half a minute in all, are for bugs; storage is waited for inside the step. */
const STEP = { retries: { limit: 5, delay: 1000, backoff: "exponential" }, timeout: "30 minutes" } as const;

/** Plays one epoch of a run from start to end, and writes the end to D1. */
export async function play(
  { run_id, epoch }: InstanceParams,
  step: WorkflowStep,
  workflows: Readonly<Record<string, WorkflowDefinition>>,
  deps: RunDependencies,
): Promise<void> {
  let startedHere = false;
  const { clock } = deps;
  const spec = await stepThroughOutage(step, "begin", STEP, {
    clock,
    work: () => {
      startedHere = true; // stays false in a replay, which does not run this function
      return begin(deps, run_id, epoch);
    },
  });
  if (!spec) return;

  const instance: Instance = { run_id, epoch, spec, deps };
  let run: WorkflowRun | null = null;
  const end = (outcome: Parameters<Store["instances"]["writeEnd"]>[2]) => {
    const work = async () => {
      const { canceled, followed } = await deps.store.instances.writeEnd(
        run_id,
        epoch,
        outcome,
        run?.lastStage ?? null,
      );
      const fields = { run_id, tenant_id: spec.tenant, workflow: spec.workflow, epoch };
      if (outcome.phase === "completed") log.info("run completed", fields);
      else log.warn("run failed", { ...fields, code: (outcome.error as ProblemObject).code });
      notify(instance, followed, `run.${outcome.phase}`);
      await deps.wakeCanceled(canceled);
      await deps.startNext(spec.tenant);
      if (spec.parent) await deps.wakeParent(spec.parent.id);
    };
    return stepThroughOutage(step, outcome.phase === "completed" ? "finish" : "fail", STEP, { work, clock });
  };
  const fail = (code: ErrorCode, detail: string) => end({ phase: "failed", error: problemObject(code, detail) });
  let output: unknown;
  try {
    const definition = workflows[spec.workflow];
    if (!definition || !plays(definition, spec.workflow_version)) {
      await questionsSettled(instance, step); // their answers are kept, and `retry` uses them
      throw workflowChanged(definition, spec);
    }
    run = new WorkflowRun(instance, step, startedHere && spec.untouched, definition);
    output = await definition.run(run, spec.input, spec.options);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (error instanceof PlatformError) throw error;
    if (error instanceof Failed) return fail(error.code, error.detail);
    log.error("workflow failed unexpectedly", { run_id, tenant_id: spec.tenant, error });
    return fail("internal_error", "The workflow's code failed because of an internal error.");
  }
  await end({ phase: "completed", output });
}

/** The failure of a run that the code cannot play any more (law 11). */
function workflowChanged(definition: WorkflowDefinition | undefined, spec: RunSpec): Failed {
  const { plays_from = 1, version } = definition ?? { version: 0 };
  const now = definition ? `plays versions ${plays_from} to ${version}` : "is gone";
  return new Failed(
    "workflow_changed",
    `The run was begun by version ${spec.workflow_version} of ${spec.workflow}, which now ${now}.`,
  );
}

/** Marks the run as started, and reads its specification; null: this epoch is not the run's any more. */
async function begin(deps: RunDependencies, id: string, epoch: number): Promise<RunSpec | null> {
  const { store } = deps;
  const begun = await store.instances.markStarted(id, epoch);
  if (!begun) return null;
  const { row, followed, listeners, parent_limits } = begun;
  const spec: RunSpec = {
    tenant: row.tenant_id,
    workflow: row.workflow,
    workflow_version: row.workflow_version,
    created_at: new Date(row.created_at).toISOString(),
    patches: JSON.parse(row.patches),
    mode: row.mode,
    input: await store.runs.input(row),
    options: await store.runs.options(row),
    models: parseModels(row.models),
    limits: parseLimits(row.limits),
    test: row.test === null ? null : JSON.parse(row.test),
    generations: JSON.parse(row.generations),
    pause: row.paused * row.pauses,
    untouched: row.stage === null && row.steps_done === 0,
    parent: row.parent_id === null ? null : { id: row.parent_id, limited: isLimited(parent_limits) },
    listeners: listeners.map(({ id: endpoint, events }) => ({ id: endpoint, events: JSON.parse(events) as string[] })),
  };
  log.info("run started", { run_id: id, tenant_id: spec.tenant, workflow: spec.workflow, epoch });
  notify({ run_id: id, spec, deps }, followed, "run.started");
  return spec;
}

const isLimited = (limits: string | null): boolean => {
  const {
    max_llm_calls = null,
    max_tokens = null,
    max_cost_usd = null,
  } = JSON.parse(limits ?? "{}") as Partial<Limits>;
  return max_llm_calls !== null || max_tokens !== null || max_cost_usd !== null;
};
