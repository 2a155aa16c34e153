import { loadAgents } from "#agents/registry";
import type { Fault } from "#core/errors";
import { type ModelsRequest, resolveModels } from "#llm";
import type { CheckChild } from "#workflow-kit/children";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { z } from "zod";
import { toFaults, within } from "../fields/faults";
import type { Services } from "../services";
import { modelFaults } from "./check-models";
import {
  collectFaults,
  corpusFaults,
  profileIn,
  rolesIn,
  type RunOwner,
  withPaperOptions,
  workflowRefusal,
} from "./request-parts";
import { createRunSchema } from "./requests";

/** A part of a request, as its schema gave it; undefined when it is not valid. */
interface Part<T> {
  value?: T | undefined;
  faults: readonly Fault[];
}

/**
 * Checks runs that a request would start. What was checked once is remembered: an object by itself, agents and corpora by their ids. So
 * thousands of items times a few variants cost one check of each item and of each variant.
 * @param parent models of runs that name none, and the cost that all may have together
 */
export function childChecker(
  services: Services,
  owner: RunOwner,
  { models: standard, max_cost_usd: together }: { models: ModelsRequest; max_cost_usd: number | null },
): CheckChild {
  const remember = memory();
  const formOf = ({ shape }: ReturnType<typeof createRunSchema>, workflow: WorkflowDefinition) => ({
    part: <T>(field: "input" | "options" | "models" | "limits", value: unknown): Part<T> =>
      remember([workflow, field, value], () => parsePart(field, shape[field] as z.ZodType<T>, value)),
  });
  return async ({ workflow: name, input, options = NOTHING, models = standard, limits = NOTHING }) => {
    const workflow = Object.hasOwn(services.workflows, name) ? services.workflows[name]! : null;
    if (!workflow) return [{ path: "workflow", code: "unknown_workflow", message: `There is no workflow "${name}".` }];
    const refusal = workflowRefusal(owner, workflow);
    if (refusal) return [{ path: "workflow", code: "workflow_not_allowed", message: refusal }];
    if (workflow.datasets) {
      const message = `A run of ${name} starts runs itself, so no run can start it.`;
      return [{ path: "workflow", code: "starts_runs", message }];
    }
    const { url_policy } = services.settings;
    const form = formOf(createRunSchema(workflow, { mode: owner.mode, url_policy }), workflow);
    const parts = {
      input: form.part<unknown>("input", input),
      options: form.part<unknown>(
        "options",
        remember([workflow, "given", options], () => withPaperOptions(workflow, options)),
      ),
      models: form.part<ModelsRequest>("models", models),
      limits: form.part<{ max_cost_usd?: number | null }>("limits", limits),
    };
    const faults = Object.values(parts).flatMap((part) => part.faults);
    const profile = profileIn(options);
    const resolved = await remember([workflow, "resolved", profile, models], () =>
      collectFaults(
        () =>
          parts.models.value &&
          resolveModels(parts.models.value, rolesIn(profile, workflow), services.providers, owner.mode),
      ),
    );
    const ids = parts.options.value === undefined ? undefined : workflow.agents?.(parts.options.value);
    const agents = await remember([workflow, "agents", JSON.stringify(ids)], () =>
      collectFaults(() => (ids === undefined ? [] : loadAgents(services, owner, ids))),
    );
    const corpora = parts.input.value === undefined ? [] : (workflow.corpora?.(parts.input.value) ?? []);
    const named = JSON.stringify(corpora);
    faults.push(...resolved.faults, ...agents.faults);
    faults.push(...(await remember(["corpora", named], () => corpusFaults(services, owner, corpora))));
    if (!resolved.value) return faults;
    const { value: given } = parts.options;
    if (workflow.check && parts.input.value !== undefined && given !== undefined)
      faults.push(...workflow.check({ input: parts.input.value, options: given, roles: resolved.value.roles }));
    const run = {
      owner,
      models: resolved.value,
      input: parts.input.value,
      agent_models: (agents.value ?? []).flatMap(({ model }) => model ?? []),
      max_cost_usd: parts.limits.value?.max_cost_usd ?? together,
    };
    const use = [workflow, "use", resolved, agents, run.max_cost_usd, named, run.input === undefined];
    faults.push(...(await remember(use, () => modelFaults(services, workflow, run))));
    return faults;
  };
}

/** A field that is left out: the same object each time. */
const NOTHING = {};

function parsePart<T>(field: string, schema: z.ZodType<T>, value: unknown): Part<T> {
  const { success, data, error } = schema.safeParse(value);
  return success
    ? { value: data, faults: [] }
    : { faults: toFaults(error, value).map((fault) => within(field, fault)) };
}

/** Remembers what was made for a list of keys, which are compared by identity. */
function memory() {
  const root: Map<unknown, any> = new Map();
  return <T>(keys: readonly unknown[], make: () => T): T => {
    let at = root;
    for (const key of keys.slice(0, -1)) {
      if (!at.has(key)) at.set(key, new Map());
      at = at.get(key);
    }
    const last = keys.at(-1);
    if (!at.has(last)) at.set(last, make());
    return at.get(last) as T;
  };
}
