import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { NewChild, ChildGroup } from "#store/children";
import type { ChildRequest, ReusableRun } from "#workflow-kit/children";
import type { Services } from "../services";
import { childrenEnded } from "#core/wake-ups";
import { attempt, wake } from "../wake";
import { newRun, parseRunRequest, type RunRequest } from "./parse-run-request";
import { reuseKey } from "./reuse-key";

/** A child that a run wants to start. */
export interface ChildSpec {
  key: string;
  request: ChildRequest;
}

/**
 * Checks child runs as `POST /v1/runs` does, and stores them in the queue; those that are stored already are left out.
 * @param of.slots how many children of the parent may be under way at once
 * @throws Problem that names the child and lists its errors
 */
export async function createChildren(
  services: Services,
  group: ChildGroup,
  { owner, slots }: { owner: Owner; slots: number },
  wanted: readonly ChildSpec[],
): Promise<void> {
  const parent = await services.store.runs.get(owner, group.run_id);
  if (!parent) return;
  if (parent.parent_id !== null)
    throw new Problem("wrong_state", `${parent.id} was started by a run, so it may start none.`);
  const children: NewChild[] = [];
  for (const child of wanted) children.push(await newChild(services, { owner, origin: parent.origin }, child));
  await services.store.children.create(group, slots, children);
}

async function newChild(
  services: Services,
  { owner, origin }: { owner: Owner; origin: string },
  { key, request: body }: ChildSpec,
): Promise<NewChild> {
  const parsed = await parseChild(services, owner, { key, request: body });
  return {
    key,
    reuse_key: body.repetition === undefined ? null : reuseKey(parsed, body.repetition),
    run: newRun(services, parsed, { owner, origin }),
  };
}

/** @throws Problem that names the child and lists its errors */
function parseChild(services: Services, owner: Owner, { key, request }: ChildSpec): Promise<RunRequest> {
  const { repetition: _, ...body } = request;
  return parseRunRequest(services, { ...owner, workflows: null }, body).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    const errors = error.errors.map((fieldError) => ({ ...fieldError, path: `${key}.${fieldError.path}` }));
    throw new Problem(error.code, `The run "${key}" cannot be started. ${error.detail}`, errors);
  });
}

/**
 * Which of these children the owner's earlier runs have run: completed children with an equal request, version and prompts. A run stands for
 * one child only: of two equal ones the second is not found, so that it is run.
 * @throws Problem that names the child and lists its errors
 */
export async function findReusable(
  services: Services,
  owner: Owner,
  wanted: readonly ChildSpec[],
): Promise<ReusableRun[]> {
  const keys: { key: string; reuse_key: string }[] = [];
  for (const child of wanted) {
    const { repetition } = child.request;
    if (repetition === undefined) continue;
    const parsed = await parseChild(services, owner, child);
    keys.push({ key: child.key, reuse_key: reuseKey(parsed, repetition) });
  }
  const found = await services.store.children.reusable(
    owner,
    keys.map(({ reuse_key }) => reuse_key),
  );
  return keys.flatMap(({ key, reuse_key }) => {
    const run_id = found.get(reuse_key);
    found.delete(reuse_key);
    return run_id === undefined ? [] : { key, run_id };
  });
}

/** Wakes a run whose instance waits for its children, when all of these have ended. */
export async function wakeParent(services: Pick<Services, "store" | "platform">, parent: string): Promise<void> {
  await attempt("waking the parent", parent, async () => {
    const run = await services.store.children.awaitingParent(parent);
    if (run) await wake(services, run, [childrenEnded(run.child_waits)]);
  });
}
