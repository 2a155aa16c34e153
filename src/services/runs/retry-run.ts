import type { Owner } from "#core/owner";
import { modelsOfAgents } from "#agents/registry";
import { type FieldError, Problem } from "#core/errors";
import { parseModels } from "#llm";
import { supportsVersion, type WorkflowDefinition } from "#workflow-kit/workflow";
import { validationProblem } from "../fields/field-errors";
import type { Services } from "../services";
import type { RunRow } from "#store/rows";
import type { RequestCompletion } from "../idempotency/complete-key";
import { withRetry } from "#core/retry";
import { announceEvents, startNext } from "../wake";
import { modelErrors } from "./check-models";
import { assertNoParent, findRun, stateConflict } from "./runs";
import { presentRun } from "./present-run";
import { withRestoredRun } from "../while-restored";
import type { PresentedRun } from "./schema";
import { parseLimits } from "#core/run-settings";
import type { RetryRequest } from "./requests";
import { assertAllows } from "./states";

/** How often a run may be retried or canceled: its removal makes calls for the instance of each of its epochs. */
const MAX_EPOCHS = 200;

/**
 * Continues a failed or canceled run: finished steps are replayed and cost nothing.
 * @param request.from_stage does this stage, and all after it, again
 */
export async function retryRun(
  services: Services,
  { owner, id, request }: { owner: Owner; id: string; request: RetryRequest },
  completion?: RequestCompletion,
): Promise<PresentedRun> {
  const before = await findRun(services, owner, id);
  assertAllows("retry", before);
  assertNoParent(before, "retried");
  if (before.epoch >= MAX_EPOCHS)
    throw new Problem(
      "wrong_state",
      `The run is ${before.status}, and was canceled or retried ${before.epoch - 1} times, which is the most. Start a new run with its input.`,
    );
  const workflow = services.workflows[before.workflow];
  if (!workflow) throw new Problem("unknown_workflow", `There is no workflow ${before.workflow} any more.`);

  const limits = { ...parseLimits(before.limits), ...request.limits };
  const errors = [
    ...(await stageErrors(services, workflow, id, request.from_stage)),
    ...(await errorsOfModels(services, workflow, before, request.limits?.max_cost_usd ?? null)),
  ];
  if (errors.length) throw validationProblem(errors);

  await services.platform.armMaintenance();
  const workflow_version = supportsVersion(workflow, before.workflow_version)
    ? before.workflow_version
    : workflow.version;
  const change = { from_stage: request.from_stage ?? null, limits, workflow_version };
  const run = await withRestoredRun(services, owner, id, () =>
    services.store.runs.retry(owner, id, change, completion),
  );
  if (!run) throw await stateConflict(services, before, "retry");
  await startNext(services, owner.tenant_id);
  await announceEvents(services, run, "run.retried");
  return withRetry(() => presentRun(services, run));
}

async function stageErrors(
  { store }: Services,
  workflow: WorkflowDefinition,
  run: string,
  stage: string | undefined,
): Promise<FieldError[]> {
  if (stage === undefined) return [];
  const entered = (await store.stages.newestOfRuns([run])).map((row) => row.stage);
  const possible = workflow.stages.filter((name) => entered.includes(name));
  if (possible.includes(stage)) return [];
  const message = possible.length
    ? `The run has not been in a stage "${stage}"; it was in ${possible.join(", ")}.`
    : "The run has not been in any stage; omit from_stage.";
  return [{ path: "from_stage", code: "unknown_stage", message }];
}

async function errorsOfModels(
  services: Services,
  workflow: WorkflowDefinition,
  run: RunRow,
  max_cost_usd: number | null,
): Promise<FieldError[]> {
  const { store, settings } = services;
  if (max_cost_usd === null && settings.tenant_provider_keys !== "required") return [];
  return modelErrors(services, workflow, {
    owner: run,
    models: parseModels(run.models),
    input: await store.runs.input(run),
    agent_models: await modelsOfAgents(store, run, workflow.agents?.(await store.runs.options(run))),
    max_cost_usd,
  });
}
