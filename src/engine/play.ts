import type { WorkflowStep } from "cloudflare:workers";
import { Failed, Gone, PlatformError } from "./control";
import { Run, type RunDependencies } from "./run";
import type { RunSpec } from "./spec";
import type { WorkflowDefinition } from "./workflow";
import type { InstanceParams } from "../env";
import { type ErrorCode, problemObject } from "../errors";
import type { Store } from "../store/store";

const STEP = { retries: { limit: 20, delay: 500, backoff: "exponential" }, timeout: "1 minute" } as const;

/** Plays one epoch of a run from its beginning to its end, and writes that end. */
export async function play(
  { run_id, epoch }: InstanceParams,
  step: WorkflowStep,
  workflows: Readonly<Record<string, WorkflowDefinition>>,
  deps: RunDependencies,
): Promise<void> {
  const { runs } = deps.store;
  let fresh = false;
  const spec = (await step.do("begin", STEP, async () => {
    fresh = true; // when the step's result is known already, this does not run
    return (await begin(deps.store, run_id, epoch)) as any;
  })) as RunSpec | null;
  if (!spec) return;
  notify(deps, spec, "run.started");

  const run = new Run(run_id, epoch, step, spec, fresh, deps);
  const fail = (code: ErrorCode, detail: string) =>
    step.do("fail", STEP, () =>
      runs.end(run_id, epoch, { phase: "failed", error: problemObject(code, detail) }, run.lastStage),
    );
  try {
    const definition = continuable(workflows, spec);
    const output = await definition.run(run, spec.input, spec.options);
    await step.do("finish", STEP, () => runs.end(run_id, epoch, { phase: "completed", output }, run.lastStage));
  } catch (error) {
    if (error instanceof Gone) return;
    if (error instanceof PlatformError) throw error;
    if (error instanceof Failed) await fail(error.code, error.detail);
    else {
      console.error(
        JSON.stringify({
          message: "workflow failed unexpectedly",
          run_id,
          error: String((error as Error)?.stack ?? error),
        }),
      );
      await fail("internal_error", "The workflow's code failed for a reason of ours.");
    }
    notify(deps, spec, "run.failed");
    return;
  }
  notify(deps, spec, "run.completed");
}

/** Law 11: a run keeps the version of the code that began it. */
function continuable(workflows: Readonly<Record<string, WorkflowDefinition>>, spec: RunSpec): WorkflowDefinition {
  const definition = workflows[spec.workflow];
  if (definition?.version === spec.workflow_version) return definition;
  const now = definition ? `is at version ${definition.version}` : "is gone";
  throw new Failed(
    "workflow_changed",
    `The run was begun by version ${spec.workflow_version} of ${spec.workflow}, which now ${now}.`,
  );
}

async function begin(store: Store, id: string, epoch: number): Promise<RunSpec | null> {
  const begun = await store.runs.begin(id, epoch);
  if (!begun) return null;
  const { row, listeners } = begun;
  return {
    tenant: row.tenant_id,
    workflow: row.workflow,
    workflow_version: row.workflow_version,
    mode: row.mode,
    input: await store.runs.input(row),
    options: JSON.parse(row.options),
    models: JSON.parse(row.models),
    limits: JSON.parse(row.limits),
    test: row.test === null ? null : JSON.parse(row.test),
    generations: JSON.parse(row.generations),
    pause: row.paused * row.pauses,
    listeners: listeners.map(({ id: endpoint, events }) => ({ id: endpoint, events: JSON.parse(events) as string[] })),
  };
}

function notify(deps: RunDependencies, spec: RunSpec, type: string): void {
  const endpoints = spec.listeners.filter(({ events }) => events.includes(type)).map(({ id }) => id);
  if (endpoints.length) deps.deliver(endpoints);
}
