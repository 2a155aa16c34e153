import type { z } from "zod";
import { newId } from "#core/ids";
import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import { DEFAULT_LIMITS } from "#core/run-settings";
import type { ResolvedModels } from "#llm";
import type { NewRun } from "#store/new-run";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { toFieldErrors, validationProblem } from "../fields/field-errors";
import type { Services } from "../services";
import { aboutInput } from "./about-input";
import { checkRun, profileIn, type RunCreator, withPaperOptions, workflowRefusal } from "./check-run";
import { reviewsOf } from "./present-run";
import { createRunSchema, fallbackRunSchema } from "./requests";

type Schema = ReturnType<typeof createRunSchema>;

/** The body of `POST /v1/runs`, its workflow, and its models as they were resolved. */
export interface RunRequest {
  workflow: WorkflowDefinition;
  request: z.output<Schema>;
  models: ResolvedModels;
}

/** @throws Problem with every error of the request: of its form, and of the models, agents, corpora and data sets that it names */
export async function parseRunRequest(services: Services, owner: RunCreator, body: unknown): Promise<RunRequest> {
  const workflow = chooseWorkflow(services, body);
  const refusal = workflowRefusal(owner, workflow);
  if (refusal) throw new Problem("workflow_not_allowed", refusal);
  const { url_policy } = services.settings;
  const { request, parts, formErrors } = parseParts(
    createRunSchema(workflow, { mode: owner.mode, url_policy }),
    withProfile(workflow, body),
  );
  const { models, errors } = await checkRun(services, workflow, {
    owner,
    profile: profileIn(optionsIn(body)),
    parts,
    max_cost_usd: parts.limits?.max_cost_usd ?? null,
  });
  const all = [...formErrors, ...errors];
  if (all.length || !request || !models) throw validationProblem(all);
  return { workflow, request, models };
}

function chooseWorkflow({ workflows, settings }: Services, body: unknown): WorkflowDefinition {
  const name = (body as { workflow?: unknown } | null)?.workflow;
  if (typeof name === "string" && Object.hasOwn(workflows, name)) return workflows[name]!;
  const stray = fallbackRunSchema(Object.keys(workflows), settings.url_policy).safeParse(body);
  throw validationProblem(toFieldErrors(stray.error!, body));
}

/** The options of a body. */
const optionsIn = (body: unknown): unknown => (body as { options?: unknown }).options;

/** The body with options that the profile gives. */
const withProfile = (workflow: WorkflowDefinition, body: unknown): unknown => {
  const options = withPaperOptions(workflow, optionsIn(body));
  return options === optionsIn(body) ? body : { ...(body as object), options };
};

/** The whole body when it is valid, and each part that is valid by itself: an error in one part hides no error in another. */
function parseParts(schema: Schema, body: unknown) {
  const parsed = schema.safeParse(body);
  if (parsed.success) return { request: parsed.data, parts: parsed.data, formErrors: [] };
  const { input, options, models, limits } = schema.shape;
  const fields = body as Record<string, unknown>;
  const parts = {
    input: input.safeParse(fields.input).data,
    options: options.safeParse(fields.options ?? {}).data,
    models: models.safeParse(fields.models ?? {}).data,
    limits: limits.safeParse(fields.limits ?? {}).data,
  };
  return { request: null, parts, formErrors: toFieldErrors(parsed.error, body) };
}

/** The run of a request, as it is stored. @param origin base of its callback URLs */
export const newRun = (
  { workflows }: Pick<Services, "workflows">,
  { workflow, request, models }: RunRequest,
  { owner, origin }: { owner: Owner; origin: string },
): NewRun => ({
  id: newId("run"),
  tenant_id: owner.tenant_id,
  mode: owner.mode,
  workflow: workflow.name,
  workflow_version: workflow.version,
  input: request.input,
  options: request.options,
  models,
  limits: { ...DEFAULT_LIMITS, ...request.limits },
  metadata: request.metadata,
  asks_about: reviewsOf(workflows, workflow.name, request.options),
  about: aboutInput(workflow, request.input),
  requested_by: request.requested_by ?? null,
  datasets: workflow.datasets?.(request.input) ?? [],
  test: request.test ?? null,
  origin,
  webhook: null,
});
