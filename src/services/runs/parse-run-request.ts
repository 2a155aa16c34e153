import type { z } from "zod";
import { loadAgents } from "#agents/registry";
import { Problem } from "#core/errors";
import { resolveModels, type ResolvedModels } from "#llm";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { toFaults, validationProblem } from "../fields/faults";
import type { Services } from "../services";
import { modelFaults } from "./check-models";
import { datasetFaults } from "./check-datasets";
import {
  collectFaults,
  corpusFaults,
  profileIn,
  rolesIn,
  type RunOwner,
  withPaperOptions,
  workflowRefusal,
} from "./request-parts";
import { createRunSchema, strayRunSchema } from "./requests";

type Schema = ReturnType<typeof createRunSchema>;

/** The body of `POST /v1/runs`, its workflow, and its models as they were resolved. */
export interface RunRequest {
  workflow: WorkflowDefinition;
  request: z.output<Schema>;
  models: ResolvedModels;
}

/** @throws Problem with every fault of the request: of its form, and of the models, agents, corpora and data sets that it names */
export async function parseRunRequest(services: Services, owner: RunOwner, body: unknown): Promise<RunRequest> {
  const { providers, settings } = services;
  const workflow = chooseWorkflow(services, body);
  const refusal = workflowRefusal(owner, workflow);
  if (refusal) throw new Problem("workflow_not_allowed", refusal);
  const { url_policy } = settings;
  const { request, parts, formFaults } = parseParts(
    createRunSchema(workflow, { mode: owner.mode, url_policy }),
    withProfile(workflow, body),
  );
  const { input, options, limits } = parts;

  const models = await collectFaults(
    () =>
      parts.models && resolveModels(parts.models, rolesIn(profileIn(optionsIn(body)), workflow), providers, owner.mode),
  );
  const agents = await collectFaults(() =>
    workflow.agents && options ? loadAgents(services, owner, workflow.agents(options)) : [],
  );
  const faults = [...formFaults, ...models.faults, ...agents.faults];
  if (models.value) {
    const { roles } = models.value;
    if (workflow.check && input && options) faults.push(...workflow.check({ input, options, roles }));
  }
  const max_cost_usd = limits?.max_cost_usd ?? null;
  if (input) {
    const use = { owner, input, options, models: models.value, max_cost_usd };
    faults.push(...(await corpusFaults(services, owner, workflow.corpora?.(input) ?? [])));
    faults.push(...(await datasetFaults(services, workflow, use)));
  }
  if (models.value) {
    const agent_models = (agents.value ?? []).flatMap(({ model }) => model ?? []);
    const run = { owner, models: models.value, input, agent_models, max_cost_usd };
    faults.push(...(await modelFaults(services, workflow, run)));
  }
  if (faults.length || !request || !models.value) throw validationProblem(faults);
  return { workflow, request, models: models.value };
}

function chooseWorkflow({ workflows, settings }: Services, body: unknown): WorkflowDefinition {
  const name = (body as { workflow?: unknown } | null)?.workflow;
  if (typeof name === "string" && Object.hasOwn(workflows, name)) return workflows[name]!;
  const stray = strayRunSchema(Object.keys(workflows), settings.url_policy).safeParse(body);
  throw validationProblem(toFaults(stray.error!, body));
}

/** The options of a body. */
const optionsIn = (body: unknown): unknown => (body as { options?: unknown }).options;

/** The body with options that the profile gives. */
const withProfile = (workflow: WorkflowDefinition, body: unknown): unknown => {
  const options = withPaperOptions(workflow, optionsIn(body));
  return options === optionsIn(body) ? body : { ...(body as object), options };
};

/** The whole body when it is valid, and each part that is valid by itself: a fault in one part hides no fault in another. */
function parseParts(schema: Schema, body: unknown) {
  const parsed = schema.safeParse(body);
  if (parsed.success) return { request: parsed.data, parts: parsed.data, formFaults: [] };
  const { input, options, models, limits } = schema.shape;
  const fields = body as Record<string, unknown>;
  const parts = {
    input: input.safeParse(fields.input).data,
    options: options.safeParse(fields.options ?? {}).data,
    models: models.safeParse(fields.models ?? {}).data,
    limits: limits.safeParse(fields.limits ?? {}).data,
  };
  return { request: null, parts, formFaults: toFaults(parsed.error, body) };
}
