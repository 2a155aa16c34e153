import { loadAgents } from "#agents/registry";
import { type FieldError, Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import { type ModelsRequest, type ResolvedModels, resolveModels } from "#llm";
import type { KeyRow } from "#store/rows";
import type { ValidateChild } from "#workflow-kit/children";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { z } from "zod";
import { findClosedDataset } from "../datasets/datasets";
import { toFieldErrors, within } from "../fields/field-errors";
import { workflowsOf } from "../keys/authenticate";
import type { Services } from "../services";
import { budgetErrors, modelErrors } from "./check-models";
import { createRunSchema } from "./requests";

/** The check of a request for a run: one from outside, or one that a workflow makes for a child. */

/** Properties that a run gets from the key that starts it. */
export type RunCreator = Owner & Pick<KeyRow, "workflows">;

/** The parts of a request as their schemas gave them; undefined where a part is not valid. */
interface Parts {
  input?: unknown;
  options?: unknown;
  models?: ModelsRequest | undefined;
}

interface CheckedRun {
  owner: RunCreator;
  /** As it was requested: it decides the decoding of the roles. */
  profile: unknown;
  parts: Parts;
  max_cost_usd: number | null;
}

/** Makes what was not made before for these keys, which are compared by identity. */
type Remember = <T>(keys: readonly unknown[], make: () => T) => T;

/** The request's models as resolved, null when they cannot be, and the errors of all that it names: models, agents, corpora, data sets. */
export async function checkRun(
  services: Services,
  workflow: WorkflowDefinition,
  { owner, profile, parts: { input, options, models }, max_cost_usd }: CheckedRun,
  remember: Remember = (_, make) => make(),
): Promise<{ models: ResolvedModels | null; errors: FieldError[] }> {
  const resolved = await remember([workflow, "resolved", profile, models], () =>
    collectErrors(() => models && resolveModels(models, rolesIn(profile, workflow), services.providers, owner.mode)),
  );
  const ids = options === undefined ? undefined : workflow.agents?.(options); // null: all agents
  const agents = await remember([workflow, "agents", JSON.stringify(ids)], () =>
    collectErrors(() => (ids === undefined ? [] : loadAgents(services, owner, ids))),
  );
  const errors = [...resolved.errors, ...agents.errors];
  const isWhole = input !== undefined && options !== undefined;
  if (resolved.value && workflow.check && isWhole)
    errors.push(...workflow.check({ input, options, roles: resolved.value.roles }));
  const corpora = input === undefined ? [] : (workflow.corpora?.(input) ?? []);
  const named = JSON.stringify(corpora);
  errors.push(...(await remember(["corpora", named], () => corpusErrors(services, owner, corpora))));
  const standard = resolved.value ? { default: resolved.value.default, embedding: resolved.value.embedding } : {};
  const checkChild = childChecker(services, owner, { models: standard, max_cost_usd });
  for (const id of input === undefined ? [] : (workflow.datasets?.(input) ?? [])) {
    const dataset = await collectErrors(() => findClosedDataset(services.store, owner, id));
    errors.push(...dataset.errors);
    if (dataset.value && workflow.checkDataset && isWhole)
      errors.push(...(await workflow.checkDataset({ input, options }, dataset.value, checkChild)));
  }
  if (!resolved.value) return { models: null, errors };
  const agent_models = (agents.value ?? []).flatMap(({ model }) => model ?? []);
  const use = { owner, models: resolved.value, input, agent_models, max_cost_usd };
  const keys = [workflow, "use", resolved, agents, max_cost_usd, named, input === undefined];
  errors.push(...(await remember(keys, () => modelErrors(services, workflow, use))));
  errors.push(...(await remember(["budget", ...keys], () => budgetErrors(services, workflow, use))));
  return { models: resolved.value, errors };
}

/**
 * Checks runs that a request would start. What was checked once is remembered: an object by itself, agents and corpora by their ids. So
 * thousands of items times a few variants cost one check of each item and of each variant.
 * @param parent models of runs that name none, and the cost that all may have together
 */
function childChecker(
  services: Services,
  owner: RunCreator,
  { models: standard, max_cost_usd: together }: { models: ModelsRequest; max_cost_usd: number | null },
): ValidateChild {
  const remember = memory();
  return async ({ workflow: name, input, options = NOTHING, models = standard, limits = NOTHING }) => {
    const workflow = Object.hasOwn(services.workflows, name) ? services.workflows[name]! : null;
    if (!workflow) return [{ path: "workflow", code: "unknown_workflow", message: `There is no workflow "${name}".` }];
    const refusal = workflowRefusal(owner, workflow);
    if (refusal) return [{ path: "workflow", code: "workflow_not_allowed", message: refusal }];
    if (workflow.datasets) {
      const message = `A run of ${name} starts runs itself, so no run can start it.`;
      return [{ path: "workflow", code: "starts_runs", message }];
    }
    const { shape } = createRunSchema(workflow, { mode: owner.mode, url_policy: services.settings.url_policy });
    const part = <T>(field: "input" | "options" | "models" | "limits", value: unknown) =>
      remember([workflow, field, value], () => parsePart(field, shape[field] as unknown as z.ZodType<T>, value));
    const given = remember([workflow, "given", options], () => withPaperOptions(workflow, options));
    const form = {
      input: part<unknown>("input", input),
      options: part<unknown>("options", given),
      models: part<ModelsRequest>("models", models),
      limits: part<{ max_cost_usd?: number | null }>("limits", limits),
    };
    const { errors } = await checkRun(
      services,
      workflow,
      {
        owner,
        profile: profileIn(options),
        parts: { input: form.input.value, options: form.options.value, models: form.models.value },
        max_cost_usd: form.limits.value?.max_cost_usd ?? together,
      },
      remember,
    );
    return [...Object.values(form).flatMap((one) => one.errors), ...errors];
  };
}

/** A field that is left out: the same object each time. */
const NOTHING = {};

/** A part of a request, as its schema gave it; undefined when it is not valid. */
function parsePart<T>(
  field: string,
  schema: z.ZodType<T>,
  value: unknown,
): { value?: T; errors: readonly FieldError[] } {
  const { success, data, error } = schema.safeParse(value);
  return success
    ? { value: data, errors: [] }
    : { errors: toFieldErrors(error, value).map((fieldError) => within(field, fieldError)) };
}

function memory(): Remember {
  const root: Map<unknown, any> = new Map();
  return (keys, make) => {
    let at = root;
    for (const key of keys.slice(0, -1)) {
      if (!at.has(key)) at.set(key, new Map());
      at = at.get(key);
    }
    const last = keys.at(-1);
    if (!at.has(last)) at.set(last, make());
    return at.get(last);
  };
}

/** Why the key may start no run of this workflow; null: it may. */
export function workflowRefusal(owner: RunCreator, { name }: WorkflowDefinition): string | null {
  const bounds = workflowsOf(owner);
  if (!bounds || bounds.includes(name)) return null;
  return `The key is bound to ${bounds.join(", ")} and starts no run of ${name}.`;
}

/** The profile that options ask for; an error of its form is found when they are parsed. */
export const profileIn = (options: unknown): unknown => (options as { profile?: unknown } | null | undefined)?.profile;

/** Under the profile `paper`, options with the paper's values of those that are left out. */
export const withPaperOptions = ({ paper_options }: WorkflowDefinition, options: unknown): unknown =>
  profileIn(options) === "paper" ? { ...paper_options, ...(options as object) } : options;

/** The roles with the decoding of a profile. */
const rolesIn = (profile: unknown, { roles }: WorkflowDefinition) =>
  profile === "paper" ? roles.map((role) => ({ ...role, decoding: role.paper_decoding ?? role.decoding })) : roles;

/** A value, or the errors of the Problem that reading it throws. */
export async function collectErrors<T>(
  read: () => T | Promise<T>,
): Promise<{ value: T | null; errors: readonly FieldError[] }> {
  try {
    return { value: await read(), errors: [] };
  } catch (error) {
    if (error instanceof Problem) return { value: null, errors: error.errors };
    throw error;
  }
}

/** Corpora of the input that the owner does not have. A corpus that is deleted later does not fail the run. */
async function corpusErrors(
  { store }: Pick<Services, "store">,
  owner: Owner,
  ids: readonly string[],
): Promise<FieldError[]> {
  const rows = await Promise.all(ids.map((id) => store.corpora.get(owner, id)));
  return ids.flatMap((id, index) =>
    rows[index]
      ? []
      : [{ path: `input.corpus_ids.${index}`, code: "unknown_corpus", message: `There is no corpus ${id}.` }],
  );
}
