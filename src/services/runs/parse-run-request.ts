import type { Owner } from "#core/owner";
import type { z } from "zod";
import { loadAgents } from "#agents/registry";
import { type Fault, Problem } from "#core/errors";
import { resolveModels, type ResolvedModels } from "#llm";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { toFaults, validationProblem } from "../fields/faults";
import type { KeyRow } from "#store/rows";
import { workflowsOf } from "../keys/authenticate";
import type { Services } from "../services";
import { modelFaults } from "./check-models";
import { createRunSchema, strayRunSchema } from "./requests";

type Schema = ReturnType<typeof createRunSchema>;

/** The body of `POST /v1/runs`, its workflow, and its models as they were resolved. */
export interface RunRequest {
  workflow: WorkflowDefinition;
  request: z.output<Schema>;
  models: ResolvedModels;
}

/** What a run takes from the key that starts it. */
export type RunOwner = Owner & Pick<KeyRow, "workflows">;

/** @throws Problem with every fault of the request: of its form, and of the models, agents and corpora that it names */
export async function parseRunRequest(services: Services, owner: RunOwner, body: unknown): Promise<RunRequest> {
  const { providers, settings } = services;
  const workflow = chooseWorkflow(services, body);
  const bounds = workflowsOf(owner);
  if (bounds && !bounds.includes(workflow.name))
    throw new Problem(
      "workflow_not_allowed",
      `The key is bound to ${bounds.join(", ")} and starts no run of ${workflow.name}.`,
    );
  const { url_policy } = settings;
  const { request, parts, formFaults } = parseParts(
    createRunSchema(workflow, { mode: owner.mode, url_policy }),
    withPaperOptions(workflow, body),
  );
  const { input, options, limits } = parts;

  const models = await collectFaults(
    () => parts.models && resolveModels(parts.models, rolesIn(profileOf(body), workflow), providers, owner.mode),
  );
  const agents = await collectFaults(() =>
    workflow.agents && options ? loadAgents(services, owner, workflow.agents(options)) : [],
  );
  const faults = [...formFaults, ...models.faults, ...agents.faults];
  if (models.value) {
    const { roles } = models.value;
    if (workflow.check && input && options) faults.push(...workflow.check({ input, options, roles }));
  }
  if (input) faults.push(...(await corpusFaults(services, workflow, owner, input)));
  if (models.value) {
    const agent_models = (agents.value ?? []).flatMap(({ model }) => model ?? []);
    const max_cost_usd = limits?.max_cost_usd ?? null;
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

/** The profile that a body asks for; a fault of its form is found when the body is parsed. */
const profileOf = (body: unknown): unknown => (body as { options?: { profile?: unknown } | null }).options?.profile;

/** Under the profile `paper`, the body with the paper's values of options that it leaves out. */
function withPaperOptions(workflow: WorkflowDefinition, body: unknown): unknown {
  if (profileOf(body) !== "paper") return body;
  const { options, ...others } = body as { options: object };
  return { ...others, options: { ...workflow.paper_options, ...options } };
}

/** The roles with the decoding of a profile. */
const rolesIn = (profile: unknown, { roles }: WorkflowDefinition) =>
  profile === "paper" ? roles.map((role) => ({ ...role, decoding: role.paper_decoding ?? role.decoding })) : roles;

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

/** A value, or the faults of the Problem that reading it throws. */
async function collectFaults<T>(read: () => T | Promise<T>): Promise<{ value: T | null; faults: readonly Fault[] }> {
  try {
    return { value: await read(), faults: [] };
  } catch (error) {
    if (error instanceof Problem) return { value: null, faults: error.faults };
    throw error;
  }
}

/** Corpora of the input that the owner does not have. A corpus that is deleted later does not fail the run. */
async function corpusFaults(
  { store }: Services,
  workflow: WorkflowDefinition,
  owner: Owner,
  input: unknown,
): Promise<Fault[]> {
  const ids = workflow.corpora?.(input) ?? [];
  const rows = await Promise.all(ids.map((id) => store.corpora.get(owner, id)));
  return ids.flatMap((id, index) =>
    rows[index]
      ? []
      : [{ path: `input.corpus_ids.${index}`, code: "unknown_corpus", message: `There is no corpus ${id}.` }],
  );
}
