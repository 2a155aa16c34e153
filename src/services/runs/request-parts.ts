import type { Owner } from "#core/owner";
import { type Fault, Problem } from "#core/errors";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { workflowsOf } from "../keys/authenticate";
import type { KeyRow } from "#store/rows";
import type { Services } from "../services";

/** Steps by which the body of `POST /v1/runs` is checked, and each run that a workflow would start. */

/** Properties that a run gets from the key that starts it. */
export type RunOwner = Owner & Pick<KeyRow, "workflows">;

/** Why the key may start no run of this workflow; null: it may. */
export function workflowRefusal(owner: RunOwner, { name }: WorkflowDefinition): string | null {
  const bounds = workflowsOf(owner);
  if (!bounds || bounds.includes(name)) return null;
  return `The key is bound to ${bounds.join(", ")} and starts no run of ${name}.`;
}

/** The profile that options ask for; a fault of its form is found when they are parsed. */
export const profileIn = (options: unknown): unknown => (options as { profile?: unknown } | null | undefined)?.profile;

/** Under the profile `paper`, options with the paper's values of those that are left out. */
export const withPaperOptions = ({ paper_options }: WorkflowDefinition, options: unknown): unknown =>
  profileIn(options) === "paper" ? { ...paper_options, ...(options as object) } : options;

/** The roles with the decoding of a profile. */
export const rolesIn = (profile: unknown, { roles }: WorkflowDefinition) =>
  profile === "paper" ? roles.map((role) => ({ ...role, decoding: role.paper_decoding ?? role.decoding })) : roles;

/** A value, or the faults of the Problem that reading it throws. */
export async function collectFaults<T>(
  read: () => T | Promise<T>,
): Promise<{ value: T | null; faults: readonly Fault[] }> {
  try {
    return { value: await read(), faults: [] };
  } catch (error) {
    if (error instanceof Problem) return { value: null, faults: error.faults };
    throw error;
  }
}

/** Corpora of the input that the owner does not have. A corpus that is deleted later does not fail the run. */
export async function corpusFaults(
  { store }: Pick<Services, "store">,
  owner: Owner,
  ids: readonly string[],
): Promise<Fault[]> {
  const rows = await Promise.all(ids.map((id) => store.corpora.get(owner, id)));
  return ids.flatMap((id, index) =>
    rows[index]
      ? []
      : [{ path: `input.corpus_ids.${index}`, code: "unknown_corpus", message: `There is no corpus ${id}.` }],
  );
}
